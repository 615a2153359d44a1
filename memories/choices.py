"""The labels of product.md §2 and §6, each once."""

from django.db.models import TextChoices


class Kind(TextChoices):
    """What sort of statement a memory is. Derived by the system; a writer never sets it."""

    FACT = "Fact", "Fact"
    SUMMARY = "Summary", "Summary"
    IDENTITY = "Identity", "Identity"
    BASIC = "Basic", "Basic"
    KNOWLEDGE = "Knowledge", "Knowledge"
    RAW = "Raw", "Raw"
    SCHEMA = "Schema", "Schema"
    INTENTION = "Intention", "Intention"


class Category(TextChoices):
    """The label that the writer of a fact may set."""

    FACT = "fact", "Fact"
    ENTITY = "entity", "Entity"
    TERM = "term", "Term"
    INSTRUCTION = "instruction", "Instruction"
    PERSONA = "persona", "Persona"
    OTHER = "other", "Other"


class EntityType(TextChoices):
    """What sort of thing a name of the graph stands for."""

    PERSON = "person", "Person"
    TEAM = "team", "Team"
    ORGANISATION = "organisation", "Organisation"
    PRODUCT = "product", "Product"
    SERVICE = "service", "Service"
    PLACE = "place", "Place"
    DATE = "date", "Date"
    DOCUMENT = "document", "Document"
    TERM = "term", "Term"
    CODE = "code", "Code or identifier"
    OTHER = "other", "Other"


class Tier(TextChoices):
    """Source authority, highest first."""

    POLICY = "policy", "Policy"
    OFFICIAL = "official", "Official"
    TEAM = "team", "Team"
    INFORMAL = "informal", "Informal"


class Scope(TextChoices):
    SHARED = "shared", "Shared"
    PRIVATE = "private", "Private"


class Status(TextChoices):
    UNVERIFIED = "unverified", "Unverified"
    VERIFIED = "verified", "Verified"
    DISPUTED = "disputed", "Disputed"
    CONFLICTING = "conflicting", "Conflicting"
    SUPERSEDED = "superseded", "Superseded"
    RETIRED = "retired", "Retired"


class Origin(TextChoices):
    """What sort of actor wrote a memory."""

    AGENT = "agent", "Agent"
    SOURCE = "source", "Source"
    COGNITION = "cognition", "Cognition"
    PERSON = "person", "Person"


class Reason(TextChoices):
    """Why a pair of memories is opened (product.md §6)."""

    DISAGREEMENT = "disagreement", "They disagree"
    AUTHORITY = "authority", "A lower tier tried to replace a higher one"
    UNSURE = "unsure", "The system is not sure"


class Outcome(TextChoices):
    """What became of one statement, edit, retirement or verdict."""

    ADDED = "added", "Added"
    KNOWN = "known", "Known already"
    SUPERSEDED = "superseded", "Replaced an older one"
    REFUSED = "refused", "Refused by authority"
    UNSURE = "unsure", "Unsure, suggested to a person"
    EDITED = "edited", "Edited"
    CONFIRMED = "confirmed", "Confirmed"
    UNCHANGED = "unchanged", "Unchanged"
    RETIRED = "retired", "Retired"
    RESTORED = "restored", "Restored"
    DROPPED = "dropped", "Dropped as a duplicate"
    REPLACED = "replaced", "Replaced"
    DISPUTED = "disputed", "Disputed"
    SETTLED = "settled", "Settled"
    PUT_OFF = "put_off", "Put off"
    UNDONE = "undone", "Undone"


class VerdictGiven(TextChoices):
    """What an agent says about two facts. The first is the newer."""

    DUPLICATE = "duplicate", "The newer says the same"
    REPLACES = "replaces", "The newer replaces the older"
    CONTRADICTS = "contradicts", "They can't both be true"


class Verb(TextChoices):
    """What was done to a memory, as its history names it."""

    ADD = "add", "Added"
    VERIFY = "verify", "Verified"
    DISPUTE = "dispute", "Disputed"
    CONTEST = "contest", "Held back for clarification"
    SUPERSEDE = "supersede", "Superseded"
    MERGE = "merge", "Made one with another"
    EDIT = "edit", "Edited"
    RETIRE = "retire", "Retired"
    SETTLE = "settle", "Settled"
    RESTORE = "restore", "Restored"
    UNDO = "undo", "Undone"
    ERASE = "erase", "Erased"


class WriteState(TextChoices):
    RECEIVED = "received", "Received"
    READING = "reading", "Reading"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class RuleStatus(TextChoices):
    """How a rule stands. Only approved ones bind and reach recall."""

    PROPOSED = "proposed", "Proposed"
    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"
    RETIRED = "retired", "Retired"


class EmbeddingState(TextChoices):
    READY = "ready", "Ready"
    PENDING = "pending", "Pending"
    FAILED = "failed", "Failed, will be tried again"


class Role(TextChoices):
    """What a person may do in a product. A manager may all that a curator may."""

    CURATOR = "curator", "Curator"
    MANAGER = "manager", "Manager"


class Permission(TextChoices):
    """What a key may do."""

    READ = "read", "Read"
    WRITE = "write", "Write"


class SecretPolicy(TextChoices):
    """What happens to credentials found in content before it is stored."""

    MASK = "mask", "Mask them"
    REFUSE = "refuse", "Refuse the text"


class Trigger(TextChoices):
    """What began a run."""

    SCHEDULE = "schedule", "Schedule"
    PERSON = "person", "By hand"
    COMMAND = "command", "Command"


class StepState(TextChoices):
    """How one step of a run of cognition stands. One that the budget stopped goes on in the next run."""

    RUNNING = "running", "Running"
    DONE = "done", "Done"
    PARTLY = "partly", "Stopped by the budget"
    FAILED = "failed", "Failed"
    DIED = "died", "Ended without a word"


class ProposalKind(TextChoices):
    """What cognition asks a person to do with two things."""

    MERGE_FACTS = "merge_facts", "Make two facts one"
    MERGE_ENTITIES = "merge_entities", "Make two names one"


class ProposalState(TextChoices):
    """`gone`: one side is not there any more as it was, so there is nothing to decide."""

    OPEN = "open", "Open"
    ACCEPTED = "accepted", "Accepted"
    REJECTED = "rejected", "Rejected"
    GONE = "gone", "No longer there"


#: Current is what lists, searches and recall show.
CURRENT = (Status.UNVERIFIED, Status.VERIFIED)
#: Live is what a repeat is held against: one live row per statement and pool.
#: What has lost its currency.
NOT_CURRENT = tuple(status for status in Status if status not in CURRENT)
LIVE = (*CURRENT, Status.DISPUTED, Status.CONFLICTING)
#: How a person may decide about a rule, and decide otherwise later.
RULE_MOVES = (
    (RuleStatus.PROPOSED, RuleStatus.APPROVED),
    (RuleStatus.PROPOSED, RuleStatus.REJECTED),
    (RuleStatus.REJECTED, RuleStatus.APPROVED),
    (RuleStatus.APPROVED, RuleStatus.RETIRED),
    (RuleStatus.RETIRED, RuleStatus.APPROVED),
)
