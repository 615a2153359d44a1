"""Small invented files as other makers write them."""

import json
from typing import Any

MEM0: dict[str, Any] = {
    "count": 4,
    "results": [
        {
            "id": "m-1", "memory": "Ada works at Harbor Logistics as an engineer", "user_id": "ada", "hash": "0af1",
            "metadata": {"type": "professional"}, "categories": ["work", "professional_details"],
            "created_at": "2026-03-01T09:15:00.123456-08:00", "updated_at": None,
        },
        {"id": "m-2", "memory": "Prefers morning meetings", "user_id": "ada", "metadata": None, "categories": None},
        {"id": "m-3", "memory": "  ", "user_id": "ada"},
        "no object",
    ],
    "relations": [{"source": "ada", "relationship": "works_at", "destination": "harbor"}],
}  # fmt: skip

MCP_MEMORY = "\n".join(
    [
        json.dumps(
            {
                "type": "entity",
                "name": "Ada_Lind",
                "entityType": "person",
                "observations": ["Works from Oslo", "Ada Lind likes tea"],
            }
        ),
        json.dumps({"type": "entity", "name": "Harbor", "entityType": "organization", "observations": []}),
        '{"type": "entity", "name": "Broken", "observations": [LOST',
        json.dumps({"type": "relation", "from": "Ada_Lind", "to": "Harbor", "relationType": "works_at"}),
        json.dumps({"type": "dream", "name": "?"}),
        "",
    ]
)

CLAUDE_MD = """\
# Harbor

- Use `make test` before every commit.
- The gateway listens on port 8443.

@docs/style.md
"""
MEMORY_INDEX = "# Memory\n\n- [Deploy day](deploy.md) – when we ship\n- The staging database is reset on Mondays.\n"
MEMORY_FILE = """\
---
name: deploy-day
description: When we ship
type: project
tags: [release, calendar]
---

Releases go out on Tuesdays.
"""

CHATGPT = """\
Saved memories
==============
1. [2026-02-03] - User lives in Bergen.
- User's cat is called Miso.
• [unknown] - User writes Python.

"""

CSV = """\
content;category;tags;about;id;owner
The kiln fires at 1,240 degrees.;fact;kiln, heat;;k-1;Ada
"The glaze is ""Tarnvik blue"".";term;;2026-07-12;k-2;
;fact;;;k-3;
The clay is red.;mood;;;k-4;
"""

JSON_LINES = """\
{"content": "The mill stands.", "tags": ["mill"], "about": {"from": "2026-07-12"}, "metadata": {"a": 1}}
{"content": "Ada dislikes fog.", "category": "persona", "person": "Ada", "colour": "grey"}
{broken
{"content": "The dam holds.", "about": "yesterday"}
["no object"]
"The weir is a plain sentence."
{"content": "…"}
"""
