"""In whose name texts are brought in by hand, and what they weigh."""

from dataclasses import dataclass

from memories.actors import Actor
from memories.choices import Origin, Tier
from memories.errors import Conflict, NotFound
from memories.models import Agent, Product
from sources.choices import SourceType
from sources.decisions import UPLOAD_TIER, upload_source_name
from sources.models import Source


@dataclass(frozen=True, slots=True)
class Uploader:
    """In whose name texts are brought in, what they weigh, and whether this process reads them (`wait`) or a worker."""

    by: Actor
    product: Product
    tier: Tier
    wait: bool = True


def uploader(*, product: Product, agent: str = "", tier: Tier | None = None, wait: bool = True) -> Uploader:
    """The named agent with the tier it states (official unless said), or the product's upload source of that tier."""
    if agent:
        return Uploader(_agent(product, agent), product, tier or Tier.OFFICIAL, wait)
    source = upload_source(product=product, tier=tier)
    by = Actor(type=Origin.SOURCE, name=source.name, product_id=product.pk, source_id=source.pk)
    return Uploader(by, product, source.in_force.tier, wait)


def upload_source(*, product: Product, tier: Tier | None = None) -> Source:
    """The source that uploads of a tier belong to, made when it is first needed."""
    name = upload_source_name(tier or UPLOAD_TIER)
    source, _ = Source.objects.get_or_create(
        product=product, name=name, defaults={"type": SourceType.UPLOAD, "tier": tier or UPLOAD_TIER}
    )
    if tier and source.in_force.tier != tier:
        now = source.in_force.tier
        raise Conflict(
            f"The source {name!r} has the tier {now} by now; set it back to {tier}, or leave --tier out.", source
        )
    return source


def _agent(product: Product, name: str) -> Actor:
    agent = Agent.objects.filter(product=product, name=name).first()
    if agent is None:
        raise NotFound(
            f"The product {product.slug} has no agent {name!r}; "
            f"make it with `manage.py create_agent {name} --product {product.slug}`."
        )
    return Actor(type=Origin.AGENT, name=agent.name, product_id=product.pk, agent_id=agent.pk)
