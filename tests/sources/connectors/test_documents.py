"""Documents of an office become Markdown, and none of them harms the one who reads it."""

import io
import zipfile
from collections.abc import Iterator

import pytest
from pptx import Presentation

from memories import limits
from sources.connectors.documents import Documents, Unfit, fitting, plain_text
from tests.sources.fakes.google_store import workbook

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def docx(*paragraphs: str, more: int = 0) -> bytes:
    """The least that Word would open; `more` bytes of nothing beside it."""
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{MAIN}"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{RELATED}" Target="word/document.xml"/></Relationships>',
        )
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>')
        if more:
            archive.writestr("word/media/picture.bin", b"\0" * more)
    return written.getvalue()


def pdf(text: str) -> bytes:
    """One page with one line."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    written, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(written))
    return written + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def pptx(title: str, text: str) -> bytes:
    shown = Presentation()
    slide = shown.slides.add_slide(shown.slide_layouts[1])
    slide.shapes.title.text = title
    slide.placeholders[1].text = text
    written = io.BytesIO()
    shown.save(written)
    return written.getvalue()


@pytest.fixture(scope="module")
def documents() -> Iterator[Documents]:
    """One for all of them: its process takes seconds to start."""
    with Documents() as reader:
        yield reader


def test_documents_of_five_kinds_become_markdown(documents: Documents) -> None:
    assert "The gateway listens on port 8443." in documents.markdown(pdf("The gateway listens on port 8443."), "pdf")
    assert documents.markdown(docx("Noor leads payments.", "Ivo is away."), "docx").split("\n") == [
        "Noor leads payments.",
        "",
        "Ivo is away.",
    ]
    assert "# Launch" in documents.markdown(pptx("Launch", "It is on 12 May 2026."), "pptx")
    page = documents.markdown(b"<h1>Oil</h1><p>It is in the <b>cellar</b>.</p><script>x()</script>", "html")
    assert page == "# Oil\n\nIt is in the **cellar**."
    assert "| Monday | Ivo |" in documents.markdown(b"Day,Person\nMonday,Ivo\n", "csv")


def test_a_workbook_keeps_its_numbers_its_titles_and_its_tables_apart(documents: Documents) -> None:
    rows: list[list[object]] = [
        ["Duty rota"],
        [],
        ["Day", "Person", "Hours"],
        ["Monday", "Ivo", 8.0],
        ["Friday", None, 7.5],
    ]

    text = documents.markdown(workbook({"March": rows, "Empty": []}), "xlsx")

    assert text == (
        "## March\n\nDuty rota\n\n| Day | Person | Hours |\n| --- | --- | --- |\n| Monday | Ivo | 8 |\n"
        "| Friday |  | 7.5 |\n\n## Empty"
    )


@pytest.mark.parametrize("kind", ["pdf", "docx", "pptx", "xlsx"])
def test_a_broken_document_is_told_and_the_next_one_is_read(documents: Documents, kind: str) -> None:
    with pytest.raises(Unfit, match="damaged, or protected by a password"):
        documents.markdown(b"PK\3\4 this is nothing", kind)

    assert documents.markdown(b"<p>Next.</p>", "html") == "Next."


def test_an_archive_that_would_fill_the_memory_is_not_unpacked(documents: Documents) -> None:
    with pytest.raises(Unfit, match="unpacks to more than one document may hold"):
        documents.markdown(docx("Hello.", more=301 * 2**20), "docx")


def test_a_document_that_takes_too_long_is_given_up_and_the_next_one_is_read() -> None:
    with Documents(seconds=0.001) as documents:
        with pytest.raises(Unfit, match="took longer than"):
            documents.markdown(docx("Hello."), "docx")
        documents._seconds = 60

        assert documents.markdown(docx("Hello."), "docx") == "Hello."


def test_text_is_read_in_the_encodings_that_people_have() -> None:
    assert plain_text("Größe".encode()) == "Größe"
    assert plain_text("\ufeffGröße".encode()) == "Größe"
    assert plain_text("Größe".encode("utf-16")) == "Größe"
    assert plain_text("Größe".encode("cp1252")) == "Größe"
    with pytest.raises(Unfit, match="no text"):
        plain_text(b"\x7fELF\0\0")


def test_a_text_that_fits_is_whole_and_a_longer_one_is_cut_between_lines() -> None:
    assert fitting("short") == ("short", "")

    text, left_out = fitting("ä" * 600_000 + "\n" + "b" * 900_000)

    assert len(text.encode()) <= limits.TEXT_BYTES
    assert "Only the first" in left_out
