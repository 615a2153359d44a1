"""A desk with something on every page, and the addresses of all its pages."""

from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone

from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import Category, Tier, VerdictGiven
from memories.models import Memory, Product
from memories.services import editing, resolving, rules
from sources.models import Source, SyncRun, Upload
from tests import factories

SAID = (
    "Deploys to production happen on Tuesdays between 9 and 11.",
    "Ada Moss owns the payment service and reviews every change to it.",
    "The staging database is wiped each night at 02:00 UTC.",
    "Customers in the Nordics are invoiced in their own currency.",
    "An incident of severity one is announced in the status channel within ten minutes.",
)


def furnish(product: Product, agent: Actor) -> dict[str, Any]:
    """One row for the page of every model, and more in the lists."""
    for content in SAID:
        factories.fact(agent, content, confirmed="Tuesdays" in content, tags=("handbook",), tier=Tier.TEAM)
    fact = factories.fact(agent, "The northern lamp is lit at dusk.", tier=Tier.POLICY, category=Category.INSTRUCTION)
    editing.revise(by=agent, memory_id=fact.pk, content="The northern lamp is dark at dusk.", tier=Tier.INFORMAL)
    one, two = (factories.fact(agent, f"The harbour closes at {hour}.") for hour in (21, 22))
    resolving.resolve(by=agent, newer_id=two.pk, older_id=one.pk, verdict=VerdictGiven.CONTRADICTS, why="Two signs.")
    write = factories.write(agent, "# Gates\n\nThe southern gate is closed at night. The guard has the key.")
    factories.fact(agent, "Ada Moss prefers short mails.", category=Category.PERSONA, person="Ada Moss")
    source = Source.objects.create(product=product, name="handbook", type="folder", failures=2, reason="It is away.")
    rule = rules.propose(by=agent, text="Never deploy on a Friday.").rule
    run = SyncRun.objects.create(product=product, source=source, trigger="person")
    upload = Upload.objects.create(
        product=product, name="notes.jsonl", kind="jsonl", tier="team",
        text='{"content": "The harbour closes at 21."}\n{"content": "The moat is deep."}\nnot json',
    )  # fmt: skip
    Conflict.objects.filter(older=one).update(put_off_until=timezone.now() + timedelta(days=3))
    return {
        "memories_memory": fact, "memories_rawtext": write.raw, "memories_write": write, "memories_rule": rule,
        "conflicts_conflict": Conflict.objects.get(older=one), "memories_agent": Memory.objects.get(pk=fact.pk).agent,
        "memories_product": product, "sources_source": source, "sources_syncrun": run, "sources_upload": upload,
    }  # fmt: skip


LISTS = (
    "memories_memory", "memories_rawtext", "memories_write", "memories_rule", "memories_memoryevent",
    "memories_ruleevent", "conflicts_conflict", "memories_agent", "memories_agentkey", "memories_product",
    "sources_source", "sources_syncrun", "sources_authoritydefault", "sources_upload", "auth_user", "auth_group",
)  # fmt: skip


def pages(rows: dict[str, Any]) -> dict[str, str]:
    """Every page by a name for its picture."""
    found = {"front": reverse("admin:index"), "persona": reverse("admin:conflicts_persona")}
    found |= {f"list {name}": reverse(f"admin:{name}_changelist") for name in LISTS}
    found |= {f"page {name}": reverse(f"admin:{name}_change", args=[row.pk]) for name, row in rows.items()}
    return found | {
        "preferences": reverse("preferences"), "connect": reverse("admin:memories_agent_connect"),
        "import": reverse("admin:sources_upload_create"), "add source": reverse("admin:sources_source_add"),
        "nothing found": f"{reverse('admin:memories_memory_changelist')}?q=unfindable&how=words",
        "search": f"{reverse('admin:memories_memory_changelist')}?q=harbour",
    }  # fmt: skip
