"""The REST addresses of memories, under /api/v1/."""

from django.urls import path

from memories import api, api_exchange, api_graph, api_recall, api_writes

#: What both names of a memory offer.
BY_ID = [
    ("", api.OneMemory),
    ("history/", api.History),
    ("similar/", api.SimilarFacts),
    ("evidence/", api.EvidenceList),
    ("restore/", api.Restoration),
]

urlpatterns = [
    path("memories/", api_writes.MemoriesAndTexts.as_view()),
    path("memories/batch/", api_writes.Batch.as_view()),
    path("facts/", api.Facts.as_view()),
    path("facts/<str:id_>/resolve/", api.Resolution.as_view()),
    path("captures/", api_writes.Captures.as_view()),
    path("writes/", api_writes.Writes.as_view()),
    path("writes/<str:id_>/", api_writes.OneWrite.as_view()),
    path("writes/<str:id_>/retry/", api_writes.Retry.as_view()),
    path("writes/<str:id_>/cancel/", api_writes.Cancel.as_view()),
    path("search/", api.Search.as_view()),
    path("graph/search/", api_graph.GraphSearch.as_view()),
    path("graph/entities/", api_graph.Entities.as_view()),
    path("graph/entities/<str:id_>/", api_graph.OneEntity.as_view()),
    path("graph/path/", api_graph.Path.as_view()),
    path("recall/", api_recall.Recall.as_view()),
    path("rules/", api_recall.Rules.as_view()),
    path("persona/", api.Personas.as_view()),
    path("export/", api_exchange.Export.as_view()),
    path("whoami/", api.Whoami.as_view()),
    *[path(f"memories/<str:id_>/{rest}", view.as_view()) for rest, view in BY_ID],
    *[path(f"facts/<str:id_>/{rest}", view.as_view()) for rest, view in BY_ID],
]
