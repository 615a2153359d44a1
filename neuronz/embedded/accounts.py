"""Whom the embedded servers run as. PostgreSQL refuses to run as root, so root hands both to another account."""

import logging
import os
import pwd
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

#: Tried in this order when root starts a new data folder; the first is created where it is missing.
NAME, LAST_RESORT = "pgserver", "nobody"


@dataclass(frozen=True)
class Account:
    uid: int
    gid: int


def account_for(cluster: Path) -> Account | None:
    """Who the servers of this data folder run as; None means the caller itself, who is not root."""
    if os.geteuid() != 0:
        return None
    if cluster.exists() and cluster.stat().st_uid != 0:
        owner = cluster.stat()
        return Account(owner.st_uid, owner.st_gid)
    entry = _find(NAME) or _create(NAME) or pwd.getpwnam(LAST_RESORT)
    return Account(entry.pw_uid, entry.pw_gid)


def own(folder: Path, account: Account | None, mode: int) -> None:
    """Make the folder if it is missing, and give it to the account."""
    folder.mkdir(exist_ok=True)
    if account is not None:
        os.chown(folder, account.uid, account.gid)
    folder.chmod(mode)


def let_pass(target: Path) -> None:
    """Let the account walk to the target: through the folders above it, without being able to list them."""
    for folder in target.resolve().parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)
            log.warning("chmod o+x %s: the account of the embedded servers has to pass through it.", folder)


def let_read(folder: Path) -> None:
    """Let the account use an installed package, which a strict umask may have hidden from others."""
    let_pass(folder)
    if folder.stat().st_mode & stat.S_IROTH:
        return
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = stat.S_IMODE(path.stat().st_mode)
            path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))


def _find(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _create(name: str) -> pwd.struct_passwd | None:
    command = ["useradd", "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", name]
    try:
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 -- a fixed command
    except (OSError, subprocess.CalledProcessError) as error:
        log.warning("The account %s could not be created (%s); using %s.", name, error, LAST_RESORT)
    return _find(name)
