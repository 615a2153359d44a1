"""Importing a file in the admin: seen before, stored by a worker, for managers of the product alone."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memories.actors import Actor
from memories.choices import Role, Tier
from memories.models import Memory, Product
from sources import tasks, uploads
from sources.choices import UploadState
from sources.models import Upload
from tests import desk, factories

LINES = b'{"content": "The lamp is lit."}\n{"content": "The door is green."}\nno json\n'


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The broker is an edge: what was handed over is noted, and read when a test says so."""
    handed: list[str] = []
    monkeypatch.setattr(tasks.read_upload, "delay", handed.append)
    return handed


@pytest.fixture
def mara(manager: Actor) -> Client:
    return desk.at_desk(manager)


def send(client: Client, product: Product, content: bytes = LINES, *, kind: str = "jsonl", tier: str = "team") -> Any:
    sent = {"product": product.pk, "kind": kind, "tier": tier, "file": SimpleUploadedFile("lamps.jsonl", content)}
    return client.post(desk.act_of("import", "create"), sent, follow=True)


def test_a_file_is_looked_at_before_anything_is_stored(mara: Client, lighthouse: Product, a1: Actor) -> None:
    factories.fact(a1, "The lamp is lit.")
    page = send(mara, lighthouse).content.decode()
    assert "Nothing is stored yet." in page
    for said in ("<b>1</b> New", "<b>1</b> Known already", "<b>1</b> Can&#x27;t be read", "It is no JSON."):
        assert said in page
    assert Memory.objects.count() == 1


def test_a_worker_reads_it_as_the_upload_source_of_its_tier(
    mara: Client, lighthouse: Product, no_broker: list[str]
) -> None:
    send(mara, lighthouse)
    upload = Upload.objects.get()
    reading = mara.post(desk.act_of("import", "begin", upload), follow=True).content.decode()
    assert "<progress" in reading
    assert mara.get(desk.act_of("import", "progress", upload)).json()["is_over"] is False
    assert no_broker == [str(upload.pk)]
    tasks.read_upload(no_broker[0])
    upload.refresh_from_db()
    assert (upload.state, upload.text, upload.counts) == (UploadState.DONE, "", {"added": 2, "failed": 1})
    assert {(row.tier, row.origin) for row in Memory.objects.all()} == {(Tier.TEAM, "source")}
    assert mara.get(desk.act_of("import", "progress", upload)).json() == {"percent": 100, "done": 3, "is_over": True}
    assert "Line 3: it is no JSON" in mara.get(desk.page_of("import", upload)).content.decode()


def test_it_is_begun_once_and_again_only_after_a_death(mara: Client, lighthouse: Product, no_broker: list[str]) -> None:
    send(mara, lighthouse)
    upload = Upload.objects.get()
    for _ in range(2):
        mara.post(desk.act_of("import", "begin", upload))
    assert len(no_broker) == 1
    Upload.objects.update(moved_at=upload.created_at - uploads.SILENT * 2)
    mara.post(desk.act_of("import", "begin", upload))
    assert len(no_broker) == 2


def test_what_is_discarded_leaves_no_text(mara: Client, lighthouse: Product) -> None:
    send(mara, lighthouse)
    upload = Upload.objects.get()
    mara.post(desk.act_of("import", "discard", upload))
    upload.refresh_from_db()
    assert (upload.state, upload.text) == (UploadState.DISCARDED, "")
    assert not Memory.objects.exists()


@pytest.mark.parametrize(("content", "sentence"), [(b"\xff\xfe\x00", "no UTF-8 text"), (b"  \n", "The file is empty")])
def test_what_cannot_be_read_is_refused_with_a_sentence(
    mara: Client, lighthouse: Product, content: bytes, sentence: str
) -> None:
    assert sentence in send(mara, lighthouse, content).content.decode()
    assert not Upload.objects.exists()


def test_nobody_but_a_manager_of_the_product(
    mara: Client, lighthouse: Product, orchard: Product, curator: Actor
) -> None:
    send(mara, lighthouse)
    upload = Upload.objects.get()
    assert "valid choice" in send(mara, orchard).content.decode()
    for other in (
        desk.at_desk(curator),
        desk.at_desk(factories.person(orchard, "mallory", Role.MANAGER)),
        desk.stranger(),
    ):
        assert other.get(desk.page_of("import", upload)).status_code in (403, 404)
        for act in ("begin", "discard"):
            assert other.post(desk.act_of("import", act, upload)).status_code in (403, 404)
    upload.refresh_from_db()
    assert upload.state == UploadState.WAITING
