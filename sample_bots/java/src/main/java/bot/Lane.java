package bot;

import static arena.v1.GoodbyeReason.GOODBYE_REASON_FINISHED;
import static arena.v1.GoodbyeReason.GOODBYE_REASON_REPLACED;
import static arena.v1.RejectionReason.REJECTION_REASON_MALFORMED;
import static arena.v1.RejectionReason.REJECTION_REASON_NOT_LEGAL;
import static java.util.concurrent.CompletableFuture.delayedExecutor;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import arena.v1.ArenaServiceGrpc;
import arena.v1.Choose;
import arena.v1.Event;
import arena.v1.GoodbyeReason;
import arena.v1.Hello;
import arena.v1.MatchOffered;
import arena.v1.PlayRequest;
import arena.v1.PlayResponse;
import arena.v1.Ready;
import arena.v1.RejectionReason;
import arena.v1.Resume;
import com.google.protobuf.ByteString;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A seat: the conversation on one stream, and on another when it breaks. Its lock lets one thing happen at a time. */
final class Lane implements StreamObserver<PlayResponse> {
    private static final Set<RejectionReason> STRIKES = Set.of(REJECTION_REASON_NOT_LEGAL, REJECTION_REASON_MALFORMED);
    private static final Set<GoodbyeReason> FAREWELLS = Set.of(GOODBYE_REASON_FINISHED, GOODBYE_REASON_REPLACED);
    private static final long FIRST_PAUSE = 100; // milliseconds
    private static final long LAST_PAUSE = 10_000;

    /** Complete when there is nothing to come back for. */
    final CompletableFuture<Void> left = new CompletableFuture<>();

    private final ManagedChannel channel;
    private final Hello.Builder hello; // its resume says where the match in hand stands; there is none between matches
    private final Strategy strategy;
    private final BigDecimal patience; // seconds
    private StreamObserver<PlayRequest> requests;
    private long pause = FIRST_PAUSE;
    private boolean leaving;
    private volatile int welcomes;
    private volatile String why = "it does not answer"; // the last stream ended

    Lane(ManagedChannel channel, Hello.Builder hello, Strategy strategy, BigDecimal patience) {
        this.channel = channel;
        this.hello = hello;
        this.strategy = strategy;
        this.patience = patience;
    }

    /** Opens a stream. */
    synchronized void dial() {
        if (left.isDone()) return;
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.enterIdle(); // so that it connects now: gRPC's own pauses grow to two minutes
        }
        requests = ArenaServiceGrpc.newStub(channel).play(this);
        requests.onNext(PlayRequest.newBuilder().setHello(hello).build());
    }

    /** Leaves: now, or when the match in hand is over. */
    synchronized void leave() {
        leaving = true;
        if (!hello.hasResume() && left.complete(null) && requests != null) requests.onCompleted();
    }

    /** Gives up if there is no Welcome before patience ends. */
    void search() {
        int before = welcomes;
        delayedExecutor((long) (1000 * patience.doubleValue()), MILLISECONDS).execute(() -> {
            if (welcomes == before && !left.isDone()) {
                JavaBot.fail("no arena at " + channel.authority() + " for " + patience + " s, giving up: " + why);
            }
        });
    }

    @Override
    public synchronized void onNext(PlayResponse response) {
        try { // who has left hears no more: the end of a match and the offer of the next may come together
            response.getEventsList().stream().takeWhile(event -> !left.isDone()).forEach(this::hear);
        } catch (RuntimeException | Error fault) {
            fault.printStackTrace();
            JavaBot.fail("lane " + hello.getLane() + ": this bot has a fault");
        }
    }

    @Override
    public void onCompleted() {
        onError(Status.OK.withDescription("the arena has closed it").asException());
    }

    @Override
    public synchronized void onError(Throwable error) {
        if (left.isDone()) return;
        Status status = Status.fromThrowable(error);
        Throwable cause = status.getCause();
        why = status.getCode() + ": " + (cause == null ? status.getDescription() : cause.getMessage());
        switch (status.getCode()) {
            case UNAUTHENTICATED, FAILED_PRECONDITION, INVALID_ARGUMENT -> {
                JavaBot.refused(why); // before this lane has left, which main waits for
                left.complete(null);
                return;
            }
            default -> say("the stream has ended (" + why + "), once more in " + pause + " ms");
        }
        if (pause == FIRST_PAUSE) search();
        delayedExecutor(pause, MILLISECONDS).execute(this::dial);
        pause = Math.min(2 * pause, LAST_PAUSE);
    }

    private void hear(Event event) {
        if (event.getSeq() != 0 && hello.hasResume()) hello.getResumeBuilder().setLastSeq(event.getSeq());
        switch (event.getKindCase()) {
            case WELCOME -> {
                welcomes++;
                pause = FIRST_PAUSE;
                say("playing as " + event.getWelcome().getBot());
            }
            case MATCH_OFFERED -> {
                hello.clearResume(); // of a match that this arena has forgotten
                if (leaving) leave();
                else take(event.getMatchOffered(), true);
            }
            case RESUMED -> take(event.getResumed().getOffer(), event.getResumed().getAwaitsReady());
            case DECISION -> answer(strategy.choose(event.getDecision()));
            case REJECTED -> {
                if (!STRIKES.contains(event.getRejected().getReason())) return;
                say("refused: " + event.getRejected().getText());
                answer(Choose.newBuilder().setDecisionId(event.getRejected().getDecisionId()).setIndex(0).build());
            }
            case MATCH_ENDED -> {
                say("match " + event.getMatchEnded().getMatchId() + " has ended: " + event.getMatchEnded().getText());
                hello.clearResume();
                if (leaving) leave();
            }
            case GOODBYE -> {
                say("goodbye: " + event.getGoodbye().getText());
                if (!FAREWELLS.contains(event.getGoodbye().getReason())) return;
                hello.clearResume();
                leave();
            }
            default -> { } // of no use to this bot, or unheard of
        }
    }

    private void take(MatchOffered match, boolean awaitsReady) {
        if (!hello.getResume().getMatchId().equals(match.getMatchId())) {
            hello.setResume(Resume.newBuilder().setMatchId(match.getMatchId()).setSeat(match.getSeat()));
        }
        if (!awaitsReady) return;
        byte[] nonce = new byte[16];
        new SecureRandom().nextBytes(nonce);
        Ready.Builder ready = Ready.newBuilder().setMatchId(match.getMatchId()).setNonce(ByteString.copyFrom(nonce));
        requests.onNext(PlayRequest.newBuilder().setReady(ready).build());
    }

    private void answer(Choose choice) {
        requests.onNext(PlayRequest.newBuilder().setChoose(choice).build());
    }

    private void say(String text) {
        System.err.println("lane " + hello.getLane() + ": " + text);
    }
}
