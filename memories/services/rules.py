"""Rules: proposed by agents or people, decided by people alone. Every change is a row of history."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memories import limits, screening
from memories.actors import Actor, acting
from memories.choices import RULE_MOVES, Outcome, RuleStatus, Verb
from memories.errors import Conflict, Forbidden, InvalidInput, NotFound, TooLarge
from memories.models import Product, Rule
from memories.services import drafts

VERBS = {RuleStatus.APPROVED: Verb.VERIFY, RuleStatus.REJECTED: Verb.SETTLE, RuleStatus.RETIRED: Verb.RETIRE}


@dataclass(frozen=True, slots=True)
class Proposed:
    rule: Rule
    outcome: Outcome


def propose(*, by: Actor, text: str, why: str = "") -> Proposed:
    """Put a rule before the people of the product. One that says the same already is `known`, however it stands."""
    text, why = _screened(by, text, "text"), _screened(by, why, "why") if why else ""
    key = drafts.key_of(text)
    try:
        with transaction.atomic(), acting(by, Verb.ADD, why):
            rule = Rule.objects.create(
                product_id=by.product_id, text=text, key=key, why=why, agent_id=by.agent_id, author_id=by.user_id
            )
    except IntegrityError:
        known = Rule.objects.exclude(status=RuleStatus.RETIRED).filter(product_id=by.product_id, key=key).first()
        if known is None:
            raise
        return Proposed(known, Outcome.KNOWN)
    rule.refresh_from_db()
    return Proposed(rule, Outcome.ADDED)


def visible_to(by: Actor) -> "QuerySet[Rule]":
    """The approved ones, and what the caller proposed itself; a person sees all of the product."""
    rows = Rule.objects.filter(product_id=by.product_id).select_related("agent", "author", "decided_by")
    return rows if by.is_person else rows.filter(Q(status=RuleStatus.APPROVED) | Q(agent_id=by.agent_id))


def approved(by: Actor) -> "QuerySet[Rule]":
    """What binds, the oldest first."""
    rows = Rule.objects.filter(product_id=by.product_id, status=RuleStatus.APPROVED)
    return rows.select_related("agent", "author", "decided_by").order_by("pk")


def decide(*, by: Actor, rule_id: UUID | str, to: RuleStatus, text: str | None = None, why: str = "") -> Rule:
    """Approve (perhaps in other words), reject or retire a rule. Only a person does."""
    if not by.is_person:
        raise Forbidden("Only a person decides about rules.")
    text = None if text is None else _screened(by, text, "text")
    with transaction.atomic():
        rule = _locked(by, rule_id)
        if rule.status == to and text in (None, rule.text):
            return rule
        if rule.status != to and (RuleStatus(rule.status), to) not in RULE_MOVES:
            raise Conflict(f"A {rule.get_status_display().lower()} rule can't become {RuleStatus(to).label.lower()}.")
        with acting(by, VERBS.get(to, Verb.EDIT), why):
            _save(rule, to, text, by=by)
    return rule


def edit(*, by: Actor, rule_id: UUID | str, text: str, why: str = "") -> Rule:
    """Reword a rule that stands; how it stands does not change."""
    if not by.is_person:
        raise Forbidden("Only a person edits rules; propose another one.")
    text = _screened(by, text, "text")
    with transaction.atomic():
        rule = _locked(by, rule_id)
        with acting(by, Verb.EDIT, why):
            _save(rule, RuleStatus(rule.status), text, by=by)
    return rule


def _save(rule: Rule, to: RuleStatus, text: str | None, *, by: Actor) -> None:
    if rule.status != to:
        rule.decided_by_id, rule.decided_at = by.user_id, timezone.now()
    columns: dict[str, Any] = {"status": to, "decided_by_id": rule.decided_by_id, "decided_at": rule.decided_at}
    if text is not None:
        columns |= {"text": text, "key": drafts.key_of(text)}
    try:
        with transaction.atomic():
            Rule.objects.filter(pk=rule.pk).update(**columns)
    except IntegrityError:
        raise Conflict("Another rule says the same already; decide about that one.") from None
    rule.refresh_from_db()


def _locked(by: Actor, rule_id: UUID | str) -> Rule:
    try:
        return Rule.objects.select_for_update(no_key=True).get(product_id=by.product_id, pk=rule_id)
    except (ObjectDoesNotExist, ValidationError, ValueError):
        raise NotFound from None


def _screened(by: Actor, text: str, name: str) -> str:
    text = text.strip()
    if len(text) > limits.RULE_CHARACTERS:
        sentence = f"A rule has at most {limits.RULE_CHARACTERS:,} characters; say it shorter."
        raise TooLarge(sentence, limits.RULE_CHARACTERS, field=name)
    if screening.storable(text)[1]:
        raise InvalidInput.of(name, "This holds NUL bytes or broken characters; send plain UTF-8 text.")
    if not drafts.has_words(text):
        raise InvalidInput.of(name, "A rule needs at least one letter or digit.")
    return drafts.screen(text, product=Product.objects.get(pk=by.product_id), field_name=name).text
