"""The database itself keeps runs and their problems, claims and defaults, whoever goes around the services."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from memories.choices import Tier, Trigger
from memories.models import Product
from sources.choices import ProblemKind, RunState, SourceType
from sources.models import AuthorityDefault, Source, SyncProblem, SyncRun
from tests import guards
from tests.guards import refused_by

THEN = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def docs(lighthouse: Product) -> Source:
    return Source.objects.create(product=lighthouse, type=SourceType.FOLDER, name="docs")


def a_run(source: Source, **columns: Any) -> SyncRun:
    values = {"product": source.product, "source": source, "trigger": Trigger.SCHEDULE}
    return SyncRun.objects.create(**values | columns)


def a_finished_run(source: Source) -> SyncRun:
    return a_run(source, state=RunState.DONE, finished_at=THEN)


def a_problem(source: Source) -> SyncProblem:
    return SyncProblem.objects.create(run=a_run(source), kind=ProblemKind.FAILED, key="a.md", reason="torn")


def test_a_source_has_one_running_run(docs: Source) -> None:
    a_finished_run(docs)
    a_run(docs)
    with refused_by("SyncRun:one_running_run_per_source"):
        a_run(docs)


@pytest.mark.parametrize("columns", [{"state": RunState.DONE}, {"finished_at": THEN}])
def test_a_run_is_over_when_it_is_finished(docs: Source, columns: dict[str, Any]) -> None:
    with refused_by("SyncRun:run_is_over_when_finished"):
        a_run(docs, **columns)


@pytest.mark.parametrize("column", ["product_id", "source_id", "trigger", "by", "started_at"])
def test_a_run_stays_as_it_was_started(docs: Source, column: str) -> None:
    run = a_run(docs)
    with refused_by("SyncRun:run_stays_as_started"):
        guards.set_column(run, column, guards.other_value(run, column))


@pytest.mark.parametrize("column", ["seen", "state", "error", "finished_at"])
def test_a_finished_run_never_changes(docs: Source, column: str) -> None:
    run = a_finished_run(docs)
    with refused_by("SyncRun:finished_run_stays"):
        guards.set_column(run, column, guards.other_value(run, column))


def test_a_run_is_never_deleted(docs: Source) -> None:
    run = a_run(docs)
    with refused_by("SyncRun:no_deletes"):
        guards.delete(run)


def test_a_run_stays_in_the_product_of_its_source(docs: Source, orchard: Product) -> None:
    with refused_by("SyncRun:same_product"):
        a_run(docs, product=orchard)


@pytest.mark.parametrize("column", ["run_id", "kind", "key", "reason"])
def test_a_problem_stays_as_it_was_met(docs: Source, column: str) -> None:
    problem = a_problem(docs)
    with refused_by("SyncProblem:problem_stays_as_met"):
        guards.set_column(problem, column, guards.other_value(problem, column))


def test_a_problem_is_never_deleted(docs: Source) -> None:
    problem = a_problem(docs)
    with refused_by("SyncProblem:no_deletes"):
        guards.delete(problem)


@pytest.mark.parametrize("columns", [{"claim": uuid4()}, {"claimed_until": THEN}])
def test_a_claim_has_an_end(docs: Source, columns: dict[str, Any]) -> None:
    with refused_by("Source:source_claim_has_an_end"):
        Source.objects.filter(pk=docs.pk).update(**columns)


def test_a_product_has_one_default_tier_for_a_type(lighthouse: Product) -> None:
    AuthorityDefault.objects.create(product=lighthouse, type=SourceType.GITHUB, tier=Tier.POLICY)
    with refused_by("AuthorityDefault:one_default_tier_per_product_and_type"):
        AuthorityDefault.objects.create(product=lighthouse, type=SourceType.GITHUB, tier=Tier.TEAM)
