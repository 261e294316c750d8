"""Mistakes in Smear, and what happens seldom in it."""

from __future__ import annotations

from typing import Final

from plants import Plant

PLANTS: Final = {
    "the dealer gets the first card": Plant("state", {"first = (dealer + 1) % SEATS": "first = dealer"}),
    "partners sit side by side": Plant("game", {"(0, 1, 0, 1)": "(0, 0, 1, 1)"}),
    "the first undealt card is passed over": Plant("state", {"tuple(deck[DEALT:])": "tuple(deck[DEALT + 1 :])"}),
    "a bid may be as high as the one before": Plant("auction", {"_FROM[level + 1]": "_FROM[max(level, 2)]"}),
    "a bid as high is not offered, but taken": Plant("auction", {"last and self.steals and number ==": "number =="}),
    "the dealer always steals": Plant("auction", {'rules["dealer_steals"] == "on"': "True"}),
    "the dealer never steals": Plant("auction", {'rules["dealer_steals"] == "on"': "False"}),
    "the dealer always has to bid": Plant("auction", {'rules["all_pass"] == "dealer_must_bid"': "True"}),
    "the dealer may pass out every hand": Plant("auction", {'rules["all_pass"] == "dealer_must_bid"': "False"}),
    "the dealer has to bid over a bid": Plant(
        "auction", {"and self.must_bid and self.bid == NO_BID": "and self.must_bid"}
    ),
    "a bid of 4 can be stolen": Plant("auction", {"last or self.bid == HIGHEST": "last or self.bid > HIGHEST"}),
    "a bid of 3 ends the auction": Plant("auction", {"last or self.bid == HIGHEST": "last or self.bid >= 3"}),
    "who bids first is the bidder": Plant(
        "auction",
        {"self.bid, self.bidder = number, seat": "self.bid, self.bidder = number, self.bidder if self.bid else seat"},
    ),
    "the bidder takes the lowest undealt cards": Plant("deal", {"self.undealt[:number]": "self.undealt[-number:]"}),
    "any discard is legal": Plant(
        "discards",
        {
            "        return len(kept) == 1 or": "        return True or",
            "== len(kept) - 1:\n        return kept.copy()": "<= len(kept):\n        return kept.copy()",
        },
    ),
    "a card can be discarded twice": Plant("deal", {"card > last and": "card >= last and"}),
    "surplus trumps cannot be discarded": Plant("discards", {"        return len(kept) == 1 or": "        return"}),
    "any card may open": Plant("deal", {"hand = self.leads\n": "hand = hand\n"}),
    "a suit that was discarded is never trump": Plant("discards", {"== len(kept) - 1:": "== len(kept):"}),
    "a discarded trump opens, though not offered": Plant(
        "deal", {"if not self.leads[suit] & bit:": "if not held[seat][suit] & bit:"}
    ),
    "the seat after the dealer leads": Plant(
        "deal", {"self.turn = self.leader = contract.declarer": "self.turn = self.leader = self.auction.bidder ^ 1"}
    ),
    "suit must be followed before trump": Plant("deal", {"if led == trump:": "if True:"}),
    "a revoke is not offered, but taken": Plant("deal", {"elif hand[led]:": "elif False:"}),
    "play goes the other way round": Plant("deal", {"& 3\n        else:": "& 3 ^ 2\n        else:"}),
    "trump wins nothing": Plant("deal", {"strength <<= 13": "strength = 0"}),
    "the last trump wins": Plant("deal", {"strength <<= 13": "strength = self.best + 1"}),
    "the bidder leads every trick": Plant(
        "deal", {"self.turn = self.leader = winner": "self.turn = self.leader = self.auction.bidder"}
    ),
    "tricks are counted for who led": Plant("deal", {"self.taken[winner & 1]": "self.taken[tricks[-1][0] & 1]"}),
    "five tricks are played": Plant("deal", {"_TRICKS: Final = 6": "_TRICKS: Final = 5"}),
    "high is the bidder's whoever plays it": Plant(
        "score",
        {"high = 0 if ours & highest else 1 if theirs": "high = contract.declarer & 1 if ours & highest or theirs"},
    ),
    "low is somebody's whether played or not": Plant("score", {"else 1 if theirs & lowest else None": "else 1"}),
    "jack goes to who plays it": Plant("score", {"jack = winner & 1": "jack = (_ + cards.index(jack_of_trumps)) & 1"}),
    "high and low are always those in play": Plant("deal", {'self.rules["high_low"] == "in_play"': "True"}),
    "high and low are always ace and 7": Plant("deal", {'self.rules["high_low"] == "in_play"': "False"}),
    "an undealt ace makes a king high": Plant(
        "score", {"if in_play else (_ACE, _SEVEN)": "if in_play else (1 << played.bit_length() - 1, _SEVEN)"}
    ),
    "a discarded jack of trumps scores": Plant(
        "score", {"jack, jack_of_trumps = None,": "jack, jack_of_trumps = 0 if _JACKS[suit] in discards else None,"}
    ),
    "discards do not count": Plant("score", {"for card in discards])": "for card in ()])"}),
    "discards count for the others": Plant("score", {"counts[declarer & 1] +=": "counts[1 - (declarer & 1)] +="}),
    "a ten counts one": Plant("score", {'"T": 10': '"T": 1'}),
    "a game tie is for side 0": Plant("score", {"return None, ScoreLine": "return 0, ScoreLine"}),
    "a bid must be beaten": Plant("score", {"points[declarer & 1] >= level": "points[declarer & 1] > level"}),
    "discards stay closed": Plant("score", {"shown = (Discarded(declarer, discards),)": "shown = ()"}),
    "a failed bid costs nothing": Plant("game", {"totals[bidding] - result.level": "totals[bidding]"}),
    "a failed bid costs less what was won": Plant("game", {"= totals[bidding] - result.level": "-= result.level"}),
    "a made bid scores the bid alone": Plant(
        "game",
        {
            "if not result.made:": "if True:",
            "totals[bidding] - result.level": "totals[bidding] + (result.level if result.made else -result.level)",
        },
    ),
    "totals do not go below zero": Plant(
        "game", {"totals[bidding] - result.level": "max(0, totals[bidding] - result.level)"}
    ),
    "the others score nothing when the bid is made": Plant(
        "game",
        {"if not result.made:": "if result.made:\n            after[1 - bidding] = totals[1 - bidding]\n        else:"},
    ),
    "non-bidders are always capped": Plant("game", {'rules["cap_non_bidder"] == "on"': "True"}),
    "non-bidders are never capped": Plant("game", {'rules["cap_non_bidder"] == "on"': "False"}),
    "bidders are capped": Plant(
        "game", {"after[1 - bidding] = min(after[1 - bidding]": "after[bidding] = min(after[bidding]"}
    ),
    "the deal passes on after a throw-in": Plant("game", {"dealer if result.passed_out else ": ""}),
    "the deal passes to the right": Plant("game", {"(dealer + 1) % SEATS": "(dealer - 1) % SEATS"}),
    "must_bid_to_win has no effect": Plant("game", {'rules["must_bid_to_win"] == "on"': "False"}),
    "a failed bid can win": Plant("game", {"bidding if result.made and totals": "bidding if totals"}),
    "the target must be exceeded": Plant("game", {"if total >= target]": "if total > target]"}),
    "both out: always the higher": Plant("game", {'rules["both_out"] == "higher" and': ""}),
    "both out: always the bidders": Plant("game", {'rules["both_out"] == "higher"': "False"}),
    "both out and equal: not the bidders": Plant(
        "game", {"totals[other] > totals[bidding]": "totals[other] >= totals[bidding]"}
    ),
    "one hand more than agreed": Plant("match", {"deals_complete >= min(": "deals_complete > min("}),
    "a thrown-in hand is not counted": Plant(
        "match", {"self.deals_complete += 1": "self.deals_complete += not result.passed_out"}
    ),
    "partners see the kitty": Plant("view", {"declarer == seat": "declarer % 2 == seat % 2"}),
    "the kitty stays in the stock": Plant("view", {"len(deal.undealt) - len(deal.kitty)": "len(deal.undealt)"}),
}

RARE: Final = {
    "thrown in": r"^(call . P\n){4}scored",
    "the first seat bids 4": r"^hand . .*\ncall . 4\ncontract",
    "the dealer steals": r"^(call .*\n){2}call . 3\ncall . 3$",
    "the dealer must bid": r"^(call . P\n){3}call . \d$",
    "all four points": r"^scored \d+ (4 0|0 4)$",
    "a total below zero": r"^totals .*-",
    "a trump put away": r"^discard . .*([CDHS])( .*)?\n.*\ntrump \1$",
    "no game point": r"^scored \d+ (1 0|0 1|0 0)$",
}
"""What must have happened in some match, told as in `second_opinion.Comparison.summary`."""
