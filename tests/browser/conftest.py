"""A real browser: Debian's Chromium, driven by Playwright. Without it these tests say so and are skipped."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="module")  # no longer: its event loop would stand in the way of asyncio.run in later tests
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"There is no {CHROMIUM}: apt-get install chromium")
    # Playwright runs an event loop in this thread, for which Django would refuse to touch the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A fresh window, which fails the test if a script of a page does."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    window = context.new_page()
    errors: list[str] = []
    window.on("pageerror", lambda error: errors.append(str(error)))
    window.on("response", lambda answer: errors.append(answer.url) if answer.status >= 500 else None)
    yield window
    context.close()
    assert not errors
