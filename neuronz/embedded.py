"""Placeholder until the embedded servers land."""

from pathlib import Path


def secret_key(data_dir: Path) -> str:
    return "dev"


def database_url(data_dir: Path) -> str:
    return "postgresql://postgres@127.0.0.1:5999/neuronz"


def broker_url(data_dir: Path) -> str:
    return "redis://127.0.0.1:6399/0"
