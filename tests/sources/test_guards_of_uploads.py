"""The database keeps no text of a file that was read."""

from memories.models import Product
from sources.models import Upload
from tests.guards import refused_by


def test_no_text_is_kept_of_what_is_over(lighthouse: Product) -> None:
    with refused_by("Upload:upload_keeps_no_text_when_over"):
        Upload.objects.create(product=lighthouse, name="x", kind="csv", tier="team", text="x", state="done")
