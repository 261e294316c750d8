"""Mistakes in Draw Bridge, and what happens seldom in it."""

from __future__ import annotations

from typing import Final

from plants import Plant

PLANTS: Final = {
    "the dealer gets the first card": Plant(
        "state", {"hands[dealer == 0], hands[dealer == 1]": "hands[dealer == 1], hands[dealer == 0]"}
    ),
    "the seats are partners": Plant("game", {"= (0, 1)": "= (1, 1)"}),
    "the dealer leads first": Plant("state", {"= 1 - dealer  # DB-4.2": "= dealer"}),
    "the stock is turned over": Plant("state", {"places[STOCK:]": "places[: STOCK - 1 : -1]"}),
    "any suit wins in the draw phase": Plant("state", {'rules["draw_winner"] == "any"': "True"}),
    "the suit led always wins in the draw phase": Plant("state", {'rules["draw_winner"] == "any"': "False"}),
    "equal ranks: the follower wins": Plant("deal", {"wins = bit > led_bit": "wins = bit >= led_bit"}),
    "suit must be followed in every draw phase": Plant("state", {'rules["draw_follow"] == "must"': "True"}),
    "suit need not be followed in any draw phase": Plant("state", {'rules["draw_follow"] == "must"': "False"}),
    "what may follow is refused": Plant(
        "deal", {"self.must_follow and hand[led_suit]": "self.must_follow and not hand[led_suit]"}
    ),
    "the loser draws first": Plant(
        "deal", {"self.turn = winner  # draws first": "self.turn = 1 - winner if self.phase == 'draw' else winner  #"}
    ),
    "the loser leads after the draws": Plant(
        "deal", {"= 1 - seat  # the loser draws": "= 1 - seat if number % 2 == 0 else seat  #"}
    ),
    "the loser draws face up": Plant("state", {"number % 2 == 0 and self": "self"}),
    "the top card lies face up under either option": Plant("state", {' and self.rules["reveal"] == "top"': ""}),
    "everybody sees what is drawn": Plant("view", {"unseen = seen if shown else": "unseen = seen if seen else"}),
    "the non-dealer calls first": Plant("deal", {"Call, self.dealer  #": "Call, 1 - self.dealer  #"}),
    "an equal bid is enough": Plant(
        "auction",
        {"STRAIN_BIDS[number + 1 :]": "STRAIN_BIDS[number:]", "if number > self.bid:": "if number >= self.bid:"},
    ),
    "an equal bid is not offered, but taken": Plant("auction", {"if number > self.bid:": "if number >= self.bid:"}),
    "a new bid stays doubled": Plant("auction", {"number, seat, 1  # a new": "number, seat, self.multiplier  # a new"}),
    "whoever doubles becomes declarer": Plant(
        "auction", {"            self.multiplier = 2\n": "            self.multiplier, self.declarer = 2, seat\n"}
    ),
    "whoever bids first is declarer": Plant(
        "auction",
        {
            "self.bid, self.declarer, self.multiplier = number, seat, 1": (
                "self.bid, self.declarer, self.multiplier = number, self.declarer if self.bid >= 0 else seat, 1"
            )
        },
    ),
    "a double can be doubled": Plant("auction", {"NO_BID and self.multiplier == 1": "NO_BID and self.multiplier <= 2"}),
    "the doubler may redouble": Plant(
        "auction", {"number == _REDOUBLE and self.multiplier == 2": "number == _REDOUBLE"}
    ),
    "the first pass ends the auction": Plant("auction", {"NO_BID or bool(self.calls)": "NO_BID or True"}),
    "two passes end the auction": Plant(
        "auction", {"self.bid != NO_BID or bool(self.calls)": "bool(self.calls) and self.calls[-1] is PASS"}
    ),
    "7NT ends the auction": Plant("auction", {"# a new bid cancels": "\n            ends = number == 34  #"}),
    "declarer leads": Plant("deal", {"1 - contract.declarer  # DB-6.2": "contract.declarer"}),
    "the play has no trump": Plant("deal", {"True, contract.strain - 1": "True, -1"}),
    "suit need not be followed in the play": Plant("deal", {"self.trump = False, True,": "self.trump = False, False,"}),
    "draw_winner counts in the play": Plant("deal", {"self.trump = False, True,": "self.trump = self.any_suit, True,"}),
    "the last trick is not played": Plant("deal", {"len(self.tricks) == STOCK:": "len(self.tricks) == STOCK - 1:"}),
    "the tricks of the draw phase count": Plant(
        "deal", {"            self.due = Draw\n": "            self.due = Draw\n            self.taken[winner] += 1\n"}
    ),
    "overtricks never count": Plant("score", {"tricks - 6 if all_count else": "contract.level if all_count else"}),
    "overtricks always count": Plant("score", {"else contract.level": "else tricks - 6"}),
    "seven by level needs eight": Plant("score", {"tricks - 6 - contract.level": "tricks - 7 - contract.level"}),
    "hearts are a minor": Plant("score", {"Strain.HEARTS: 30": "Strain.HEARTS: 20"}),
    "no trump is 40 a trick": Plant("score", {"* tricks + (_NOTRUMP": "* tricks + tricks * (_NOTRUMP"}),
    "a redouble is worth no more than a double": Plant(
        "score", {"value *= contract.multiplier": "value *= min(contract.multiplier, 2)"}
    ),
    "the extra ten is not doubled": Plant(
        "score",
        {
            "value *= contract.multiplier": (
                "value = (value - 10) * contract.multiplier + 10 if made and contract.strain == 5 "
                "else value * contract.multiplier"
            )
        },
    ),
    "undertricks are not doubled": Plant(
        "score", {"value *= contract.multiplier": "value *= contract.multiplier if made else 1"}
    ),
    "declarer scores his undertricks": Plant(
        "score", {"side, value = 1 - contract.declarer": "side, value = contract.declarer"}
    ),
    "declarer pays for his undertricks": Plant(
        "score",
        {
            "1 - contract.declarer, undertrick": "contract.declarer, undertrick",
            "points * -over": "points * over",
        },
    ),
    "the dealer stays after every passed-out deal": Plant("game", {' and rules["passout_dealer"] == "same"': ""}),
    "the deal alternates after every passed-out deal": Plant("game", {'== "same"': '== "never"'}),
    "the dealer deals on": Plant("game", {"return 1 - dealer": "return dealer"}),
    "totals are those of the last deal": Plant("game", {"total + points for": "points for"}),
    "the target must be exceeded": Plant("game", {"total >= target": "total > target"}),
    "one deal more than agreed": Plant("match", {"deals_complete >= min(": "deals_complete > min("}),
    "the lower total wins at the limit": Plant("match", {"best = max(totals)": "best = min(totals)"}),
    "seat 0 wins a draw": Plant("match", {"if list(totals).count(best) == 1 else None": ""}),
    "a passed-out deal is not counted": Plant(
        "match", {"self.deals_complete += 1": "self.deals_complete += not result.passed_out"}
    ),
}

RARE: Final = {
    "passed out": r"^call . P\ncall . P\nscored",
    "a first pass and then a bid": r"^call . P\ncall . \d",
    "the longest auction there is": r"^(call .*\n){106,}contract",
    "7NT redoubled": r"^contract . 7NT XX$",
    "7NT just passed": r"^contract . 7NT$",
    "one doubled, a new bid not": r"^call . X\ncall . \d.*\ncall . P$",
    "seven made": r"^contract 0 7.*\n(?:(?!scored).*\n)+scored \d+ [1-9]",
    "redoubled and made": r"^contract 0 .*XX\n(?:(?!scored).*\n)+scored \d+ [1-9]",
    "all tricks": r"^contract 0 .*\n(?:(play|trump).*\n|taken 0\n)+scored",
}
"""What must have happened in some match, told as in `second_opinion.Comparison.summary`."""
