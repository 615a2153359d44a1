"""Which statements tell something by themselves, and which few of many tell most."""

import numpy as np
import pytest

from memories.reading import gist


@pytest.mark.parametrize(
    "chatter", ["Wow, that sounds great!", "How are you?", "Yes.", "Thanks for the help with it.", "See you."]
)
def test_chatter_tells_nothing(chatter: str) -> None:
    assert gist.telling(chatter) == 0


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("Ana Lima ordered twelve buoys in March 2026.", "It was nice to order things there again."),
        ("Ana Lima leads the harbour survey.", "Ana Lima is so proud of you for the harbour survey!"),
        ("Ana Lima wrote the storm handbook.", "The colours of the handbook blend together."),
    ],
)
def test_names_numbers_and_dates_tell_more_than_feelings(more: str, less: str) -> None:
    assert gist.telling(more) > gist.telling(less)


def test_what_is_chosen_covers_the_whole_and_repeats_nothing() -> None:
    east, north, up = np.eye(3, dtype=np.float32)
    vectors = np.stack([east, east, east, north, north, up])
    assert sorted(int(place) // 1 for place in gist.chosen(vectors, [1, 1, 1, 1, 1, 1], most=3)) == [0, 3, 5]
    assert gist.chosen(vectors, [0, 0, 0, 1, 0, 0], most=3) == [3]
    assert gist.chosen(vectors, [0] * 6, most=3) == []
