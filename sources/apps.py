from django.apps import AppConfig
from django.core.checks import register
from django.utils.module_loading import import_string


class SourcesConfig(AppConfig):
    name = "sources"

    def ready(self) -> None:
        register(import_string("sources.checks.check_secret_keys"))
