package bot;

import static java.util.concurrent.TimeUnit.SECONDS;

import arena.v1.Hello;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.logging.LogManager;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A bot for Drawbridge Arena that plays every game. This file gets it in, Lane holds the conversation, and Strategy,
 * the one to change, decides.
 */
public final class JavaBot {
    private static final int STREAMS = 64; // an arena takes so many on a connection
    private static final String PORT = ":(\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d\\d|655[0-2]\\d|6553[0-5])";
    private static final String ADDRESS = "(\\[[0-9A-Fa-f:.]+]|[^\\s:/@\\[\\]]+)" + PORT;
    private static final String LOOPBACK = "(localhost|127(\\.\\d{1,3}){3}|\\[::1]):\\d+";
    private static volatile List<Lane> lanes;
    private static volatile boolean refused;

    public static void main(String[] arguments) {
        LogManager.getLogManager().reset(); // what gRPC would log, a stream's status says too
        lanes = lanes();
        // SIGTERM and Ctrl-C run this hook. After it the JVM would end with 143 or 130, so it has no end: main does it.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            lanes.forEach(Lane::leave);
            new CompletableFuture<Void>().join();
        }));
        lanes.forEach(Lane::dial);
        lanes.forEach(Lane::search); // not before: to load gRPC may take a second
        lanes.forEach(lane -> lane.left.join());
        Runtime.getRuntime().halt(refused ? 1 : 0);
    }

    /** A lane was refused: says why, and tells the others to leave when their matches are over. */
    static synchronized void refused(String why) {
        if (!refused) System.err.println(why); // to all lanes, perhaps: once is enough
        refused = true;
        CompletableFuture.runAsync(() -> lanes.forEach(Lane::leave)); // not while this lane is locked
    }

    /** Ends the program with a line that says why. */
    static synchronized IllegalStateException fail(String why) {
        System.err.println(why);
        Runtime.getRuntime().halt(1);
        return new IllegalStateException(why); // never; but `throw fail(...)` says to the compiler that it ends here
    }

    /** One for each seat that the bot is to have at once, all as the environment says: the launch contract. */
    private static List<Lane> lanes() {
        String server = variable("SERVER", "", ADDRESS, "it says where the arena is, such as 127.0.0.1:7878");
        String token = variable("TOKEN", "", "(?s).*", "");
        if (!token.matches("[!-~]*")) throw fail("ARENA_TOKEN is not one word"); // and is not repeated here
        String game = variable("GAME", "", ".*", "");
        String name = variable("NAME", "java_bot", "[\\w.-]{1,32}", "it has 1 to 32 letters, digits, '.', '_' or '-'");
        int count = Integer.parseInt(variable("LANES", "1", "[1-9]\\d{0,3}", "it is a number from 1 to 9999"));
        String seed = variable("SEED", "" + new SecureRandom().nextLong(), "-?\\d+", "it is a whole number");
        String patience =
            variable("PATIENCE", "300", "(?=.*[1-9])\\d{0,9}\\.?\\d*", "it is a number of seconds, more than 0");

        Metadata headers = new Metadata();
        if (!token.isEmpty()) {
            headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        }
        ManagedChannelBuilder<?> connection = Grpc.newChannelBuilder(server, credentials(server, token))
            .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
            .keepAliveTime(10, SECONDS).keepAliveTimeout(10, SECONDS).maxInboundMessageSize(16 << 20);
        List<ManagedChannel> connections =
            Stream.generate(connection::build).limit((count + STREAMS - 1) / STREAMS).toList();
        Hello hello = Hello.newBuilder().setProtocolVersion(1).setSoftwareName("java sample bot")
            .setSoftwareVersion("1").setName(name).setAutoDraw(true)
            .addAllGames(game.isEmpty() ? List.of() : List.of(game)).build();
        return IntStream.range(0, count).mapToObj(lane -> new Lane(
            connections.get(lane / STREAMS), hello.toBuilder().setLane(lane),
            new Strategy(new BigInteger(seed).longValue() + lane), new BigDecimal(patience))).toList();
    }

    /** How to speak to the arena. A token goes over TLS or stays on this machine. */
    private static ChannelCredentials credentials(String server, String token) {
        String ca = variable("CA", "", ".*", "");
        if (ca.isEmpty() && !token.isEmpty() && !server.matches(LOOPBACK)) {
            throw fail("the token would go to " + server + " in plain text: set ARENA_CA");
        }
        TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
        if (ca.isEmpty() || ca.equals("public")) {
            return ca.isEmpty() ? InsecureChannelCredentials.create() : tls.build();
        }
        try (InputStream pem = new FileInputStream(ca)) {
            CertificateFactory.getInstance("X.509").generateCertificates(pem).iterator().next(); // the first of them
            return tls.trustManager(new File(ca)).build();
        } catch (IOException | CertificateException | NoSuchElementException unusable) {
            throw fail("ARENA_CA is " + ca + ": it is public, or a file of certificates in PEM form");
        }
    }

    private static String variable(String name, String otherwise, String pattern, String right) {
        String set = System.getenv().getOrDefault("ARENA_" + name, "").strip();
        String text = set.isEmpty() ? otherwise : set;
        if (!text.matches(pattern)) {
            throw fail("ARENA_" + name + " is " + (set.isEmpty() ? "not set: " : set + ": ") + right);
        }
        return text;
    }
}
