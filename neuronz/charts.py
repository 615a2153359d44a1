"""The pictures of the front page: what came in, what it is, and how disagreements come and go.

They are drawn over the newest rows alone, so that no large table is ever counted, and kept for a short time for all who
may see the same products.
"""

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db.models import Case, Count, Value, When
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.formats import date_format

from conflicts.models import Conflict
from memories.choices import CURRENT, Kind, Origin, Status, Tier, WriteState
from memories.models import Given, Memory, Write
from sources.choices import SourceState, SourceType
from sources.models import Source

logger = logging.getLogger(__name__)
#: The newest rows that are looked at.
MOST_DRAWN = 20_000
DAYS = 30
KEPT_SECONDS = 60
COLOURS = {
    Origin.AGENT: "oklch(61.6% .094 204)", Origin.SOURCE: "oklch(80.8% .074 199)",
    Origin.COGNITION: "oklch(70% .12 300)", Origin.PERSON: "oklch(76% .13 70)",
}  # fmt: skip
OPENED, SETTLED = "oklch(65% .18 35)", "oklch(61.6% .094 204)"
#: A grey that is read on light and on dark.
QUIET = "oklch(60% .02 216)"
#: Chart.js: bars upon each other, whole numbers, nothing that moves.
STACKED = {
    "responsive": True, "maintainAspectRatio": False, "animation": False,
    "scales": {
        "x": {
            "stacked": True, "grid": {"display": False},
            "ticks": {"maxTicksLimit": 8, "maxRotation": 0, "color": QUIET},
        },
        "y": {
            "stacked": True, "beginAtZero": True, "grid": {},
            "ticks": {"precision": 0, "maxTicksLimit": 6, "color": QUIET},
        },
    },
    "plugins": {"legend": {"position": "bottom", "labels": {"boxWidth": 10, "boxHeight": 10, "color": QUIET}}},
}  # fmt: skip
BESIDE = {**STACKED, "scales": {name: {**axis, "stacked": False} for name, axis in STACKED["scales"].items()}}  # type: ignore[attr-defined]  # it is a dict

Cells = list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars by day. `rows` says the same in a table, for whoever can't see a picture."""

    title: str
    data: str
    options: str
    headings: Sequence[str]
    rows: Sequence[tuple[str, Sequence[int]]]


@dataclass(frozen=True, slots=True)
class Share:
    """How many of all bear one label."""

    label: str
    number: int
    percent: int


@dataclass(frozen=True, slots=True)
class Drawn:
    charts: Sequence[Chart]
    shares: Sequence[tuple[str, Sequence[Share]]]
    is_cut: bool
    most: int = MOST_DRAWN
    days: int = DAYS


def drawn(user: Any, products: Sequence[UUID], managed: Sequence[UUID] = ()) -> Drawn | None:
    """Nothing where nothing is stored yet. How sources are is a manager's to see."""
    if not products:
        return None
    cells = _kept(products, lambda: _asked(user, products))
    labelled = cells["labels"]
    if not labelled:
        return None
    days = [timezone.localdate() - timedelta(days=ago) for ago in reversed(range(DAYS))]
    return Drawn(
        charts=[
            _chart("Memories by day and writer", days, STACKED, [
                (str(origin.label), COLOURS[origin], _by_label(cells["days"], origin.value)) for origin in Origin
            ]),
            _chart("Conflicts opened and settled", days, BESIDE, [
                ("Opened", OPENED, dict(cells["opened"])), ("Settled", SETTLED, dict(cells["settled"])),
            ]),
            _chart("Texts received, and those that failed", days, STACKED, [
                ("Read or waiting", SETTLED, _by_label(cells["writes"], label=False)),
                ("Failed", OPENED, _by_label(cells["writes"], label=True)),
            ]),
            _chart("Given by recall, in sessions that are still remembered", days, STACKED, [
                ("Given", SETTLED, dict(cells["given"])),
            ]),
        ],
        shares=[
            ("By status", _shares(labelled, 2, Status)),
            ("Current, by kind", _shares(_current(labelled), 0, Kind)),
            ("Current, by tier", _shares(_current(labelled), 1, Tier)),
            *_of_health(managed),
        ],
        is_cut=sum(number for *_, number in labelled) >= MOST_DRAWN,
    )  # fmt: skip


# --- asking


def _kept(products: Sequence[UUID], ask: Callable[[], dict[str, Cells]]) -> dict[str, Cells]:
    """From the cache, by the set of products. A dead cache only makes the page slower."""
    of = sha256(" ".join(sorted(map(str, products))).encode()).hexdigest()
    name = f"front:{of}:{timezone.localdate()}"
    try:
        found: dict[str, Cells] | None = cache.get(name)
    except Exception as error:  # noqa: BLE001  # each cache backend raises its own
        logger.warning("The front page is not kept: the cache fails with %s.", type(error).__name__)
        return ask()
    if found is None:
        found = ask()
        cache.set(name, found, KEPT_SECONDS)
    return found


def _asked(user: Any, products: Sequence[UUID]) -> dict[str, Cells]:
    """One query for each picture, over the newest rows."""
    since = timezone.now() - timedelta(days=DAYS)
    memories = Memory.objects.shown_to(user).filter(product__in=products).statements_only()
    newest = Memory.objects.filter(pk__in=memories.order_by("-pk")[:MOST_DRAWN].values("pk")).order_by()
    pairs = Conflict.objects.shown_to(user).filter(product__in=products).order_by("-pk")[:MOST_DRAWN]
    disputes = Conflict.objects.filter(pk__in=pairs.values("pk")).order_by()
    received = Write.objects.shown_to(user).filter(product__in=products).order_by("-pk")[:MOST_DRAWN]
    texts = Write.objects.filter(pk__in=received.values("pk"), created_at__gte=since).order_by()
    recalled = Given.objects.filter(agent__product__in=products).order_by("-pk")[:MOST_DRAWN]
    is_failed = Case(When(state=WriteState.FAILED, then=Value(value=True)), default=Value(value=False))
    return {
        "writes": _daily(texts.annotate(failed=is_failed), "created_at", "failed"),
        "given": _daily(Given.objects.filter(pk__in=recalled.values("pk"), given_at__gte=since), "given_at"),
        "labels": list(newest.values_list("kind", "tier", "status").annotate(number=Count("pk"))),
        "days": _daily(newest.filter(recorded_at__gte=since), "recorded_at", "origin"),
        "opened": _daily(disputes.filter(opened_at__gte=since), "opened_at"),
        "settled": _daily(disputes.filter(settled_at__gte=since), "settled_at"),
    }


def _daily(rows: Any, moment: str, *columns: str) -> Cells:
    return list(rows.values_list(TruncDate(moment), *columns).annotate(number=Count("pk")))


# --- drawing


def _by_label(cells: Cells, label: Any) -> dict[date, int]:
    return {day: number for day, bears, number in cells if bears == label}


def _of_health(managed: Sequence[UUID]) -> list[tuple[str, Sequence[Share]]]:
    """Not kept for others: it is for managers alone. Paused ones are read by nobody, failing ones in vain."""
    if not managed:
        return []
    rows = Source.objects.filter(product__in=managed).exclude(type=SourceType.UPLOAD).order_by()
    cells = list(rows.values_list("state", "failures")[:MOST_DRAWN])
    counts = Counter(
        "Paused" if state == SourceState.PAUSED else "Failing" if failures else "Well" for state, failures in cells
    )
    told = [Share(name, number, max(1, round(100 * number / len(cells)))) for name, number in counts.most_common()]
    return [("Sources", told)] if told else []


def _current(cells: Cells) -> Cells:
    return [cell for cell in cells if cell[2] in CURRENT]


def _shares(cells: Cells, column: int, names: Any) -> list[Share]:
    """The most frequent first; labels nothing bears are left out."""
    counts: Counter[str] = Counter()
    for cell in cells:
        counts[cell[column]] += cell[-1]
    whole = counts.total()
    return [
        Share(str(names(value).label), number, max(1, round(100 * number / whole)))
        for value, number in counts.most_common()
    ]


def _chart(
    title: str, days: Sequence[date], options: Any, series: Iterable[tuple[str, str, dict[date, int]]]
) -> Chart:  # fmt: skip
    """Series that are empty throughout are not named."""
    shown = [(name, colour, [numbers.get(day, 0) for day in days]) for name, colour, numbers in series]
    shown = [each for each in shown if any(each[2])]
    labels = [date_format(day, "j M") for day in days]
    data = {
        "labels": labels,
        "datasets": [
            {"label": name, "data": numbers, "backgroundColor": colour, "maxBarThickness": 18}
            for name, colour, numbers in shown
        ],
    }
    by_day = [(label, [numbers[at] for *_, numbers in shown]) for at, label in enumerate(labels)]
    return Chart(
        title, json.dumps(data) if shown else "", json.dumps(options), [name for name, *_ in shown],
        [row for row in reversed(by_day) if any(row[1])],
    )  # fmt: skip
