"""The labels of a source."""

from django.db.models import TextChoices


class SourceType(TextChoices):
    """What a source reads. Each has its connector; an upload is brought in by hand."""

    UPLOAD = "upload", "Upload"
