"""The whole site in this process, on a port of its own, and clients that call it over real HTTP."""

import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from django.db import connection
from neuronz_client import Neuronz

from neuronz import asgi


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
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


@pytest.fixture(autouse=True)
def connections_are_ended(request: pytest.FixtureRequest) -> Iterator[None]:
    """Connections of the site's threads would outlive the test database."""
    yield
    if "transactional_db" not in request.fixturenames:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )


@pytest.fixture
def memory(site: str, transactional_db: None, a1_key: str) -> Iterator[Neuronz]:
    with Neuronz(site, key=a1_key) as client:
        yield client


@pytest.fixture
def other(site: str, transactional_db: None, a2_key: str) -> Iterator[Neuronz]:
    """Another agent of the same product."""
    with Neuronz(site, key=a2_key) as client:
        yield client
