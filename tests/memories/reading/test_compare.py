import pytest

from memories.reading import Comparison, Difference, PlainReader, Verdict


def judged(newer: str, older: str) -> tuple[Verdict, bool]:
    comparison = compare(newer, older)
    return comparison.verdict, comparison.certain


def compare(newer: str, older: str) -> Comparison:
    return PlainReader().compare(newer, older)


def test_the_same_statement_in_other_case_and_spacing_is_the_same() -> None:
    assert compare("the  PORT is 8443.", "The port is 8443.") == Comparison(Verdict.SAME, certain=True)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The Kestrel team never deploys on Fridays.", "The Kestrel team deploys on Fridays."),
        ("The mobile SDK doesn't support offline mode.", "The mobile SDK supports offline mode."),
        ("The mobile SDK can be used offline.", "The mobile SDK cannot be used offline."),
        ("Der Kunde zahlt die Rechnung nicht.", "Der Kunde zahlt die Rechnung."),
        ("L'équipe ne déploie pas le vendredi.", "L'équipe déploie le vendredi."),
        ("会议不改到周四下午。", "会议改到周四下午。"),
    ],
)
def test_the_same_words_with_and_without_a_negation_contradict(newer: str, older: str) -> None:
    negated = [one for one in compare(newer, older).differs if one.what == "negation"]
    assert len(negated) == 1
    if not newer.startswith("L'"):  # "ne" beside "pas" is not taken for a negation
        assert judged(newer, older) == (Verdict.CONTRADICTS, True)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The Harbor gateway listens on port 9443.", "The Harbor gateway listens on port 8443."),
        ("The duty lead of Harbor is Tamsin.", "The duty lead of Harbor is Ivo."),
        ("The Team plan costs 29 euros per seat.", "The Team plan costs 19 euros per seat."),
        ("The maximum upload size is 5 GB.", "The maximum upload size is 5 MB."),
        ("The wildcard certificate expires on 30 June 2027.", "The wildcard certificate expires on 30 June 2026."),
        ("管理后台的端口是9443。", "管理后台的端口是8443。"),
    ],
)
def test_another_value_of_what_has_only_one_contradicts(newer: str, older: str) -> None:
    assert judged(newer, older) == (Verdict.CONTRADICTS, True)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The Harbor gateway now listens on port 9443.", "The Harbor gateway listens on port 8443."),
        ("Exports switched from CSV to Parquet.", "Exports to customers are delivered as CSV."),
        ("The weekly report arrives at 18:00 instead of 09:00.", "The weekly report arrives at 09:00."),
        ("Corvane has moved its headquarters to Eindhoven.", "Corvane's headquarters are in Utrecht."),
        ("Sorry, typo: Kofi's desk extension is 212.", "Kofi's desk extension is 221."),
        ("The legacy API is no longer supported.", "The legacy API is supported."),
        ("The Peltier contract is signed.", "The Peltier contract is not yet signed."),
    ],
)
def test_words_of_change_replace(newer: str, older: str) -> None:
    if newer.startswith("Exports"):  # one shared word names no subject
        assert judged(newer, older)[0] in {Verdict.REPLACES, Verdict.NEAR}
    else:
        assert judged(newer, older) == (Verdict.REPLACES, True)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Valve V-1605 leaks at the flange.", "Valve V-1603 leaks at the flange."),
        ("Route use-002 is open.", "Route use-001 is closed."),
        ("Pump B runs at night.", "Pump A runs at night."),
        ("The site inspection on 13 July found rust.", "The site inspection on 12 July found rust."),
        (
            "The support crew closed a ticket about heating in room 8.",
            "The support crew closed a ticket about heating in room 7.",
        ),
        ("Release 8.4 shipped on 16 September.", "Release 8.3 shipped on 2 September."),
        ("Production runs on 8 nodes.", "Staging runs on 3 nodes."),
        ("The Riga office now opens at nine instead of eight.", "The Porto office opens at eight."),
        ("Bao doesn't enjoy mob programming.", "Bao enjoys pairing."),
        ("Room Fjord 2 has no projector.", "Room Fjord 1 has a projector."),
        ("Priya speaks Hindi and English.", "Priya speaks Tamil and English."),
        ("Port: 9443", "Port: 8443"),
        ("It is 5.", "It is 4."),
        ("Order numbers start with two letters.", "Order numbers consist of digits only."),
    ],
)
def test_what_may_both_be_true_is_never_certain(newer: str, older: str) -> None:
    verdict, certain = judged(newer, older)
    assert verdict in {Verdict.NEAR, Verdict.UNRELATED}
    assert not certain


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Room 29 is on floor 29 of the tower.", "Room 28 is on floor 28 of the tower."),
        ("Pump 3 runs at 40 bar.", "Pump 2 runs at 30 bar."),
        ("Lamp 2 is red.", "Lamp 1 is blue."),
        ("Server B is in Rome.", "Server A is in Oslo."),
    ],
)
def test_what_says_which_one_it_is_about_displaces_no_other(newer: str, older: str) -> None:
    assert not judged(newer, older)[1]


def test_texts_about_different_things_are_unrelated() -> None:
    assert judged("The dog owner cleans up himself.", "Sprint goals are written by the lead.") == (
        Verdict.UNRELATED,
        False,
    )


@pytest.mark.parametrize(
    ("newer", "older", "differs"),
    [
        ("The port is 9443.", "The port is 8443.", Difference("number", "9443", "8443")),
        ("The limit is 1,500 rows.", "The limit is 1500 rows.", None),
        ("Uptime was 99.95%.", "Uptime was 99.9%.", Difference("number", "99.95%", "99.9%")),
        ("The limit is 5 GB.", "The limit is 5 MB.", Difference("unit", "5 GB", "5 MB")),
        (
            "The audit is on 13 July 2026.",
            "The audit is on 12 July 2026.",
            Difference("date", "13 July 2026", "12 July 2026"),
        ),
        ("The audit is on 2026-07-12.", "The audit is on 12 July 2026.", None),
        ("Valve V-1605 leaks.", "Valve V-1603 leaks.", Difference("name", "V-1605", "V-1603")),
        ("The lead is Tamsin Roe.", "The lead is Ivo.", Difference("name", "Tamsin Roe", "Ivo")),
        ("The door is not locked.", "The door is locked.", Difference("negation", "not", None)),
        ("The door is locked.", "The door can't be locked.", Difference("negation", None, "n't")),
        ("The tests run nightly.", "The tests run hourly.", Difference("word", "nightly", "hourly")),
        ("The tests run.", "The tests run hourly.", Difference("word", None, "hourly")),
    ],
)
def test_a_difference_shows_both_values(newer: str, older: str, differs: Difference | None) -> None:
    assert compare(newer, older).differs == ((differs,) if differs else ())


def test_long_texts_are_compared_in_bounded_time() -> None:
    long = " ".join(f"Word{number} is {number}" for number in range(2_000))
    assert not compare(long, long + " more").certain


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The nightly backup takes 1 hour.", "The nightly backup takes 60 minutes."),
        ("The backup needs half an hour.", "The backup needs 30 minutes."),
        ("The depot is 1.5 km away.", "The depot is 1,500 metres away."),
        ("Keys rotate every ninety days.", "Keys rotate every 90 days."),
        ("The office opens at 9 a.m.", "The office opens at 9:00."),
    ],
)
def test_quantities_in_another_measure_are_the_same(newer: str, older: str) -> None:
    assert compare(newer, older).verdict == Verdict.SAME


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The Kestrel house is warm inside.", "The Kestrel house is cold inside."),
        ("The user's car is a green station wagon.", "The user's car is a red station wagon."),
        ("Nine volunteers work in the Kestrel shop.", "Seven volunteers work in the Kestrel shop."),
    ],
)
def test_one_exchanged_word_that_excludes_the_other_is_shown_to_a_person(newer: str, older: str) -> None:
    assert judged(newer, older) == (Verdict.CONTRADICTS, False)


@pytest.mark.parametrize(
    ("newer", "older", "reason"),
    [
        ("The Harbor gateway listens on port 9443.", "The Harbor gateway listens on port 8443.", "port: 8443 → 9443"),
        ("The mobile SDK doesn't support offline mode.", "The mobile SDK supports offline mode.", "negation"),
        ("The duty lead of Harbor is Tamsin.", "The duty lead of Harbor is Ivo.", "harbor: Ivo → Tamsin"),
        ("the PORT is 8443.", "The port is 8443.", "the same words"),
    ],
)
def test_a_verdict_says_why(newer: str, older: str, reason: str) -> None:
    assert compare(newer, older).reason == reason
    assert compare(newer, older).confidence > 0.9


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Might the gateway be on port 9443 now?", "The gateway is on port 8443."),
        ("Tomas thinks that the plan costs 29 euros by now.", "The plan costs 19 euros."),
        ("Production was scaled from five to eight nodes.", "Staging runs on three nodes."),
        ("Odile no longer plays handball.", "Odile plays chess."),
        ("Kofi is Dagny's manager.", "Dagny manages Kofi."),
        ("Draft pull requests need one approval.", "Pull requests need two approvals."),
        ("There is a plan to move the shop to Turku now.", "The shop is in Graz."),
    ],
)
def test_guesses_plans_parts_and_other_things_never_act(newer: str, older: str) -> None:
    for similarity in (None, 0.6, 0.9):
        assert not PlainReader().compare(newer, older, similarity=similarity).certain


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Nordwell cancelled its Turku shop.", "Nordwell plans to open a shop in Turku."),
        ("Milo took over from Grete as head of purchasing.", "Grete is head of purchasing."),
        ("We left Trello behind; sprints are now planned in Jira.", "We plan sprints in Trello."),
    ],
)
def test_words_of_change_about_the_same_thing_replace(newer: str, older: str) -> None:
    assert PlainReader().compare(newer, older, similarity=0.75).verdict == Verdict.REPLACES
