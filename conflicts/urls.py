"""The REST addresses of pairs, under /api/v1/."""

from django.urls import path

from conflicts import api

urlpatterns = [
    path("conflicts/", api.Conflicts.as_view()),
    path("conflicts/<str:id_>/", api.OneConflict.as_view()),
    path("conflicts/<str:id_>/resolve/", api.Settlement.as_view()),
]
