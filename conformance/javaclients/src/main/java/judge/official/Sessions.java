package judge.official;

import io.kubernetes.client.Attach;
import io.kubernetes.client.Copy;
import io.kubernetes.client.Exec;
import io.kubernetes.client.PodLogs;
import io.kubernetes.client.PortForward;
import io.kubernetes.client.openapi.models.V1Pod;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import judge.Bytes;
import judge.Facts;

/** exec, attach, port-forward, copies and logs by Kubernetes' own client. */
public final class Sessions {
  private static final int MEGABYTES = 8 << 20;
  private final Setting setting;
  private final Facts facts;
  private final String namespace;

  private Sessions(Setting setting, Facts facts) {
    this.setting = setting;
    this.facts = facts;
    this.namespace = setting.namespace();
  }

  public static void run(Setting setting, Facts facts) throws Exception {
    setting.ready(setting.pod("demo", "sleep 100000"));
    Sessions sessions = new Sessions(setting, facts);
    sessions.executed();
    sessions.attached();
    sessions.forwarded();
    sessions.copied();
    sessions.logged();
  }

  private Process exec(boolean stdin, String... command) throws Exception {
    return new Exec(setting.client()).exec(namespace, "demo", command, stdin, false);
  }

  private void executed() {
    for (int code : new int[] {0, 1, 37, 255}) {
      facts.is("exit code " + code, code, () -> exec(false, "sh", "-c", "exit " + code).waitFor());
    }
    facts.is("stdout and stderr apart", List.of("out\n", "err\n", 3), () -> {
      Process process = exec(false, "sh", "-c", "echo out; echo err >&2; exit 3");
      // Streams are to be had while the session lasts.
      var out = process.getInputStream();
      var err = process.getErrorStream();
      return List.of(Bytes.text(out), Bytes.text(err), process.waitFor());
    });
    facts.is("what is put in", "3 words here\n", () -> {
      Process process = exec(true, "sh", "-c", "read a b; echo 3 $a $b");
      process.getOutputStream().write(Bytes.of("words here\n"));
      process.getOutputStream().flush();
      return Bytes.text(process.getInputStream());
    });
    byte[] many = Bytes.random(MEGABYTES, 4);
    facts.is("megabytes both ways", Bytes.hash(many), () -> {
      Process process = exec(true, "head", "-c", String.valueOf(MEGABYTES));
      var sent = CompletableFuture.runAsync(() -> {
        try {
          process.getOutputStream().write(many);
          process.getOutputStream().flush();
        } catch (java.io.IOException failure) {
          throw new java.io.UncheckedIOException(failure);
        }
      });
      byte[] came = Bytes.all(process.getInputStream());
      sent.get(30, TimeUnit.SECONDS);
      return Bytes.hash(came);
    });
    facts.is("a slow reader", 1 << 18, () -> {
      Process process = exec(false, "head", "-c", String.valueOf(1 << 18), "/dev/zero");
      return Bytes.slowly(process.getInputStream(), 1 << 15, 5).length;
    });
    facts.is("a terminal", "/dev/pts/0", () -> {
      Process process = new Exec(setting.client()).exec(namespace, "demo", new String[] {"tty"}, true, true);
      return Bytes.text(process.getInputStream()).trim();
    });
    facts.is("a program that is not there", true, () -> exec(false, "no-such-program").waitFor() != 0);
  }

  private void attached() {
    facts.is("attach", "got one", () -> {
      V1Pod echo = setting.pod("echo", "read line; echo got $line; sleep 100000");
      echo.getSpec().getContainers().get(0).setStdin(true);
      setting.ready(echo);
      try (var attached = new Attach(setting.client()).newConnectionBuilder(namespace, "echo")
          .setStdin(true).setStdout(true).connect()) {
        attached.getStandardInputStream().write(Bytes.of("one\n"));
        attached.getStandardInputStream().flush();
        return new BufferedReader(new InputStreamReader(attached.getStandardOutputStream())).readLine();
      }
    });
  }

  private void forwarded() throws Exception {
    setting.ready(setting.pod("servers", "mkdir /www; echo the page >/www/index.html; httpd -p 8080 -h /www; sleep 100000"));
    facts.is("port-forward", true, () -> {
      var forward = new PortForward(setting.client()).forward(namespace, "servers", List.of(8080));
      var out = forward.getOutboundStream(8080);
      out.write(Bytes.of("GET /index.html HTTP/1.0\r\n\r\n"));
      out.flush();
      byte[] answer = new byte[4096];
      int length = 0;
      var in = forward.getInputStream(8080);
      while (!Bytes.text(answer).substring(0, length).endsWith("the page\n")) {
        int more = in.read(answer, length, answer.length - length);
        if (more < 0) break;
        length += more;
      }
      return Bytes.text(answer).contains("the page\n");
    });
  }

  private void copied() throws Exception {
    Path folder = Files.createTempDirectory("wherry-java-copy-");
    byte[] many = Bytes.random(MEGABYTES, 5);
    facts.is("a file in", Bytes.hash(many), () -> {
      Path file = Files.write(folder.resolve("many"), many);
      new Copy(setting.client()).copyFileToPod(namespace, "demo", "main", file, Path.of("/tmp/many"));
      return Bytes.text(exec(false, "sha256sum", "/tmp/many").getInputStream()).split(" ")[0];
    });
    facts.is("bytes in", "words", () -> {
      new Copy(setting.client()).copyFileToPod(namespace, "demo", "main", Bytes.of("words"), Path.of("/tmp/words"));
      return Bytes.text(exec(false, "cat", "/tmp/words").getInputStream());
    });
    facts.is("a file out", Bytes.hash(many), () -> {
      Path copy = folder.resolve("copy");
      new Copy(setting.client()).copyFileFromPod(namespace, "demo", "main", "/tmp/many", copy);
      return Bytes.hash(Files.readAllBytes(copy));
    });
    facts.is("a folder out", "deep", () -> {
      exec(false, "sh", "-c", "mkdir -p /tmp/tree/a/b; echo -n deep > /tmp/tree/a/b/c.txt").waitFor();
      Path back = folder.resolve("back");
      new Copy(setting.client()).copyDirectoryFromPod(namespace, "demo", "main", "/tmp/tree", back);
      try (var files = Files.walk(back)) {
        return Files.readString(files.filter(Files::isRegularFile).findFirst().orElseThrow());
      }
    });
  }

  private void logged() throws Exception {
    setting.ready(setting.pod("talks", "for w in one two three; do echo $w; sleep 0.2; done; sleep 100000"));
    facts.is("logs, followed", List.of("one", "two", "three"), () -> {
      var lines = new BufferedReader(new InputStreamReader(
          new PodLogs(setting.client()).streamNamespacedPodLog(namespace, "talks", "main")));
      return List.of(lines.readLine(), lines.readLine(), lines.readLine());
    });
    facts.is("the last lines", "two\nthree\n", () ->
        setting.core().readNamespacedPodLog("talks", namespace).tailLines(2).execute());
    facts.is("with timestamps", true, () ->
        setting.core().readNamespacedPodLog("talks", namespace).timestamps(true).limitBytes(40).execute().startsWith("20"));
  }
}
