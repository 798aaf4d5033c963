package judge.fabric8;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.PortForward;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.Channels;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import judge.Bytes;
import judge.Facts;

/** Port-forward to channels and to local ports. */
public final class Forwarding {
  private static final int MEGABYTES = 8 << 20;

  private Forwarding() {}

  public static void run(Setting setting, Facts facts) throws Exception {
    KubernetesClient client = setting.client();
    setting.ready(setting.pod("servers",
        "mkdir /www; echo the page >/www/index.html; head -c 20000000 /dev/zero >/www/large;"
            + " httpd -p 8080 -h /www; nc -ll -p 9000 -e cat & nc -ll -p 9001 -e sha256sum & sleep 100000"));
    var pod = client.pods().withName("servers");
    facts.becomes("the servers listen", 0, () -> {
      try (var watch = pod.redirectingOutput().exec("sh", "-c", "netstat -ltn | grep -q :9001 && netstat -ltn | grep -q :9000")) {
        return watch.exitCode().get(10, TimeUnit.SECONDS);
      }
    });
    byte[] many = Bytes.random(MEGABYTES, 2);

    try (LocalPortForward forward = pod.portForward(8080)) {
      facts.holds("a local port of its own choice", () -> forward.isAlive() && forward.getLocalPort() > 0);
      facts.is("a page", "the page\n", () -> page(forward, "/index.html"));
      facts.is("twenty connections at once", 20, () -> {
        var pages = IntStream.range(0, 20).mapToObj(i -> CompletableFuture.supplyAsync(() -> {
          try (Socket socket = new Socket(forward.getLocalAddress(), forward.getLocalPort())) {
            socket.getOutputStream().write(Bytes.of("GET /index.html HTTP/1.0\r\n\r\n"));
            return Bytes.text(socket.getInputStream());
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        })).toList();
        int right = 0;
        for (var found : pages) if (found.get(30, TimeUnit.SECONDS).endsWith("the page\n")) right++;
        return right;
      });
      facts.is("fifty, one behind the other", 50, () -> {
        int right = 0;
        for (int i = 0; i < 50; i++) if (page(forward, "/index.html").equals("the page\n")) right++;
        return right;
      });
      facts.is("megabytes of a page", 20_000_000, () -> page(forward, "/large").length());
      facts.is("nothing went wrong", List.of(false, 0, 0), () -> List.of(forward.errorOccurred(),
          forward.getClientThrowables().size(), forward.getServerThrowables().size()));
    }
    facts.is("a given address and port", "the page\n", () -> {
      int free;
      try (var probe = new java.net.ServerSocket(0)) {
        free = probe.getLocalPort();
      }
      try (LocalPortForward forward = pod.portForward(8080, InetAddress.getLoopbackAddress(), free)) {
        return page(forward, "/index.html");
      }
    });
    facts.is("megabytes there and back", Bytes.hash(many), () -> {
      try (LocalPortForward forward = pod.portForward(9000);
          Socket socket = new Socket(forward.getLocalAddress(), forward.getLocalPort())) {
        var sent = CompletableFuture.runAsync(() -> {
          try {
            socket.getOutputStream().write(many);
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });
        byte[] came = socket.getInputStream().readNBytes(MEGABYTES);
        sent.get(30, TimeUnit.SECONDS);
        return Bytes.hash(came);
      }
    });
    facts.is("a slow reader", Bytes.hash(many), () -> {
      try (LocalPortForward forward = pod.portForward(9000);
          Socket socket = new Socket(forward.getLocalAddress(), forward.getLocalPort())) {
        CompletableFuture.runAsync(() -> {
          try {
            socket.getOutputStream().write(many);
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });
        var taken = new ByteArrayOutputStream();
        while (taken.size() < MEGABYTES) {
          taken.write(socket.getInputStream().readNBytes(1 << 17));
          Thread.sleep(10);
        }
        return Bytes.hash(taken.toByteArray());
      }
    });
    facts.is("channels", true, () -> {
      var output = new ByteArrayOutputStream();
      var input = new java.io.PipedOutputStream();
      var requests = Channels.newChannel(new java.io.PipedInputStream(input));
      try (PortForward forward = pod.portForward(8080, requests, Channels.newChannel((OutputStream) output))) {
        input.write(Bytes.of("GET /index.html HTTP/1.0\r\n\r\n"));
        input.flush();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!output.toString().endsWith("the page\n") && System.nanoTime() < deadline) Thread.sleep(20);
        return output.toString().endsWith("the page\n");
      }
    });
    facts.is("a port where nobody listens", 0, () -> {
      try (LocalPortForward forward = pod.portForward(7);
          Socket socket = new Socket(forward.getLocalAddress(), forward.getLocalPort())) {
        socket.setSoTimeout(20_000);
        return Bytes.all(socket.getInputStream()).length;
      }
    });
    facts.is("is told", true, () -> {
      try (LocalPortForward forward = pod.portForward(7);
          Socket socket = new Socket(forward.getLocalAddress(), forward.getLocalPort())) {
        socket.setSoTimeout(20_000);
        Bytes.all(socket.getInputStream());
        return forward.errorOccurred();
      }
    });
    facts.is("a service's pods", "the page\n", () -> {
      client.resource("""
          apiVersion: v1
          kind: Service
          metadata: {name: servers}
          spec: {selector: {app: servers}, ports: [{port: 8080}]}
          """).create();
      client.endpoints().withName("servers").waitUntilCondition(
          found -> found != null && !found.getSubsets().isEmpty() && !found.getSubsets().get(0).getAddresses().isEmpty(),
          20, TimeUnit.SECONDS);
      try (LocalPortForward forward = client.services().withName("servers").portForward(8080)) {
        return page(forward, "/index.html");
      }
    });
    facts.is("a closed one takes no more", true, () -> {
      LocalPortForward forward = pod.portForward(8080);
      int port = forward.getLocalPort();
      forward.close();
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return false;
      } catch (IOException refused) {
        return true;
      }
    });
  }

  private static String page(LocalPortForward forward, String path) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + forward.getLocalPort() + path);
    var http = java.net.http.HttpClient.newBuilder().version(java.net.http.HttpClient.Version.HTTP_1_1).build();
    return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
  }
}
