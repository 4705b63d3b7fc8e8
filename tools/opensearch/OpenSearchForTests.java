import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.codelibs.opensearch.runner.OpenSearchRunner;
import org.opensearch.http.HttpServerTransport;

/** One OpenSearch on loopback, on any free port, which it writes to FOLDER/port when it can be asked. */
public final class OpenSearchForTests {
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        OpenSearchRunner runner = new OpenSearchRunner();
        runner.onBuild((number, settings) -> settings
            .put("network.host", "127.0.0.1")
            .put("http.port", 0)
            .put("transport.port", 0)
            .put("discovery.type", "single-node")
            // Topics may have thousands of words.
            .put("indices.query.bool.max_clause_count", 8192)
            // A full disk elsewhere is no reason to refuse the few documents of a test.
            .put("cluster.routing.allocation.disk.threshold_enabled", false));
        runner.build(OpenSearchRunner.newConfigs().basePath(folder.toString()).numOfNode(1).disableESLogger());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                runner.close();
            } catch (Exception error) {
                error.printStackTrace();
            }
        }));
        runner.ensureYellow();
        int port = runner.getNode(0).injector().getInstance(HttpServerTransport.class)
            .boundAddress().publishAddress().getPort();
        Path written = Files.writeString(folder.resolve("port.part"), Integer.toString(port));
        Files.move(written, folder.resolve("port"), StandardCopyOption.ATOMIC_MOVE);
        Thread.currentThread().join();
    }
}
