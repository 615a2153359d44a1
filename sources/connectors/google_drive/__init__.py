"""Google Drive: the documents of a folder or a shared drive."""

from sources.connectors.google_drive.connector import GoogleDrive

__all__ = ["GoogleDrive"]
