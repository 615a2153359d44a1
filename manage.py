#!/usr/bin/env python
"""Django's commands, with the embedded servers running for as long as a command needs them."""

import os
import sys

#: These need no database (or, like makemigrations, do without); `up` and `doctor` start servers themselves.
ALONE = {"up", "help", "check", "collectstatic", "findstatic", "diffsettings", "makemigrations", "spectacular"}
ALONE |= {"makemessages", "compilemessages", "startapp", "startproject", "version", "doctor"}


def needs_servers(arguments: list[str]) -> bool:
    command = arguments[1] if len(arguments) > 1 else "help"
    return command not in ALONE and not command.startswith("-") and not {"-h", "--help"} & set(arguments)


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")
    # Imported here, because the settings have to be named first.
    from django.conf import settings  # noqa: PLC0415
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    from neuronz.embedded.attachment import Attachment  # noqa: PLC0415

    try:
        attachment = Attachment(settings.DATA_DIR, settings.EMBEDDED if needs_servers(sys.argv) else ())
        try:
            execute_from_command_line(sys.argv)
        finally:
            attachment.release()
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
