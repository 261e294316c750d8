package bot;

import static arena.v1.CallKind.CALL_KIND_BID;
import static arena.v1.CallKind.CALL_KIND_PASS;

import arena.v1.Action;
import arena.v1.Call;
import arena.v1.Choose;
import arena.v1.Decision;
import arena.v1.View;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Decides: the file to change. It knows nothing but the question, so a broken stream costs it nothing. Cards and suits
 * are numbers here, for an enum cannot name those of a game that is yet to come.
 */
final class Strategy {
    private final long seed;

    Strategy(long seed) {
        this.seed = seed;
    }

    /** The answer: the action of the most worth. Dice decide where the rule sees no difference. */
    Choose choose(Decision decision) {
        Random dice = new Random(seed + decision.getDecisionId()); // falls the same when it is asked again
        double[] worths = decision.getLegalList().stream()
            .mapToDouble(action -> worth(action, decision.getView()) + dice.nextDouble() / 10).toArray();
        int index = IntStream.range(0, worths.length).reduce(0, (a, b) -> worths[b] > worths[a] ? b : a);
        String note = decision.getView().getPhase() + ": best of " + worths.length;
        return Choose.newBuilder().setDecisionId(decision.getDecisionId()).setIndex(index).setNote(note).build();
    }

    private static double worth(Action action, View view) {
        return switch (action.getKindCase()) {
            case CALL -> worthOfCall(action.getCall(), view.getHandValueList());
            case DISCARD -> -action.getDiscard().getCardsValueList().stream().mapToInt(Strategy::rank).sum();
            case PLAY -> worthOfCard(action.getPlay().getCardValue(), view);
            default -> 0; // a draw, or what it has never heard of
        };
    }

    /** Likes the lowest bid that the hand can make, and a pass more than one that it cannot; it never doubles. */
    private static double worthOfCall(Call call, List<Integer> hand) {
        if (call.getKind() != CALL_KIND_BID) return call.getKind() == CALL_KIND_PASS ? 0 : -20;
        double spare = -call.getLevel() - (call.getStrainValue() == 0 ? 1 : 6); // of points, or of tricks above six
        for (int card : hand) {
            spare += Math.max(0, rank(card) - 11) / 2.0 + (suit(card) == call.getStrainValue() ? 0.75 : 0);
        }
        return spare < 0 ? spare : 10 - call.getLevel();
    }

    /** Likes to win a trick as cheaply as it can, and to throw the lowest card where it cannot, or need not. */
    private static double worthOfCard(int card, View view) {
        int trump = view.getTrumpValue();
        int cost = rank(card) + (suit(card) == trump ? 16 : 0);
        List<Integer> trick = view.getTable().getCardsValueList();
        if (view.getPhase().equals("draw") && rank(view.getShownValue()) < 10) {
            return -cost; // the trick brings nothing but a low card, or one that nobody knows
        }
        int winner = IntStream.range(0, trick.size())
            .reduce(0, (best, next) -> beats(trick.get(next), trick.get(best), trump) ? next : best);
        boolean partners = (view.getTable().getLeader() + winner - view.getSeat()) % 2 == 0; // they sit opposite
        return trick.isEmpty() ? rank(card) : !partners && beats(card, trick.get(winner), trump) ? 100 - cost : -cost;
    }

    private static boolean beats(int card, int other, int trump) {
        return suit(card) == suit(other) ? card > other : suit(card) == trump;
    }

    private static int suit(int card) { return card / 16; }

    private static int rank(int card) { return card % 16; }
}
