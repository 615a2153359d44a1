"""The MCP door of memories: each tool checks its arguments by their shape, calls one service, shows the result.

A new tool is a function like these, named in TOOLS. Its docstring is what the model reads.
"""

from memories import answers as shown
from memories.choices import Category, Tier, VerdictGiven
from memories.filters import narrowed
from memories.models import Memory
from memories.serializers import (
    ActedSerializer,
    FactAddedSerializer,
    FoundSerializer,
    MemoryPageSerializer,
    MemorySerializer,
    ResolvedSerializer,
    WriteSerializer,
)
from memories.services import access, editing, intake, recall, resolving
from memories.services.keys import Caller
from memories.shapes import FactShape, TextShape
from memories.tool_shapes import FactDelete, FactList, FactResolve, FactSearch, FactUpdate, MemorySearch, OneFact
from memories.tooling import Answer, page, tool


@tool("Save one fact", gives=FactAddedSerializer)
def fact_add(caller: Caller, sent: FactShape) -> Answer:
    """Save one self-contained fact, as given, at most 8,000 characters; longer text goes to memory_add.

    Write it so that it reads alone: names instead of pronouns, dates instead of "yesterday", the reason with the
    decision. One fact per call.

    The answer lists `similar` facts with what differs, and decides nothing. Compare, then call fact_resolve with the
    new fact's id as `fact`: duplicate, replaces or contradicts; facts that are merely related need no verdict.
    outcome "known": it was saved before, nothing to do.

    confirmed: true for what the user or a document states; leave it out for what you concluded.
    tier: whose word it is: policy (binding rule), official (default), team, informal (said in passing).
    scope: private keeps it from every other agent; use it only for what concerns you alone.
    category: persona for a trait of a person, with `person` for whom; instruction for how to work; term for a
    definition; entity for who or what something is. Left out, it is derived.
    about: the time the fact is about, when it isn't simply now: {"from": "2026-07-01", "until": "2026-07-31"}.
    """
    given = sent.validated_data
    category = Category(given["category"]) if "category" in given else None
    added = intake.add_fact(
        by=caller.actor, content=given["content"], category=category, person=given.get("person"),
        confirmed=given["confirmed"], label=sent.as_label(),
    )  # fmt: skip
    return shown.fact_added(added)


@tool("Search facts", gives=FoundSerializer, read_only=True)
def fact_search(caller: Caller, sent: FactSearch) -> Answer:
    """Find current facts by meaning and by words. Use it before answering or deciding anything that may have been
    settled before, and before saving, to see what is known already.

    Ask in a full sentence, or with the exact code, file name, version or person. Best first. Read status
    (unverified is a claim) and tier (a higher one binds). as_of answers "what did we hold true on that date".
    Nothing found: say so, or try other words; don't invent.
    """
    given = sent.validated_data
    found = recall.search(by=caller.actor, q=given["query"], filters=sent.filters(), limit=given["limit"], raw="none")
    return shown.found(found, explain=False)


@tool("Read one fact", gives=MemorySerializer, read_only=True)
def fact_get(caller: Caller, sent: OneFact) -> Answer:
    """Read one memory by its id, current or not: a fact named in `similar`, `replaces`, `replaced_by`, or the verbatim
    text in `raw` that a fact was read from."""
    memory = access.memory(caller.actor, sent.validated_data["id"])
    return dict(MemorySerializer(Memory.objects.for_show().get(pk=memory.pk)).data)


@tool("List facts", gives=MemoryPageSerializer, read_only=True)
def fact_list(caller: Caller, sent: FactList) -> Answer:
    """List facts by filter, newest first: what was recorded lately, with a tag, by an agent, about a person or a time.
    To find an answer, use fact_search.

    Only current facts, unless `status` names others or `history` is true. Times take an offset, or a plain date for
    the whole day. For more, call again with `cursor` set to `next`.
    """
    rows = narrowed(caller.actor, sent.filters()).statements_only()
    return page(rows.for_show(), MemorySerializer, **sent.page())


@tool("Reword or confirm a fact", gives=ActedSerializer)
def fact_update(caller: Caller, sent: FactUpdate) -> Answer:
    """Correct the wording of a current fact with `content`, or mark it as verified with confirmed: true, or both.

    The new wording is a new version; the old one stays readable. For a changed situation rather than a wrong wording,
    save the new state with fact_add and resolve the two. `why` goes into the history.
    outcome "refused": the fact has a higher tier than this act; yours is stored for a person to decide. Tell the user;
    don't repeat it with a higher tier.
    """
    given = sent.validated_data
    acted = editing.revise(
        by=caller.actor, memory_id=given["id"], content=given.get("content"), confirmed=given["confirmed"],
        tier=Tier(given["tier"]), why=given["why"],
    )  # fmt: skip
    return shown.acted(acted)


@tool("Retire a fact", gives=ActedSerializer, destructive=True, idempotent=True)
def fact_delete(caller: Caller, sent: FactDelete) -> Answer:
    """Retire a fact that is wrong or no longer holds and that nothing replaces. It leaves search and lists; its history
    is kept and a person can bring it back. Say why. If something replaces it, use fact_add and fact_resolve instead.

    outcome "refused": the fact has a higher tier than this act and stays. Tell the user.
    """
    given = sent.validated_data
    acted = editing.retire(by=caller.actor, memory_id=given["id"], tier=Tier(given["tier"]), why=given["why"])
    return shown.acted(acted)


@tool("Say how two facts stand to each other", gives=ResolvedSerializer, idempotent=True)
def fact_resolve(caller: Caller, sent: FactResolve) -> Answer:
    """Settle a fact you saved against one that fact_add listed as `similar`. Give a verdict only where one is due.

    duplicate: yours says the same; it is dropped and the other kept.
    replaces: the conversation or a document shows that yours is the newer state; the other one becomes history.
    contradicts: they can't both be true and nothing shows which is right; both leave recall until a person decides.
    Facts that are merely related, or both true of different things or times, need no verdict.

    outcome "refused": the other fact has a higher tier and stays; yours waits for a person. Tell the user; don't repeat
    it with a higher tier.
    """
    given = sent.validated_data
    result = resolving.resolve(
        by=caller.actor, newer_id=given["fact"], older_id=given["other"], verdict=VerdictGiven(given["verdict"]),
        tier=Tier(given["tier"]) if "tier" in given else None, why=given["why"],
    )  # fmt: skip
    return shown.resolved(result)


@tool("Remember a text", gives=WriteSerializer)
def memory_add(caller: Caller, sent: TextShape) -> Answer:
    """Keep a longer text, such as notes, a summary or a document, exactly as it is, and have its statements read from
    it and saved. For a single fact use fact_add.

    The answer is a receipt: each statement with its outcome (added, known, superseded an older one, refused by
    authority, unsure). A long text is read in the background: state "received", and its facts appear in searches soon;
    wait: true waits. Credentials in the text are masked and listed in `masked`.
    tier, scope, tags, metadata and about hold for every statement; see fact_add.
    """
    given = sent.validated_data
    write = intake.remember(
        by=caller.actor, text=given["text"], label=sent.as_label(), confirmed=given["confirmed"], wait=sent.waits
    )
    return shown.receipt(write)


@tool("Search everything", gives=FoundSerializer, read_only=True)
def memory_search(caller: Caller, sent: MemorySearch) -> Answer:
    """Search facts and the verbatim texts they were read from, with every filter. Use it when fact_search isn't enough:
    for the exact wording of a note (raw: "only"), by tier, source, agent, person or time, or with explain: true for why
    each hit ranks where it does.
    """
    given = sent.validated_data
    found = recall.search(by=caller.actor, q=given["q"], filters=sent.filters(), limit=given["limit"], raw=given["raw"])
    return shown.found(found, explain=given["explain"])


TOOLS = [
    fact_add,
    fact_resolve,
    fact_search,
    fact_get,
    fact_list,
    fact_update,
    fact_delete,
    memory_add,
    memory_search,
]
