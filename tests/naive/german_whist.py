"""German Whist from its RULES.md, clause by clause."""

from __future__ import annotations

from naive.course import Course, NaiveMatch, Part, best


class GermanWhist(NaiveMatch):
    """A match of German Whist."""

    def match(self) -> Course:
        """Deals until somebody has won, or as many as were agreed (GW-2, GW-3, GW-7)."""
        while True:
            self.deal_out()
            yield from self.halves()
            self.score()
            if self.close(int(self.rules["max_deals"])):
                return
            self.dealer = 1 - self.dealer  # GW-3.2

    def deal_out(self) -> None:
        """GW-3: hands, the non-dealer's card first, a stock of as many cards as both hold; the rest is out of play."""
        other, size = 1 - self.dealer, int(self.rules["hand_cards"])
        deck = self.deck(self.deal_no)
        hands: dict[int, list[str]] = {other: [], self.dealer: []}
        for _ in range(size):
            hands[other].append(deck.pop(0))
            hands[self.dealer].append(deck.pop(0))
        self.stock = deck[: size + size]
        self.taken = [0, 0]
        self.tell("deal", self.deal_no, self.dealer)
        self.tell("hand", other, *hands[other])
        self.tell("hand", self.dealer, *hands[self.dealer])

    def halves(self) -> Course:
        """GW-4 and GW-5: one trick for each card of a hand with draws after it, then as many that count."""
        trump = self.stock[0][1]  # GW-3.6
        leader = 1 - self.dealer  # GW-4.1
        self.tell("top", self.stock[0])
        self.tell("trump", trump)
        while self.stock:
            leader = yield from self.trick(leader, "draw", trump)
            yield leader, "draw", ["draw"]  # GW-4.7
            self.tell("drawn", leader, self.stock.pop(0), "shown")  # GW-4.5
            yield 1 - leader, "draw", ["draw"]
            self.tell("drawn", 1 - leader, self.stock.pop(0))  # GW-4.6
            if self.stock:
                self.tell("top", self.stock[0])  # GW-4.9
        while self.hand(leader):
            leader = yield from self.trick(leader, "play", trump)  # GW-5.1, GW-5.3
            self.taken[leader] += 1

    def trick(self, leader: int, phase: str, trump: str) -> Part[int]:
        """GW-4.1 to GW-4.3: a trick; gives who took it."""
        other = 1 - leader
        action = yield leader, phase, [f"play {card}" for card in self.hand(leader)]
        lead = action.removeprefix("play ")
        self.tell("play", leader, lead)
        held = self.hand(other)
        same = [card for card in held if card[1] == lead[1]]
        action = yield other, phase, [f"play {card}" for card in same or held]
        follow = action.removeprefix("play ")
        self.tell("play", other, follow)
        winner = (leader, other)[best([lead, follow], trump)]
        self.tell("taken", winner)
        return winner

    def score(self) -> None:
        """GW-6: what both seats score; nobody has bid (GW-1.4)."""
        if self.rules["scoring"] == "tricks":
            self.points = list(self.taken)
        else:
            self.points = [int(self.taken[0] > self.taken[1]), int(self.taken[1] > self.taken[0])]

    def settled(self, totals: list[int]) -> list[int]:
        """GW-2.3: points are added."""
        return [totals[0] + self.points[0], totals[1] + self.points[1]]

    def won(self, totals: list[int]) -> int | None:
        """GW-7.2, GW-7.3: the higher total, once one has reached the target and they differ."""
        mine, theirs = totals
        if mine == theirs or max(mine, theirs) < int(self.rules["target"]):
            return None
        return 0 if mine > theirs else 1
