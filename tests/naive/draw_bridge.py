"""Draw Bridge from RULES.md, clause by clause."""

from __future__ import annotations

from naive.course import RANKS, Course, NaiveMatch, Part, best

DENOMINATIONS = ["C", "D", "H", "S", "NT"]  # DB-1.4
BIDS = [level + denomination for level in "1234567" for denomination in DENOMINATIONS]  # DB-5.3, DB-5.4
TIMES = {"": 1, "X": 2, "XX": 4}  # DB-7.4
WORDS = {"pass": "P", "double": "X", "redouble": "XX"}


class DrawBridge(NaiveMatch):
    """A match of Draw Bridge."""

    def match(self) -> Course:
        """Deals until somebody has the target, or as many as were agreed (DB-2, DB-3, DB-8)."""
        while True:
            yield from self.draw_phase(self.deal_out())
            self.bidder, bid, doubled = yield from self.auction()
            self.bid, self.made, self.points = 0, False, [0, 0]
            if self.bidder is not None:  # else DB-5.12
                yield from self.play(self.bidder, bid)
                self.score(self.bidder, bid, doubled)
            if self.close(int(self.rules["max_deals"])):
                return
            if self.bidder is not None or self.rules["passout_dealer"] == "alternate":
                self.dealer = 1 - self.dealer  # DB-3.2, DB-3.3

    def deal_out(self) -> int:
        """DB-3: 13 cards each, the non-dealer first, the rest is the stock; gives who leads (DB-4.2)."""
        other = 1 - self.dealer
        deck = self.deck(self.deal_no)
        hands: dict[int, list[str]] = {other: [], self.dealer: []}
        for _ in range(13):
            hands[other].append(deck.pop(0))
            hands[self.dealer].append(deck.pop(0))
        self.stock = deck
        self.taken = [0, 0]
        self.tell("deal", self.deal_no, self.dealer)
        self.tell("hand", other, *hands[other])
        self.tell("hand", self.dealer, *hands[self.dealer])
        return other

    def draw_phase(self, leader: int) -> Course:
        """DB-4: thirteen tricks that count for nothing; after each the winner draws, then the loser."""
        face_up = self.rules["reveal"] == "top"
        for _ in range(13):
            if face_up:
                self.tell("top", self.stock[0])  # DB-4.10
            lead = yield from self.card(leader, "draw", self.hand(leader))
            allowed = self.hand(1 - leader)  # DB-4.3
            if self.rules["draw_follow"] == "must":
                allowed = [card for card in allowed if card[1] == lead[1]] or allowed
            follow = yield from self.card(1 - leader, "draw", allowed)
            if self.rules["draw_winner"] == "any":
                follower_wins = RANKS.index(follow[0]) > RANKS.index(lead[0])
            else:
                follower_wins = best([lead, follow], "") == 1  # DB-4.1, DB-4.4
            if follower_wins:
                leader = 1 - leader
            self.tell("taken", leader)
            for seat in (leader, 1 - leader):  # DB-4.6
                yield seat, "draw", ["draw"]  # DB-4.13
                card = self.stock.pop(0)
                if face_up and seat == leader:
                    self.tell("drawn", seat, card, "shown")
                else:
                    self.tell("drawn", seat, card)  # DB-4.9

    def card(self, seat: int, phase: str, allowed: list[str]) -> Part[str]:
        """The seat plays one of the cards allowed."""
        action = yield seat, phase, [f"play {card}" for card in allowed]
        played = action.removeprefix("play ")
        self.tell("play", seat, played)
        return played

    def auction(self) -> Part[tuple[int | None, str, str]]:
        """DB-5: declarer, bid and doubling; nobody, when both passed."""
        seat = self.dealer  # DB-5.1
        calls: list[str] = []
        bid, bidder, doubled = "", None, ""
        while True:
            legal = ["pass"] + [f"bid {higher}" for higher in BIDS[BIDS.index(bid) + 1 if bid else 0 :]]  # DB-5.4
            if bid and bidder != seat and doubled == "":
                legal.append("double")  # DB-5.5
            if bid and bidder == seat and doubled == "X":
                legal.append("redouble")  # DB-5.6
            action = yield seat, "auction", legal
            call = WORDS.get(action, action.removeprefix("bid "))
            self.tell("call", seat, call)
            calls.append(call)
            if call == "P" and bid:
                self.tell("contract", bidder, bid, *doubled.split())  # DB-5.9, DB-5.10
                self.tell("trump", bid[1:])
                return bidder, bid, doubled
            if calls == ["P", "P"]:
                return None, "", ""  # DB-5.12
            if call in ("X", "XX"):
                doubled = call
            elif call != "P":
                bid, bidder, doubled = call, seat, ""  # DB-5.7
            seat = 1 - seat

    def play(self, declarer: int, bid: str) -> Course:
        """DB-6: thirteen tricks, led first by declarer's opponent."""
        leader = 1 - declarer
        for _ in range(13):
            lead = yield from self.card(leader, "play", self.hand(leader))
            held = self.hand(1 - leader)
            same = [card for card in held if card[1] == lead[1]]
            follow = yield from self.card(1 - leader, "play", same or held)  # DB-6.3
            if best([lead, follow], bid[1:]) == 1:  # DB-6.1, DB-6.4
                leader = 1 - leader
            self.tell("taken", leader)
            self.taken[leader] += 1

    def score(self, declarer: int, bid: str, doubled: str) -> None:
        """DB-7: what both seats score."""
        self.bid, denomination = int(bid[0]), bid[1:]
        over_six = self.taken[declarer] - 6
        self.made = over_six >= self.bid
        if self.made:
            if self.rules["overtricks"] == "none":
                over_six = self.bid  # DB-7.9
            worth = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}[denomination] * over_six  # DB-7.2
            if denomination == "NT":
                worth += 10
            self.points[declarer] = worth * TIMES[doubled]
        else:
            short = self.bid - over_six
            self.points[1 - declarer] = int(self.rules["undertrick_points"]) * short * TIMES[doubled]  # DB-7.6

    def settled(self, totals: list[int]) -> list[int]:
        """DB-7.5: points are added, nothing is subtracted."""
        return [totals[0] + self.points[0], totals[1] + self.points[1]]

    def won(self, totals: list[int]) -> int | None:
        """DB-2.3: who has reached the target."""
        for seat in (0, 1):
            if totals[seat] >= int(self.rules["target"]):
                return seat
        return None
