"""Where the server, the key and this machine's notes are. Standard library only, as everything in this folder."""

import os
from pathlib import Path

DEFAULT_URL = "http://127.0.0.1:8000"


def api_url() -> str:
    """The plugin's option, else NEURONZ_URL for clients without options."""
    return (_option("API_URL") or os.environ.get("NEURONZ_URL") or DEFAULT_URL).rstrip("/")


def api_key() -> str:
    return _option("API_KEY") or os.environ.get("NEURONZ_API_KEY", "")


def notes_dir() -> Path:
    """What is still to be uploaded, and how far each session has been. It never holds the key."""
    named = os.environ.get("CLAUDE_PLUGIN_DATA") or os.environ.get("NEURONZ_HOOK_DATA")
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    folder = Path(named) if named else Path(state) / "neuronz"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _option(name: str) -> str:
    return os.environ.get(f"CLAUDE_PLUGIN_OPTION_{name}", "")
