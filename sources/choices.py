"""The labels of a source, its items and its runs."""

from django.db.models import TextChoices


class SourceType(TextChoices):
    """What a source reads. Each has its connector; an upload is brought in by hand."""

    UPLOAD = "upload", "Upload"
    FOLDER = "folder", "Folder"
    GITHUB = "github", "GitHub"
    GOOGLE_DRIVE = "google_drive", "Google Drive"
    CLICKUP = "clickup", "ClickUp"


class SourceState(TextChoices):
    ACTIVE = "active", "Active"
    PAUSED = "paused", "Paused"


class ItemState(TextChoices):
    """How an item was met last."""

    PRESENT = "present", "Present"
    GONE = "gone", "Gone"
    UNREAD = "unread", "Could not be read"
    SKIPPED = "skipped", "Not read on purpose"


class UploadState(TextChoices):
    """How far a file is that was brought in by hand."""

    WAITING = "waiting", "Waits for your word"
    READING = "reading", "Being read"
    DONE = "done", "Read"
    FAILED = "failed", "Failed"
    DISCARDED = "discarded", "Discarded"


class RunState(TextChoices):
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    STOPPED = "stopped", "Stopped"


class ProblemKind(TextChoices):
    FAILED = "failed", "Failed"
    SKIPPED = "skipped", "Skipped"
    CUT = "cut", "Cut"
