"""The documented limits (api.md), each once. Doors check shapes by them; `whoami` shows them."""

TEXT_BYTES = 1024 * 1024
FACT_CHARACTERS = 8_000
QUERY_CHARACTERS = 32_000
PROMPT_CHARACTERS = 200_000
METADATA_BYTES = 16 * 1024
METADATA_LEVELS = 100
TAGS = 32
TAG_CHARACTERS = 64
BATCH_ITEMS = 500
BATCH_BYTES = 16 * 1024 * 1024
CAPTURE_MESSAGES = 2_000
#: Of a session, a message's id, a speaker.
NAME_CHARACTERS = 200
ROLE_CHARACTERS = 50
RULE_CHARACTERS = 2_000
#: Of a recall block: unless said otherwise, and at most; the budget a hook has for what it injects.
RECALL_TOKENS = 1_000
MOST_RECALL_TOKENS = 32_000
HOOK_CHARACTERS = 10_000
PERSON_CHARACTERS = 200
AGENT_NAME_CHARACTERS = 100
PRODUCT_NAME_CHARACTERS = 200
WHY_CHARACTERS = 2_000
#: A write up to this long is read before the answer, unless the caller says otherwise.
READ_NOW_CHARACTERS = 2_000
PAGE = 50
MOST_PAGE = 200
HITS = 10
MOST_HITS = 100
SIMILAR = 10
