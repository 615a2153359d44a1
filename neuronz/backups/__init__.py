"""Backups of the whole database: one file that says what is in it, and the way back.

A backup is a tar file, readable by its owner alone: `manifest.json` (see `manifest.py`), `database.dump` (pg_dump's own
format, of one moment), and below `keys/` the secrets that the data folder made.
"""

from memories.errors import NeuronzError


class BackupError(NeuronzError):
    """A backup can't be made or put back; the sentence says what would have worked."""

    code = "backup"
