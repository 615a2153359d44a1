"""Which connector reads which type of source.

Imported when it is used: a worker starts without packages that it never needs.
"""

from typing import cast

from django.utils.module_loading import import_string

from sources.choices import SourceType
from sources.connectors.base import Connector, ConnectorError

CONNECTORS = {
    SourceType.FOLDER: "sources.connectors.folder.Folder",
    SourceType.GITHUB: "sources.connectors.github.GitHub",
    SourceType.GOOGLE_DRIVE: "sources.connectors.google_drive.GoogleDrive",
    SourceType.CLICKUP: "sources.connectors.clickup.ClickUp",
}


def connector_of(type_: SourceType | str) -> type[Connector]:
    """The class. Its missing package is a ConnectorError that says so; an upload has none."""
    path = CONNECTORS.get(SourceType(type_))
    if path is None:
        raise ConnectorError("Uploads are brought in by hand, with manage.py remember.", permanent=True)
    try:
        return cast("type[Connector]", import_string(path))
    except ImportError as error:
        label = SourceType(type_).label
        raise ConnectorError(
            f"The connector for {label} can't be loaded here ({error.name or type(error).__name__} is missing).",
            permanent=True,
        ) from None


def connected_types() -> list[SourceType]:
    """The types whose connectors can be loaded in this process."""
    found = []
    for type_ in CONNECTORS:
        try:
            connector_of(type_)
        except ConnectorError:
            continue
        found.append(type_)
    return found
