"""The deck derivation `arena-deck-1`."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from engine.card import PACK_32, PACK_52, Card
from engine.deck import commitment, deal_deck, derive_seed, first_dealer

PACKS = {52: PACK_52, 32: PACK_32}


def seed_number(number: int) -> bytes:
    """One of many fixed seeds."""
    return hashlib.sha256(b"test of the deck %d" % number).digest()


def test_the_published_vectors(deck_vectors: dict[str, Any]) -> None:
    """Commitment, seed and both decks are those of the worked example."""
    server_seed = bytes.fromhex(deck_vectors["server_seed"])
    nonces = [bytes.fromhex(nonce) for nonce in deck_vectors["nonces"]]
    assert commitment(deck_vectors["id"], server_seed).hex() == deck_vectors["commit"]
    seed = derive_seed(server_seed, deck_vectors["id"], nonces)
    assert seed.hex() == deck_vectors["seed"]
    for vector in deck_vectors["decks"]:
        deck = deal_deck(seed, vector["label"], vector["deal"], PACKS[len(vector["deck"])])
        assert [str(card) for card in deck] == vector["deck"]


def test_a_second_reading_of_the_derivation_gives_the_same_decks() -> None:
    """Written again from the words of the document, deal and game and pack vary: all agree."""
    for number in range(40):
        seed = seed_number(number)
        game, pack = ("draw-bridge", PACK_52) if number % 2 else ("smear", PACK_32)
        stream = b"".join(
            hashlib.sha256(
                b"arena-deck-1\0\0\0\x20"
                + seed
                + len(game).to_bytes(4, "big")
                + game.encode()
                + number.to_bytes(8, "big")
                + block.to_bytes(4, "big")
            ).digest()
            for block in range(12)
        )
        order, used = list(range(len(pack))), 0
        for i in reversed(range(1, len(pack))):
            while stream[used] >= 256 // (i + 1) * (i + 1):
                used += 1
            j = stream[used] % (i + 1)
            used += 1
            order[i], order[j] = order[j], order[i]
        ranks = len(pack) // 4
        lowest = 15 - ranks
        expected = ["23456789TJQKA"[lowest - 2 + k % ranks] + "CDHS"[k // ranks] for k in order]
        assert [str(card) for card in deal_deck(seed, game, number, pack)] == expected


@pytest.mark.parametrize("pack", [PACK_52, PACK_32])
def test_a_deck_is_the_pack_in_another_order(pack: tuple[Card, ...]) -> None:
    """No card is lost or doubled."""
    for number in range(50):
        assert sorted(deal_deck(seed_number(number), "any", 0, pack)) == list(pack)


def test_seed_game_and_deal_each_make_another_deck() -> None:
    """One changed input changes the deck."""
    base = (seed_number(1), "draw-bridge", 3)
    variants = [base, (seed_number(2), *base[1:]), (base[0], "german-whist", 3), (*base[:2], 4), (*base[:2], 2**40)]
    assert len({deal_deck(*variant, PACK_52) for variant in variants}) == len(variants)


def test_lengths_keep_ids_and_nonces_apart() -> None:
    """Parts that read the same when joined without lengths give different values."""
    secret = bytes(32)
    assert derive_seed(secret, "ab", [b"c" * 16]) != derive_seed(secret, "a", [b"b" + b"c" * 15, b"c"])
    assert derive_seed(secret, "a", [b"bb", b"c"]) != derive_seed(secret, "a", [b"b", b"bc"])
    assert commitment("ab", b"c" + bytes(31)) != commitment("a", b"bc" + bytes(31))


def test_every_nonce_counts_and_so_does_its_seat() -> None:
    """The arena cannot choose the decks, because each seat's nonce changes them."""
    one, other, secret = b"1" * 16, b"2" * 16, b"s" * 32
    seeds = {derive_seed(secret, "set", nonces) for nonces in ([one, other], [other, one], [one, one], [one], [])}
    assert len(seeds) == 5


def test_ids_are_utf8() -> None:
    """An id with other letters goes in as UTF-8."""
    expected = hmac.new(b"k" * 32, b"arena-seed-1\0\0\0\x02\xc3\xa9", hashlib.sha256).digest()
    assert derive_seed(b"k" * 32, "é", []) == expected


@pytest.mark.parametrize("pack", [PACK_52, PACK_32])
def test_every_card_is_equally_likely_in_every_place(pack: tuple[Card, ...]) -> None:
    """Chi-square over place and card of 5,200 decks with fixed seeds.

    For n cards the statistic, scaled by (n - 1) / n, has (n - 1)^2 degrees of freedom; for that many it is close to
    normal, and 4 standard deviations are allowed.
    """
    n, decks = len(pack), 5_200
    seen: Counter[tuple[int, Card]] = Counter()
    for number in range(decks):
        seen.update(enumerate(deal_deck(seed_number(number), "uniform", number, pack)))
    expected = decks / n
    statistic = sum((seen[place, card] - expected) ** 2 / expected for place in range(n) for card in pack)
    degrees = (n - 1) ** 2
    assert abs(statistic * (n - 1) / n - degrees) < 4 * (2 * degrees) ** 0.5


def test_neighbours_do_not_stick_together() -> None:
    """Two cards that lie side by side in the pack follow each other in the deck as often as any two."""
    decks = 5_200
    together = 0
    for number in range(decks):
        deck = deal_deck(seed_number(number), "neighbours", 0, PACK_52)
        together += sum(PACK_52.index(b) - PACK_52.index(a) == 1 for a, b in pairwise(deck))
    assert abs(together / decks - 51 / 52) < 4 * (1 / decks) ** 0.5


def test_the_first_dealer_follows_from_the_seed() -> None:
    """DB-3.1, SM-2.1: the first byte of a hash, modulo the number of seats."""
    for number in range(200):
        seed = seed_number(number)
        byte = hashlib.sha256(b"arena-dealer-1\0\0\0\x20" + seed).digest()[0]
        assert first_dealer(seed, 2) == byte % 2
        assert first_dealer(seed, 4) == byte % 4


def test_every_seat_deals_first_equally_often() -> None:
    """4,000 fixed seeds: each of four seats within 4 standard deviations of a quarter."""
    first = Counter(first_dealer(seed_number(number), 4) for number in range(4_000))
    assert all(abs(first[seat] - 1_000) < 4 * (4_000 * 3 / 16) ** 0.5 for seat in range(4))
