"""A pytest plugin: the whole suite runs against its own embedded PostgreSQL and Valkey, in a folder thrown away after.

Loaded by `-p tests.embedded` (pyproject.toml) before Django's settings are, so that they find these addresses. Nothing
is torn down here: the keepers of the servers stop them and remove the folder when this process ends, even by kill -9.
"""

import os
import tempfile
from pathlib import Path

from neuronz import embedded
from neuronz.embedded.attachment import Attachment

data_dir = Path(tempfile.mkdtemp(prefix="neuronz-test-"))
attachment = Attachment(data_dir, [embedded.POSTGRES, embedded.VALKEY], throw_away=True)
for inherited in [name for name in os.environ if name.startswith(("NEURONZ_", "DJANGO_"))]:
    del os.environ[inherited]
os.environ |= {
    "NEURONZ_DATA_DIR": str(data_dir),
    "DATABASE_URL": embedded.database_url(data_dir),
    "CELERY_BROKER_URL": embedded.broker_url(data_dir),
}
