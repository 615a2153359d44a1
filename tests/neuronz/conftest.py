"""The site and the program that agents reach, and the database behind both."""

import os
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from django.db import connection

from neuronz import asgi, embedded
from tests.neuronz.connections import end_other_connections


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The whole site in this process, on a port of its own."""
    server = uvicorn.Server(uvicorn.Config(asgi.application, port=0, log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the web server did not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def connections_are_ended(transactional_db: None) -> Iterator[None]:
    """Connections of the site's threads would outlive the test database."""
    yield
    end_other_connections()


@pytest.fixture
def environment(transactional_db: None) -> dict[str, str]:
    """Where the program finds this test's database."""
    url = os.environ["DATABASE_URL"].removesuffix(f"/{embedded.DATABASE}")
    return {
        **os.environ,
        "DATABASE_URL": f"{url}/{connection.settings_dict['NAME']}",
        "NEURONZ_EMBEDDER": "hashing:64",
    }
