"""The database itself keeps the graph single and within its walls, whoever goes around the services."""

import pytest

from memories.actors import Actor
from memories.models import Entity, Memory, Mention, Relation, RelationEvidence
from tests import factories, guards

pytestmark = pytest.mark.django_db


def two_entities(by: Actor) -> list[Entity]:
    factories.fact(by, "We asked Ana Lima about Valve V-1603.")
    return list(Entity.objects.filter(product_id=by.product_id).order_by("pk")[:2])


def a_fact_of(by: Actor) -> Memory:
    return factories.fact(by, "Something else entirely.")


def test_guards_keep_the_graph_within_its_walls(a1: Actor, b1: Actor) -> None:
    mine, theirs = two_entities(a1), two_entities(b1)
    product = a1.product_id
    with guards.refused_by("Mention:same_product"):
        Mention.objects.create(product_id=product, memory=a_fact_of(a1), entity=theirs[0], words="x")
    with guards.refused_by("Relation:same_product"):
        Relation.objects.create(product_id=product, subject=mine[0], relation="owns", object=theirs[0])
    relation = Relation.objects.create(product_id=product, subject=mine[0], relation="owns", object=mine[1])
    with guards.refused_by("RelationEvidence:same_product"):
        RelationEvidence.objects.create(product_id=product, relation=relation, memory=a_fact_of(b1), words="x")


def test_guards_keep_names_and_relations_single(a1: Actor) -> None:
    one, other_ = two_entities(a1)
    product = a1.product_id
    with guards.refused_by("Entity:one_entity_per_name_and_product"):
        Entity.objects.create(product_id=product, key=one.key, name="x", terms=[])
    with guards.refused_by("Entity:entity_keeps_its_name"):
        guards.set_column(one, "key", "another")
    mention = Mention.objects.filter(entity=one).get()
    with guards.refused_by("Mention:one_mention_per_memory_and_entity"):
        Mention.objects.create(product_id=product, memory=mention.memory, entity=one, words="x")
    relation = Relation.objects.create(product_id=product, subject=one, relation="owns", object=other_)
    with guards.refused_by("Relation:one_relation_per_triple"):
        Relation.objects.create(product_id=product, subject=one, relation="owns", object=other_)
    with guards.refused_by("Relation:relation_joins_two"):
        Relation.objects.create(product_id=product, subject=one, relation="owns", object=one)
    RelationEvidence.objects.create(product_id=product, relation=relation, memory=mention.memory, words="x")
    with guards.refused_by("RelationEvidence:one_evidence_per_relation_and_memory"):
        RelationEvidence.objects.create(product_id=product, relation=relation, memory=mention.memory, words="y")
