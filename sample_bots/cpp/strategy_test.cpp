// How a strategy is tested: questions as the arena asks them, and the answers that are wanted.
#undef NDEBUG  // assert() is what this file is for
#include "strategy.hpp"

#include <cassert>

using namespace arena::v1;

static void offer_play(Decision& question, Card card) {
  question.mutable_view()->add_hand(card);
  question.add_legal()->mutable_play()->set_card(card);
}

static void offer_bid(Decision& question, int level, Strain strain) {
  Call* call = question.add_legal()->mutable_call();
  call->set_kind(CALL_KIND_BID);
  call->set_level(level);
  call->set_strain(strain);
}

// Four hold cards, in two sides; hearts are trump, and a spade was led.
static Decision smear_trick(Card first, Card second) {
  Decision question;
  View& view = *question.mutable_view();
  view.set_phase("play");
  view.set_trump(STRAIN_HEARTS);
  for (int seat = 0; seat < 4; ++seat) view.add_hand_counts(6);
  for (int side = 0; side < 2; ++side) view.add_totals(0);
  view.mutable_table()->add_cards(first);
  view.mutable_table()->add_cards(second);
  return question;
}

static void test_it_wins_from_an_opponent_as_cheaply_as_it_can() {
  Decision question = smear_trick(CARD_S7, CARD_SQ);
  offer_play(question, CARD_HA);
  offer_play(question, CARD_SA);
  offer_play(question, CARD_SK);
  offer_play(question, CARD_S8);
  assert(choose(question, 1).index() == 2);
}

static void test_it_spares_a_partner() {
  Decision question = smear_trick(CARD_SQ, CARD_S7);
  offer_play(question, CARD_SA);
  offer_play(question, CARD_S8);
  assert(choose(question, 1).index() == 1);
}

static void test_it_bids_what_the_hand_can_make() {
  for (const bool strong : {true, false}) {
    Decision question;
    for (Card card : {CARD_S2, CARD_S7, CARD_ST, CARD_SQ, CARD_SK, CARD_SA, CARD_HA, CARD_DA}) {
      question.mutable_view()->add_hand(strong ? card : CARD_C2);
    }
    question.add_legal()->mutable_call()->set_kind(CALL_KIND_PASS);
    offer_bid(question, 1, STRAIN_CLUBS);
    offer_bid(question, 1, STRAIN_SPADES);
    offer_bid(question, 7, STRAIN_NOTRUMP);
    question.add_legal()->mutable_call()->set_kind(CALL_KIND_DOUBLE);
    assert(choose(question, 1).index() == (strong ? 2 : 0));
  }
}

static void test_it_chooses_among_actions_that_it_has_never_heard_of() {
  Decision question;
  question.set_decision_id(7);
  for (int count = 0; count < 3; ++count) question.add_legal();
  const Choose choice = choose(question, 1);
  assert(choice.decision_id() == 7 && choice.index() < 3);
  assert(choice.index() == choose(question, 1).index());  // with the same seed the dice fall the same way
}

int main() {
  test_it_wins_from_an_opponent_as_cheaply_as_it_can();
  test_it_spares_a_partner();
  test_it_bids_what_the_hand_can_make();
  test_it_chooses_among_actions_that_it_has_never_heard_of();
}
