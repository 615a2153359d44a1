"""The folders that the servers need before they can run, and PostgreSQL's files in them."""

import os
import shutil
import subprocess
from pathlib import Path

from neuronz import embedded
from neuronz.embedded import POSTGRES, VALKEY, StartError, accounts
from neuronz.embedded.accounts import Account
from neuronz.embedded.servers import MAJOR_VERSION, postgres_programs, valkey_program


def prepare(data_dir: Path) -> Account | None:
    """Make what the servers need before they can run, and say whom they run as."""
    cluster = data_dir / POSTGRES
    account = accounts.account_for(cluster)
    if account is not None:
        for package in (postgres_programs(), valkey_program().parent):
            accounts.let_read(package.parent)
        data_dir.chmod(0o711)
        accounts.let_pass(data_dir)
    accounts.own(data_dir / "run", account, 0o700)
    accounts.own(data_dir / VALKEY, account, 0o700)
    if not cluster.exists():
        _make_cluster(data_dir, account)
    _require_same_version(cluster)
    return account


def _require_same_version(cluster: Path) -> None:
    """Another major version of PostgreSQL can't read these files: better a sentence now than a line in its log."""
    made_by = (cluster / "PG_VERSION").read_text().strip()
    if made_by != MAJOR_VERSION:
        raise StartError(
            f"The database in {cluster} was made by PostgreSQL {made_by}, and this version of Neuronz brings "
            f"PostgreSQL {MAJOR_VERSION}, which can't read it. Go back to the version of Neuronz you had, run "
            "`manage.py backup`, then run `manage.py restore` with this one and NEURONZ_DATA_DIR set to a new folder."
        )


def _make_cluster(data_dir: Path, account: Account | None) -> None:
    """Under another name until it is complete: a first run that was killed must not leave half a database."""
    draft = data_dir / f"{POSTGRES}.draft"
    shutil.rmtree(draft, ignore_errors=True)
    accounts.own(draft, account, 0o700)
    command = [str(postgres_programs() / "initdb"), "-D", str(draft), "-U", "postgres", "--encoding=UTF8"]
    # The built-in locale sorts the same on every machine.
    command += ["--locale-provider=builtin", "--locale=C.UTF-8", "--auth-local=trust", "--auth-host=scram-sha-256"]
    secret = data_dir / "run" / "password"
    secret.touch(mode=0o600)
    secret.write_text(embedded.password(data_dir))
    if account is not None:
        os.chown(secret, account.uid, account.gid)
    done = subprocess.run(  # noqa: S603 -- a fixed program
        [*command, f"--pwfile={secret}"],
        check=False,
        capture_output=True,
        cwd=draft,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    secret.unlink()
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip()
        raise StartError(f"PostgreSQL could not make its files in {data_dir}: {reason}")
    draft.rename(data_dir / POSTGRES)
