"""The REST door of the knowledge graph: it only reads."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories import graph
from memories.models import Memory
from memories.querysets import MemoryQuerySet
from memories.serializers import GraphSerializer, answers
from memories.shapes_graph import DepthShape, EntitiesShape, GraphSearchShape, PathShape
from memories.views import Door


class GraphDoor(Door):
    @property
    def rows(self) -> MemoryQuerySet:
        return Memory.objects.visible_to(self.by)

    def shown(self, found: graph.Graph) -> Response:
        return Response(GraphSerializer(found).data)


class GraphSearch(GraphDoor):
    @extend_schema(
        operation_id="graph_search", summary="Entities by name, and the relations they stand in",
        parameters=[GraphSearchShape], responses=answers({200: GraphSerializer}),
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        given = self.shaped(GraphSearchShape, request.query_params).validated_data
        found = graph.search(
            self.rows, given["q"], type_=given.get("type", ""), relation=given.get("relation", ""), limit=given["limit"]
        )
        return self.shown(found)


class Entities(GraphDoor):
    @extend_schema(
        operation_id="list_entities", summary="Entities by name and type, those most memories name first",
        parameters=[EntitiesShape], responses=answers({200: GraphSerializer}),
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        given = self.shaped(EntitiesShape, request.query_params).validated_data
        nodes = graph.entities(self.rows, given["q"], type_=given.get("type", ""), limit=given["limit"])
        return self.shown(graph.Graph(nodes))


class OneEntity(GraphDoor):
    @extend_schema(
        operation_id="entity", summary="One entity, by id or name, and what lies around it",
        parameters=[DepthShape], responses=answers({200: GraphSerializer}, 404),
    )  # fmt: skip
    def get(self, request: Request, id_: str) -> Response:
        given = self.shaped(DepthShape, request.query_params).validated_data
        return self.shown(graph.around(self.rows, id_, depth=given["depth"]))


class Path(GraphDoor):
    @extend_schema(
        operation_id="graph_path", summary="The shortest way between two entities, of three relations at most",
        parameters=[PathShape], responses=answers({200: GraphSerializer}, 404),
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        given = self.shaped(PathShape, request.query_params).validated_data
        return self.shown(graph.path(self.rows, given["from"], given["to"]))
