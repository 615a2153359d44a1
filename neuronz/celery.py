"""The Celery application. Everything it does is in settings, under names that begin with CELERY_."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")

app = Celery("neuronz")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
