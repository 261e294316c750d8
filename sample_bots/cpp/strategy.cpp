// The strategy: the file to change. It gives every action that is offered a worth and takes the best, so it plays
// every game; among actions that it has never heard of it rolls dice.
#include "strategy.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace arena::v1;

static int suit(int card) { return card / 16; }
static int rank(int card) { return card % 16; }

// It likes the lowest bid that the hand can make, a pass (0) more than one that it cannot, and never doubles.
static double worth_of_call(const Call& call, const View& view) {
  if (call.kind() != CALL_KIND_BID) return call.kind() == CALL_KIND_PASS ? 0 : -20;
  double spare = call.strain() == STRAIN_UNSPECIFIED ? -1 : -6;  // a bid of points, or of tricks over six
  for (int card : view.hand()) spare += std::max(0, rank(card) - 11) / 2.0 + (suit(card) == call.strain() ? 0.75 : 0);
  return spare < call.level() ? spare - call.level() : 10.0 - call.level();
}

// It wins a trick from an opponent as cheaply as it can, and gives its lowest card where it cannot, or need not.
static double worth_of_card(int card, const View& view) {
  const int cost = rank(card) + (suit(card) == view.trump() ? 16 : 0);
  if (view.phase() == "draw" && rank(view.shown()) < 10) return -cost;  // the trick brings nothing but a low card
  const auto& trick = view.table().cards();
  if (trick.empty()) return rank(card);
  const auto beaten = [&](int one, int by) { return suit(by) == suit(one) ? by > one : suit(by) == view.trump(); };
  const auto best = std::max_element(trick.begin(), trick.end(), beaten);
  const bool partners = view.hand_counts_size() > view.totals_size() && trick.end() - best == 2;  // who sits opposite
  return beaten(*best, card) && !partners ? 100 - cost : -cost;
}

Choose choose(const Decision& decision, std::int64_t seed) {
  std::mt19937_64 dice(seed + decision.decision_id());
  std::vector<double> worth;
  for (const Action& action : decision.legal()) {
    worth.push_back(dice() % 100 / 1000.0);
    if (action.has_call()) worth.back() += worth_of_call(action.call(), decision.view());
    if (action.has_play()) worth.back() += worth_of_card(action.play().card(), decision.view());
    for (int card : action.discard().cards()) worth.back() -= rank(card);
  }
  Choose choice;
  choice.set_decision_id(decision.decision_id());
  choice.set_index(std::max_element(worth.begin(), worth.end()) - worth.begin());
  choice.set_note(decision.view().phase() + ": best of " + std::to_string(worth.size()));
  return choice;
}
