"""The REST door: who calls, what shape, one service, the typed result. Nothing is decided here."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from memories import answers as shown
from memories.choices import Category, Outcome, Tier, VerdictGiven
from memories.filters import narrowed
from memories.models import Memory
from memories.serializers import (
    ActedSerializer,
    EvidenceListSerializer,
    FactAddedSerializer,
    FoundSerializer,
    HistorySerializer,
    MemoryPageSerializer,
    MemorySerializer,
    PersonasSerializer,
    ResolvedSerializer,
    SimilarListSerializer,
    WhoamiSerializer,
    answers,
)
from memories.services import access, editing, history, intake, persona, recall, resolving, similar
from memories.shapes import EditShape, FactShape, ListShape, ResolveShape, RestoreShape, RetireShape, SearchShape
from memories.views import Door, sent_with


class Memories(Door):
    """Statements and raw texts; see writes.py for POST."""

    @extend_schema(
        operation_id="list_memories",
        summary="Current memories, newest first",
        parameters=[ListShape],
        responses=answers({200: MemoryPageSerializer}),
    )
    def get(self, request: Request) -> Response:
        return self.listed(request, statements_only=False)

    def listed(self, request: Request, *, statements_only: bool) -> Response:
        sent = self.shaped(ListShape, request.query_params)
        rows = narrowed(self.by, sent.filters())
        rows = rows.statements_only() if statements_only else rows
        return self.page(rows.for_show(), MemorySerializer, **sent.page())


class Facts(Memories):
    @extend_schema(
        operation_id="list_facts",
        summary="Current memories without raw texts, newest first",
        parameters=[ListShape],
        responses=answers({200: MemoryPageSerializer}),
    )
    def get(self, request: Request) -> Response:
        return self.listed(request, statements_only=True)

    @extend_schema(
        operation_id="add_fact",
        summary="Save one fact as given; similar ones are listed, nothing is decided",
        request=FactShape,
        responses=answers({201: FactAddedSerializer, 200: FactAddedSerializer}, 409),
    )
    def post(self, request: Request) -> Response:
        sent = self.shaped(FactShape, request.data)
        given = sent.validated_data
        category = Category(given["category"]) if "category" in given else None
        added = intake.add_fact(
            by=self.by, content=given["content"], category=category, person=given.get("person"),
            confirmed=given["confirmed"], label=sent.as_label(),
        )  # fmt: skip
        code = status.HTTP_200_OK if added.outcome == Outcome.KNOWN else status.HTTP_201_CREATED
        return Response(shown.fact_added(added), code)


class OneMemory(Door):
    @extend_schema(summary="One memory, current or not", responses=answers({200: MemorySerializer}, 404))
    def get(self, request: Request, id_: str) -> Response:
        memory = access.memory(self.by, id_)
        return Response(MemorySerializer(Memory.objects.for_show().get(pk=memory.pk)).data)

    @extend_schema(
        summary="Edit (a new version) or confirm",
        request=EditShape,
        responses=answers({200: ActedSerializer}, 404, 409),
    )
    def patch(self, request: Request, id_: str) -> Response:
        given = self.shaped(EditShape, request.data).validated_data
        acted = editing.revise(
            by=self.by, memory_id=id_, content=given.get("content"), confirmed=given["confirmed"],
            tier=Tier(given["tier"]), why=given["why"],
        )  # fmt: skip
        return Response(shown.acted(acted))

    @extend_schema(
        summary="Retire: reversible, history kept",
        parameters=[RetireShape],
        responses=answers({200: ActedSerializer}, 404, 409),
    )
    def delete(self, request: Request, id_: str) -> Response:
        given = self.shaped(RetireShape, sent_with(request)).validated_data
        acted = editing.retire(by=self.by, memory_id=id_, tier=Tier(given["tier"]), why=given["why"])
        return Response(shown.acted(acted))


class Restoration(Door):
    @extend_schema(
        summary="Bring a retired memory back to the status it had",
        request=RestoreShape,
        responses=answers({200: ActedSerializer}, 404, 409),
    )
    def post(self, request: Request, id_: str) -> Response:
        given = self.shaped(RestoreShape, request.data).validated_data
        return Response(shown.acted(editing.restore(by=self.by, memory_id=id_, why=given["why"])))


class Resolution(Door):
    @extend_schema(
        operation_id="resolve_fact",
        summary="Say how a newer fact stands to an older one: duplicate, replaces, contradicts",
        request=ResolveShape,
        responses=answers({200: ResolvedSerializer}, 404, 409),
    )
    def post(self, request: Request, id_: str) -> Response:
        given = self.shaped(ResolveShape, request.data).validated_data
        result = resolving.resolve(
            by=self.by, newer_id=id_, older_id=given["other"], verdict=VerdictGiven(given["verdict"]),
            tier=Tier(given["tier"]) if "tier" in given else None, why=given["why"],
        )  # fmt: skip
        return Response(shown.resolved(result))


class History(Door):
    @extend_schema(
        summary="Every move of every version, oldest first",
        responses=answers({200: HistorySerializer}, 404),
    )
    def get(self, request: Request, id_: str) -> Response:
        moves = history.of(access.memory(self.by, id_))
        return Response(HistorySerializer({"results": moves}).data)


class SimilarFacts(Door):
    @extend_schema(
        summary="Live facts close in meaning, and what differs",
        responses=answers({200: SimilarListSerializer}, 404, 503),
    )
    def get(self, request: Request, id_: str) -> Response:
        return Response(shown.similar_facts(similar.of_memory(access.memory(self.by, id_), by=self.by)))


class EvidenceList(Door):
    @extend_schema(
        summary="Every occurrence a memory rests on, oldest first",
        responses=answers({200: EvidenceListSerializer}, 404),
    )
    def get(self, request: Request, id_: str) -> Response:
        rows = access.memory(self.by, id_).evidence.order_by("id")
        return Response(EvidenceListSerializer({"results": rows}).data)


class Search(Door):
    post_reads = True

    @extend_schema(
        operation_id="search",
        summary="By meaning and by words, visible and current only",
        parameters=[SearchShape],
        responses=answers({200: FoundSerializer}),
    )
    def get(self, request: Request) -> Response:
        return self.found(request.query_params)

    @extend_schema(
        operation_id="search_with_body",
        summary="The same, with a body",
        request=SearchShape,
        responses=answers({200: FoundSerializer}),
    )
    def post(self, request: Request) -> Response:
        return self.found(request.data)

    def found(self, sent: object) -> Response:
        shape = self.shaped(SearchShape, sent)
        given = shape.validated_data
        result = recall.search(
            by=self.by,
            q=given["q"],
            filters=shape.filters(),
            limit=given["limit"],
            raw=given["raw"],
            rerank=given["rerank"],
        )
        return Response(shown.found(result, explain=given["explain"]))


class Personas(Door):
    @extend_schema(operation_id="personas", summary="Traits by person", responses=answers({200: PersonasSerializer}))
    def get(self, request: Request) -> Response:
        rows = Memory.objects.visible_to(self.by)
        return Response(PersonasSerializer({"results": persona.personas(rows)}).data)


class Whoami(Door):
    @extend_schema(
        operation_id="whoami", summary="Who this key is, and what it may", responses=answers({200: WhoamiSerializer})
    )
    def get(self, request: Request) -> Response:
        return Response(shown.whoami(self.caller))
