"""The REST addresses of sources, under /api/v1/."""

from django.urls import path

from sources import api

urlpatterns = [
    path("sources/", api.Sources.as_view()),
    path("sources/<str:id_>/", api.OneSource.as_view()),
]
