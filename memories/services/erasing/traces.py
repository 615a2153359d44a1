"""What was derived from the text, or repeats it: graph, counts, answers, rules, the admin's log, sessions."""

from urllib.parse import unquote_plus
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q

from memories.models import (
    Assignment,
    CognitionRun,
    Conclusion,
    Entity,
    Given,
    IdempotentAnswer,
    Mention,
    Proposal,
    Relation,
    RelationEvidence,
    Rule,
    RuleEvent,
    SavedView,
    TermCounts,
)
from memories.search import rarity
from memories.services.drafts import key_of
from memories.services.erasing.eraser import Eraser, Going, ILikeAny, mask_columns
from memories.services.erasing.targets import in_parts

#: The answer that a repeated request gets instead of the one that showed the text.
ANSWER = (
    '{"error": {"code": "erased", "message": "What this request was answered with was erased since.", "fields": {}}}'
)


def erase(going: Going) -> None:
    for ids in in_parts(sorted({*going.memories, *going.touched})):
        _answers(going, [str(each) for each in ids])
        LogEntry.objects.filter(object_id__in=[str(each) for each in ids]).update(object_repr="", change_message="")
        Given.objects.filter(item__in=ids).delete()
    _cognition(going)
    _graph(going)
    # Whole words with their numbers: counted anew by the search, or by the task that counts large pools.
    TermCounts.objects.filter(product_id=going.product_id).delete()
    rarity.forget()
    _repeated_in_passing(going)


def _cognition(going: Going) -> None:
    """What was asked about these memories, and what cognition noted about those it wrote itself."""
    for ids in in_parts(sorted(going.memories)):
        asked = Proposal.objects.filter(Q(memory__in=ids) | Q(other_memory__in=ids))
        going.counts["proposals"] += asked.delete()[0]
        Conclusion.objects.filter(memory__in=ids).delete()
    mask_columns(Proposal.objects.filter(product_id=going.product_id), going.needles, "reason", "why")
    mask_columns(CognitionRun.objects.filter(product_id=going.product_id), going.needles, "error")


def _graph(going: Going) -> None:
    """Names and relations that only these statements told. The pools are held, so nobody names them meanwhile."""
    entities: set[UUID] = set()
    for ids in in_parts(sorted(going.memories)):
        mentions = Mention.objects.filter(memory__in=ids)
        entities |= set(mentions.values_list("entity_id", flat=True))
        going.counts["mentions"] += mentions.delete()[0]
        going.counts["relations"] += RelationEvidence.objects.filter(memory__in=ids).delete()[0]
    said = RelationEvidence.objects.filter(relation=OuterRef("pk"))
    named = Mention.objects.filter(entity=OuterRef("pk"))
    for some in in_parts(sorted(entities)):
        Relation.objects.filter(Q(subject__in=some) | Q(object__in=some)).filter(~Exists(said)).delete()
        gone = Entity.objects.filter(~Exists(named), pk__in=some)
        going.counts["entities"] += gone.count()
        gone.delete()


def _answers(going: Going, ids: list[str]) -> None:
    """A repeat of that request gets a refusal: answered anew, it would be done twice."""
    told = IdempotentAnswer.objects.filter(agent__product_id=going.product_id).exclude(body="")
    for patterns in [[f"%{each}%" for each in ids[start : start + 100]] for start in range(0, len(ids), 100)]:
        holding = told.filter(ILikeAny("body", patterns)).values("pk")
        going.counts["kept_answers"] += IdempotentAnswer.objects.filter(pk__in=holding).update(status=409, body=ANSWER)


def _repeated_in_passing(going: Going) -> None:
    needles = going.needles
    rules = Rule.objects.filter(product_id=going.product_id)
    if mask_columns(rules, needles, "text", "why"):
        for rule in rules.filter(text__contains="\u2588"):
            rules.filter(pk=rule.pk).update(key=key_of(rule.text))
        going.counts["rules"] += 1
    mask_columns(RuleEvent.objects.filter(pgh_obj__product_id=going.product_id), needles, "text", "why")
    mask_columns(LogEntry.objects.all(), needles, "object_repr", "change_message")
    mask_columns(Assignment.objects.all(), needles, "note")
    for view in SavedView.objects.iterator(200):
        if needles.spans(view.name) or needles.spans(unquote_plus(view.query)):
            view.delete()  # a search for what went, under its words
    for session in Session.objects.all().iterator(200):
        if any(needles.spans(str(value)) for value in session.get_decoded().values()):
            session.delete()  # its person logs in again


ERASER = Eraser(lifts=("memories.RuleEvent:append_only", "memories.CognitionRun:ended_step_stays"), erase=erase)
