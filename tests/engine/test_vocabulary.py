"""Cards, calls and actions as text and as numbers."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.action import (
    DOUBLE,
    DRAW,
    LEVEL_BIDS,
    PASS,
    PLAYS,
    REDOUBLE,
    STRAIN_BIDS,
    Action,
    Call,
    CallKind,
    Discard,
    Play,
    parse_action,
    parse_call,
)
from engine.card import HIDDEN, PACK_32, PACK_52, SUITS, Card, Strain, parse_card
from engine.event import CardDrawn, CardPlayed, ContractSet, Discarded, Event, HandDealt, KittyTaken, redact
from strategies import actions, calls, cards


def test_a_card_is_its_number() -> None:
    """`16 * suit + rank`: the queen of hearts is 16 * 3 + 12, in text QH."""
    queen = Card(16 * 3 + 12)
    assert (queen.suit, queen.rank, str(queen), repr(queen)) == (Strain.HEARTS, 12, "QH", "<QH>")
    assert str(HIDDEN) == "??"


def test_packs_are_in_the_order_of_their_numbers() -> None:
    """52 and 32 different cards, clubs first, lowest rank first; the small pack starts at the seven."""
    assert len(set(PACK_52)) == 52
    assert list(PACK_52) == sorted(PACK_52)
    assert [str(card) for card in PACK_32[:9]] == ["7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC", "7D"]
    assert set(PACK_32) == {card for card in PACK_52 if card.rank >= 7}


def test_suits_and_notrump_rank_as_in_the_auction() -> None:
    """DB-1.4: NT > S > H > D > C."""
    assert sorted(Strain, reverse=True)[:5] == [Strain.NOTRUMP, *reversed(SUITS)]
    assert [str(strain) for strain in Strain] == ["", "C", "D", "H", "S", "NT"]


@given(cards)
def test_a_card_is_read_as_it_is_written(card: Card) -> None:
    """`parse_card(str(card))` is the card, in lower case and with the suit first as well."""
    assert parse_card(str(card)) == card
    assert parse_card(str(card).lower()) == card
    assert parse_card(str(card)[::-1]) == card


@pytest.mark.parametrize("text", ["TD", "10D", "10d", "DT", "D10", "d10", " td "])
def test_people_write_the_ten_in_many_ways(text: str) -> None:
    """All of them are the ten of diamonds."""
    assert str(parse_card(text)) == "TD"


@pytest.mark.parametrize("text", ["", "1D", "T", "D", "TX", "XT", "TDD", "T D", "??", "11D", "1010D", "NT", "2NT", "0"])
def test_what_is_no_card_is_named(text: str) -> None:
    """The error repeats the text and says what a card looks like."""
    with pytest.raises(ValueError, match=r"is no card: a card is a rank of .* such as TD") as error:
        parse_card(text)
    assert repr(text) in str(error.value)


def test_there_are_35_strain_bids_each_above_the_one_before() -> None:
    """DB-5.4: level first, then denomination."""
    assert [bid.token for bid in STRAIN_BIDS[:6]] == ["1C", "1D", "1H", "1S", "1NT", "2C"]
    assert len(STRAIN_BIDS) == 35
    assert sorted(STRAIN_BIDS, key=lambda bid: (bid.level, bid.strain)) == list(STRAIN_BIDS)


@given(calls)
def test_a_call_is_read_as_it_is_written(call: Call) -> None:
    """`parse_call(call.token)` is the very object; lower case will do."""
    assert parse_call(call.token) is call
    assert parse_call(call.token.lower()) is call


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("pass", PASS),
        ("dbl", DOUBLE),
        ("double", DOUBLE),
        ("rdbl", REDOUBLE),
        ("Redouble", REDOUBLE),
        ("3n", Call(CallKind.BID, 3, Strain.NOTRUMP)),
        (" 1nt ", Call(CallKind.BID, 1, Strain.NOTRUMP)),
        ("4", LEVEL_BIDS[4]),
    ],
)
def test_people_write_calls_in_many_ways(text: str, call: Call) -> None:
    """Words and short forms are read."""
    assert parse_call(text) == call


@pytest.mark.parametrize("text", ["", "0C", "8C", "C1", "1X", "8", "0", "XXX", "1CC", "-1C", "9H", "bid 1C"])
def test_what_is_no_call_is_named(text: str) -> None:
    """The error repeats the text and says what a call looks like."""
    with pytest.raises(ValueError, match="is no call: a call is P, X, XX or a bid such as 1C") as error:
        parse_call(text)
    assert repr(text) in str(error.value)


@given(actions)
def test_an_action_is_read_as_it_is_written(action: Action) -> None:
    """`parse_action(str(action))` is the action."""
    assert parse_action(str(action)) == action
    assert parse_action(str(action).upper()) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("play 9h", PLAYS[parse_card("9H")]),
        ("PLAY h10", PLAYS[parse_card("TH")]),
        ("discard ts 8S  10c", Discard((parse_card("TC"), parse_card("8S"), parse_card("TS")))),
        ("bid 3n", Call(CallKind.BID, 3, Strain.NOTRUMP)),
        ("call X", DOUBLE),
        ("call p", PASS),
        ("xx", REDOUBLE),
        ("2C", Call(CallKind.BID, 2, Strain.CLUBS)),
        ("Draw", DRAW),
    ],
)
def test_people_write_actions_in_many_ways(text: str, action: Action) -> None:
    """The kind first; a call may stand alone; a discard's cards come in any order."""
    assert parse_action(text) == action


@pytest.mark.parametrize("text", ["", "play", "9H", "play 9H 8H", "draw 9H", "discard", "lead 9H", "bid", "bid 2C X"])
def test_what_is_no_action_is_named(text: str) -> None:
    """The error repeats the text and says what to write. A card alone is no action: 2C would be a bid."""
    with pytest.raises(ValueError, match="is no action: write draw, pass, double, redouble, bid 2C") as error:
        parse_action(text)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize(("text", "complaint"), [("play 1H", "'1H' is no card"), ("bid 9C", "'9C' is no call")])
def test_the_part_that_is_wrong_is_named(text: str, complaint: str) -> None:
    """When the kind is clear, the error is about the card or the call."""
    with pytest.raises(ValueError, match=complaint):
        parse_action(text)


def test_actions_of_one_kind_only_are_one_object() -> None:
    """Every play and call of the vocabulary exists once, so that parsing makes no new ones."""
    assert parse_action("play 9H") is PLAYS[parse_card("9H")]
    assert parse_action("bid 7NT") is STRAIN_BIDS[-1]
    assert set(PLAYS) == set(PACK_52)
    assert all(isinstance(play, Play) and play.card == card for card, play in PLAYS.items())


@pytest.mark.parametrize(
    "event",
    [
        HandDealt(1, PACK_52[:13]),
        KittyTaken(1, PACK_52[:3]),
        Discarded(1, PACK_52[:3]),
        CardDrawn(1, PACK_52[0]),
    ],
)
def test_what_is_secret_is_hidden_from_all_others(event: Event) -> None:
    """DB-9, SM-9: the others and spectators are told the same shape without the cards; the seat itself is told all."""
    assert redact(event, 1) == event
    for seat in (0, 2, 3, None):
        told = redact(event, seat)
        assert type(told) is type(event)
        assert told == redact(event, None)
        assert {*getattr(told, "cards", ()), getattr(told, "card", HIDDEN)} == {HIDDEN}
        assert len(getattr(told, "cards", ())) == len(getattr(event, "cards", ()))


@pytest.mark.parametrize("event", [CardPlayed(1, PACK_52[0]), CardDrawn(1, PACK_52[0], shown=True)])
def test_what_lies_open_is_told_to_all(event: Event) -> None:
    """A played card and a drawn card that lay face up are nobody's secret (DB-4.10)."""
    assert all(redact(event, seat) == event for seat in (0, 1, None))


@pytest.mark.parametrize(
    ("contract", "text"),
    [
        (ContractSet(0, 1, Strain.CLUBS, 1), "1C"),
        (ContractSet(1, 2, Strain.HEARTS, 2), "2H X"),
        (ContractSet(1, 7, Strain.NOTRUMP, 4), "7NT XX"),
        (ContractSet(2, 3, Strain.NONE, 1), "3"),
    ],
)
def test_a_contract_is_written_as_players_write_it(contract: ContractSet, text: str) -> None:
    """Level, strain and how often it was doubled."""
    assert str(contract) == text
