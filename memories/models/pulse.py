"""When each of the clock's tasks ran last: the sign that beat and a worker live."""

from django.db import models


class Pulse(models.Model):
    """One row per task that beat starts."""

    task = models.CharField(primary_key=True, max_length=100)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.task
