from django.apps import AppConfig
from django.core.checks import register
from django.utils.module_loading import import_string


class MemoriesConfig(AppConfig):
    name = "memories"
    verbose_name = "Memory"

    def ready(self) -> None:
        register(import_string("memories.checks.check_model"))
