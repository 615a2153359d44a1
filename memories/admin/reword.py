"""The form of a fact's page: only content is edited, and an edit is a new version."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from memories import limits
from memories.admin.acting import ActingForm
from memories.admin.base import actor_for
from memories.models import Memory
from memories.services import editing
from memories.services.editing import Acted


class RewordForm(ActingForm, forms.ModelForm):  # type: ignore[type-arg]  # Django's class takes no argument at run time
    content = forms.CharField(
        strip=False, label="What it says",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "dir": "auto", "class": "desk-reword"}),
    )  # fmt: skip
    why = forms.CharField(
        required=False, max_length=limits.WHY_CHARACTERS, label="Why",
        help_text="Kept in the history beside your name.",
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "Optional", "autocomplete": "off"}),
    )  # fmt: skip

    class Meta:
        model = Memory
        fields = ("content",)

    def clean_content(self) -> str:
        """Browsers send line ends as CR LF; that alone is no new wording."""
        typed: str = self.cleaned_data["content"].replace("\r\n", "\n")
        stored = self.instance.content
        return stored if typed == stored.replace("\r\n", "\n") else typed

    def act(self) -> Acted:
        cleaned: dict[str, Any] = self.cleaned_data
        by = actor_for(self.request.user, self.instance.product_id)
        return editing.revise(by=by, memory_id=self.instance.pk, content=cleaned["content"], why=cleaned["why"])

    def _post_clean(self) -> None:
        """Nothing is put into the row that the page shows: the service has written another one."""
