package bot;

import static arena.v1.Card.CARD_C9;
import static arena.v1.Card.CARD_D2;
import static arena.v1.Card.CARD_DA;
import static arena.v1.Card.CARD_DK;
import static arena.v1.Card.CARD_DQ;
import static arena.v1.Card.CARD_H2;
import static arena.v1.Card.CARD_HK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import arena.v1.Action;
import arena.v1.Call;
import arena.v1.CallKind;
import arena.v1.Card;
import arena.v1.Decision;
import arena.v1.Play;
import arena.v1.Strain;
import arena.v1.Trick;
import arena.v1.View;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How a strategy is tested: a question is made up, and the answer looked at. */
class StrategyTest {
    /** Seat 0 is to play to a trick, in a game in which seats 0 and 2 are partners and spades are trump. */
    private static View.Builder played(int leader, Card... cards) {
        Trick.Builder trick = Trick.newBuilder().setLeader(leader).addAllCards(List.of(cards));
        return View.newBuilder().setPhase("play").setTrump(Strain.STRAIN_SPADES).setTable(trick);
    }

    private static List<Action> plays(Card... cards) {
        return Stream.of(cards).map(Play.newBuilder()::setCard)
            .map(play -> Action.newBuilder().setPlay(play).build()).toList();
    }

    private static Action bid(int level, Strain strain) {
        Call.Builder call = Call.newBuilder().setKind(CallKind.CALL_KIND_BID).setLevel(level).setStrain(strain);
        return Action.newBuilder().setCall(call).build();
    }

    private static int chosen(View.Builder view, List<Action> legal) {
        Decision decision = Decision.newBuilder().setDecisionId(7).setView(view).addAllLegal(legal).build();
        return new Strategy(1).choose(decision).getIndex();
    }

    @Test
    void winsAsCheaplyAsItCan() {
        assertEquals(1, chosen(played(1, CARD_DQ), plays(CARD_DA, CARD_DK, CARD_D2)));
    }

    @Test
    void throwsItsLowestWhereItCannotWin() {
        assertEquals(2, chosen(played(1, CARD_DA), plays(CARD_HK, CARD_C9, CARD_H2)));
    }

    @Test
    void sparesItsPartner() {
        assertEquals(1, chosen(played(2, CARD_DQ, CARD_D2), plays(CARD_DA, CARD_D2)));
    }

    @Test
    void bidsTheLowestThatItsHandCanMake() {
        List<Integer> twelve = IntStream.rangeClosed(Card.CARD_S3_VALUE, Card.CARD_SA_VALUE).boxed().toList();
        View.Builder spades = View.newBuilder().setPhase("auction").addAllHandValue(twelve);
        Action pass = Action.newBuilder().setCall(Call.newBuilder().setKind(CallKind.CALL_KIND_PASS)).build();
        List<Action> legal = List.of(pass, bid(1, Strain.STRAIN_HEARTS), bid(1, Strain.STRAIN_SPADES));
        assertEquals(2, chosen(spades, legal));
        assertEquals(0, chosen(View.newBuilder().setPhase("auction").addHand(CARD_C9), legal));
    }

    @Test
    void choosesAmongActionsThatItHasNeverHeardOf() {
        Action unheardOf = Action.getDefaultInstance(); // as one of a newer protocol reads
        Action joker = Action.newBuilder().setPlay(Play.newBuilder().setCardValue(81)).build();
        View.Builder view = View.newBuilder().setPhase("dance").setTrumpValue(9).addHandValue(81);
        assertEquals(0, chosen(view, List.of(unheardOf)));
        assertEquals(1, chosen(view, List.of(unheardOf, joker)));
    }
}
