"""Neuronz puts its apps together."""

from neuronz.celery import app as celery_app

__all__ = ["celery_app"]
