"""Mistakes in German Whist, and what happens seldom in it."""

from __future__ import annotations

from typing import Final

from plants import Plant

PLANTS: Final = {
    "the dealer gets the first card": Plant("deal", {"hands[seat == dealer]": "hands[seat != dealer]"}),
    "the dealer leads first": Plant("deal", {"= 1 - dealer  # GW-4.1": "= dealer"}),
    "trump is the suit of the second card": Plant("deal", {"self.stock[0].suit": "self.stock[1].suit"}),
    "the card that makes trump is not told": Plant("deal", {"TopCardShown(self.stock[0]), ": ""}),
    "the stock is the whole rest": Plant("deal", {"deck[dealt : 2 * dealt]": "deck[dealt:]"}),
    "the top card is never shown again": Plant("deal", {"if top else": "if False else"}),
    "suit need not be followed": Plant(
        "deal", {"and hand[led[0]]": "and False", "plays_following(hand, self.led[0])": "plays(hand)"}
    ),
    "a revoke is not offered, but taken": Plant("deal", {"and hand[led[0]]": "and False"}),
    "who cannot follow must trump": Plant(
        "deal", {"self.led[0])\n": "self.led[0] if hand[self.led[0]] else self.trump - 1)\n"}
    ),
    "there is no trump": Plant("deal", {"self.trump - 1)": "-1)"}),
    "trump is there in the second half alone": Plant(
        "deal", {"self.trump - 1)": "-1 if self.phase == 'draw' else self.trump - 1)"}
    ),
    "trump is there in the first half alone": Plant(
        "deal", {"self.trump - 1)": "-1 if self.phase == 'play' else self.trump - 1)"}
    ),
    "the leader takes every trick": Plant("deal", {"winner = seat if beats": "winner = 1 - seat if beats"}),
    "the loser draws first": Plant(
        "deal", {"self.led, self.turn = None, winner": "self.led, self.turn = None, winner ^ (self.phase == 'draw')"}
    ),
    "the loser draws face up": Plant("deal", {"shown=number % 2 == 0": "shown=True"}),
    "the winner draws face down": Plant("deal", {"shown=number % 2 == 0": "shown=False"}),
    "everybody sees what is drawn": Plant("deal", {"d if d.shown or d.seat == seat": "d if d.shown or d.seat < 2"}),
    "the loser leads the second half": Plant(
        "deal", {"= 1 - seat  # the loser": "= seat ^ (number + 1 < len(self.stock))  # the loser"}
    ),
    "tricks of the first half count": Plant(
        "deal", {"            self.due = Draw\n": "            self.due = Draw\n            self.taken[winner] += 1\n"}
    ),
    "the last trick is not played": Plant("deal", {"len(self.tricks) + 1 ==": "len(self.tricks) + 2 =="}),
    "the last trick does not count": Plant(
        "deal", {"self.taken[winner] += 1": "self.taken[winner] += len(self.tricks) + 1 < len(self.stock)"}
    ),
    "a lower card beats": Plant("trick", {"return bit > best[1] if": "return bit < best[1] if"}),
    "the tricks of a deal score under deals": Plant("score", {'== "tricks":': '!= "none":'}),
    "the deal scores under tricks": Plant("score", {'== "tricks":': '== "none":'}),
    "the minority wins the deal": Plant("score", {"if mine > theirs else": "if mine < theirs else"}),
    "a drawn deal scores for both": Plant("score", {"_result((0, 0), ScoreLine": "_result((1, 1), ScoreLine"}),
    "totals are those of the last deal": Plant("game", {"total + points for": "points for"}),
    "the dealer deals on": Plant("game", {"return 1 - dealer": "return dealer"}),
    "the target must be exceeded": Plant("game", {"max(totals) < int": "max(totals) <= int"}),
    "equal totals at the target win": Plant("game", {"mine == theirs or": ""}),
    "the lower total wins": Plant("game", {"0 if mine > theirs": "1 if mine > theirs"}),
    "one deal more than agreed": Plant("match", {"deals_complete >= min(": "deals_complete > min("}),
    "seat 0 wins a draw": Plant("match", {"if list(totals).count(best) == 1 else None": ""}),
}

RARE: Final = {
    "all of thirteen": r"^scored \d+ (13 0|0 13)$",
    "a hand of one card": r"^rule hand_cards 1$",
    "a drawn deal": r"^scored \d+ 0 0$",
}
"""What must have happened in some match, told as in `second_opinion.Comparison.summary`."""
