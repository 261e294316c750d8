"""Smear from RULES.md, clause by clause."""

from __future__ import annotations

from itertools import combinations

from naive.course import RANKS, Course, NaiveMatch, Part, best

Trick = list[tuple[int, str]]  # who played what, in the order of play
WORTH = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10, "9": 0, "8": 0, "7": 0}  # SM-6.4


def may_open(card: str, kept: list[str], discards: list[str]) -> bool:
    """SM-4.4: a suit of which something was discarded is trump only if all six kept cards are of it."""
    suit = card[1]
    return all(gone[1] != suit for gone in discards) or all(other[1] == suit for other in kept)


class Smear(NaiveMatch):
    """A match of Smear."""

    sides = (0, 1, 0, 1)  # SM-1.1

    def match(self) -> Course:
        """Hands until a team has won, or as many as were agreed (SM-2, SM-8)."""
        while True:
            self.deal_out()
            self.bidder, self.bid = yield from self.auction()
            self.points, self.made, discards = [0, 0], False, []
            if self.bidder is not None:
                self.tell("contract", self.bidder, self.bid)
                discards = yield from self.exchange(self.bidder)
                tricks = yield from self.play(self.bidder, discards)
                self.score(self.bidder, tricks, discards)
            over = self.close(int(self.rules["max_hands"]))
            if discards:
                self.tell("opened", self.bidder, *discards)  # SM-4.7
            if over:
                return
            if self.bidder is not None:
                self.dealer = (self.dealer + 1) % 4  # SM-2.1, SM-3.5

    def deal_out(self) -> None:
        """SM-2.2: six cards each, one at a time from dealer's left; the eight others are put aside."""
        deck = self.deck(self.deal_no)
        around = [(self.dealer + step) % 4 for step in (1, 2, 3, 4)]
        hands: dict[int, list[str]] = {seat: [] for seat in around}
        for _ in range(6):
            for seat in around:
                hands[seat].append(deck.pop(0))
        self.stock = deck
        self.taken = [0, 0]
        self.tell("deal", self.deal_no, self.dealer)
        for seat in around:
            self.tell("hand", seat, *hands[seat])

    def auction(self) -> Part[tuple[int | None, int]]:
        """SM-3: one call each, the dealer's last; gives the bidder and his bid, None and 0 when all passed."""
        bidder, standing = None, 0
        for step in (1, 2, 3, 4):
            seat = (self.dealer + step) % 4
            bids = [number for number in (2, 3, 4) if number > standing]  # SM-3.2
            legal = ["pass"]
            if seat == self.dealer and standing and self.rules["dealer_steals"] == "on":
                bids = [standing, *bids]
            if seat == self.dealer and not standing and self.rules["all_pass"] == "dealer_must_bid":
                legal = []  # SM-3.5
            action = yield seat, "auction", legal + [f"bid {number}" for number in bids]
            if action == "pass":
                self.tell("call", seat, "P")
                continue
            bidder, standing = seat, int(action.removeprefix("bid "))
            self.tell("call", seat, standing)
            if standing == 4:
                break  # SM-3.3
        return bidder, standing

    def exchange(self, bidder: int) -> Part[list[str]]:
        """SM-4: the bidder takes K undealt cards and discards as many; gives the discards."""
        number = int(self.rules["kitty_cards"])
        if number == 0:
            return []  # SM-4.2
        self.tell("kitty", bidder, *self.stock[:number])  # SM-4.1
        self.stock = self.stock[number:]
        held = self.hand(bidder)
        legal = []
        for discards in combinations(held, number):
            kept = [card for card in held if card not in discards]
            if any(may_open(card, kept, list(discards)) for card in kept):
                legal.append("discard " + " ".join(discards))
        action = yield bidder, "discard", legal
        cards = action.split()[1:]
        self.tell("discard", bidder, *cards)
        return cards

    def play(self, bidder: int, discards: list[str]) -> Part[list[tuple[int, Trick]]]:
        """SM-5: six tricks; gives of each who took it, and who played what."""
        leader, trump = bidder, ""
        tricks = []
        for _ in range(6):
            trick: Trick = []
            for step in range(4):
                seat = (leader + step) % 4
                allowed = held = self.hand(seat)
                if not trump:
                    allowed = [card for card in held if may_open(card, held, discards)]  # SM-5.1
                elif trick:
                    led = trick[0][1][1]
                    if any(card[1] == led for card in held):
                        allowed = [card for card in held if card[1] in (led, trump)]  # SM-5.3
                action = yield seat, "play", [f"play {card}" for card in allowed]
                card = action.removeprefix("play ")
                self.tell("play", seat, card)
                if not trump:
                    trump = card[1]
                    self.tell("trump", trump)
                trick.append((seat, card))
            leader = trick[best([card for _, card in trick], trump)][0]  # SM-5.4, SM-5.5
            self.tell("taken", leader)
            self.taken[self.sides[leader]] += 1
            tricks.append((leader, trick))
        return tricks

    def score(self, bidder: int, tricks: list[tuple[int, Trick]], discards: list[str]) -> None:
        """SM-6: high, low, jack and game, by team; SM-7.1: whether the bid was made."""
        _, opening = tricks[0]
        trump = opening[0][1][1]
        trumps = [(seat, card) for _, trick in tricks for seat, card in trick if card[1] == trump]
        ranks = sorted((card[0] for _, card in trumps), key=RANKS.index)
        high, low = ("A", "7") if self.rules["high_low"] == "fixed" else (ranks[-1], ranks[0])  # SM-6.5
        for seat, card in trumps:
            if card[0] == high:
                self.points[self.sides[seat]] += 1  # SM-6.1
            if card[0] == low:
                self.points[self.sides[seat]] += 1  # SM-6.2
        worth = [0, 0]
        worth[self.sides[bidder]] += sum(WORTH[card[0]] for card in discards)  # SM-4.5
        for winner, trick in tricks:
            if "J" + trump in [card for _, card in trick]:
                self.points[self.sides[winner]] += 1  # SM-6.3
            worth[self.sides[winner]] += sum(WORTH[card[0]] for _, card in trick)
        if worth[0] != worth[1]:
            self.points[0 if worth[0] > worth[1] else 1] += 1  # SM-6.4, SM-6.6
        self.made = self.points[self.sides[bidder]] >= self.bid

    def settled(self, totals: list[int]) -> list[int]:
        """SM-7, SM-8.4: bidders score their points or lose their bid, the others score their points."""
        after = list(totals)
        if self.bidder is None:
            return after  # SM-3.5
        team = self.sides[self.bidder]
        after[team] += self.points[team] if self.made else -self.bid  # SM-7.2, SM-7.3
        after[1 - team] += self.points[1 - team]  # SM-7.4
        if self.rules["cap_non_bidder"] == "on":
            after[1 - team] = min(after[1 - team], int(self.rules["target"]))
        return after

    def won(self, totals: list[int]) -> int | None:
        """SM-8: the team that is out; if both are, the bidders or the higher."""
        if self.bidder is None:
            return None  # nothing was scored: SM-3.5
        team, target = self.sides[self.bidder], int(self.rules["target"])
        if self.rules["must_bid_to_win"] == "on":
            return team if self.made and totals[team] >= target else None  # SM-8.3
        if totals[0] >= target and totals[1] >= target:
            if self.rules["both_out"] == "higher" and totals[0] != totals[1]:
                return 0 if totals[0] > totals[1] else 1
            return team  # SM-8.2
        for side in (0, 1):
            if totals[side] >= target:
                return side  # SM-8.1
        return None
