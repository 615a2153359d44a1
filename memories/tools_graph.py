"""The MCP door of the knowledge graph."""

from memories import graph
from memories.models import Memory
from memories.serializers import GraphSerializer
from memories.services.keys import Caller
from memories.shapes_graph import GraphSearchShape
from memories.tool_shapes import renamed
from memories.tooling import Answer, tool


class GraphSearch(GraphSearchShape):
    """Models call a query by both names."""

    def to_internal_value(self, data: object) -> object:
        return super().to_internal_value(renamed(data, "query", "q"))


@tool("Search the knowledge graph", gives=GraphSerializer, read_only=True)
def graph_search(caller: Caller, sent: GraphSearch) -> Answer:
    """Find people, teams, services, codes and other named things, and how they relate: who owns what, what depends on
    what, who works with whom. Use it for a question about connections; fact_search answers what is known of a thing.

    Ask with a name or a part of one. Each relation has the words of a fact that states it and the ids of those facts
    (fact_get reads one). mentioned_with: one fact names both, and says no more.
    """
    given = sent.validated_data
    found = graph.search(
        Memory.objects.visible_to(caller.actor), given["q"], type_=given.get("type", ""),
        relation=given.get("relation", ""), limit=given["limit"],
    )  # fmt: skip
    return dict(GraphSerializer(found).data)


TOOLS = [graph_search]
