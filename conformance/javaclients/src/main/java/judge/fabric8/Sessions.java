package judge.fabric8;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.ExecListener;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import judge.Bytes;
import judge.Facts;

/** exec and attach, with every stream, end and size. The client speaks v4 of the protocol alone, which has no end of stdin. */
public final class Sessions {
  private static final int MEGABYTES = 8 << 20;
  private final Setting setting;
  private final KubernetesClient client;
  private final Facts facts;

  private Sessions(Setting setting, Facts facts) {
    this.setting = setting;
    this.client = setting.client();
    this.facts = facts;
  }

  public static void run(Setting setting, Facts facts) {
    setting.readyPod("demo");
    Sessions sessions = new Sessions(setting, facts);
    sessions.ends();
    sessions.streams();
    sessions.large();
    sessions.terminals();
    sessions.refused();
    sessions.attached();
  }

  private ContainerResource demo() {
    return client.pods().withName("demo");
  }

  private static int codeOf(ExecWatch watch) throws Exception {
    return watch.exitCode().get(30, TimeUnit.SECONDS);
  }

  private int run(String... words) throws Exception {
    try (ExecWatch watch = demo().redirectingOutput().exec(words)) {
      return codeOf(watch);
    }
  }

  private void ends() {
    facts.is("true", 0, () -> run("true"));
    facts.is("false", 1, () -> run("false"));
    facts.is("a code of its own", 37, () -> run("sh", "-c", "exit 37"));
    facts.is("the highest code", 255, () -> run("sh", "-c", "exit 255"));
    facts.is("a signal", 137, () -> run("sh", "-c", "kill -9 $$"));
    facts.is("SIGTERM", 143, () -> run("sh", "-c", "kill -TERM $$"));
    facts.is("a status comes with the end", "Failure NonZeroExitCode ExitCode=3", () -> {
      var ended = new CompletableFuture<Status>();
      ExecListener listener = new ExecListener() {
        @Override
        public void onExit(int code, Status status) {
          ended.complete(status);
        }

        @Override
        public void onClose(int code, String reason) {}
      };
      try (ExecWatch watch = demo().writingOutput(OutputStream.nullOutputStream()).usingListener(listener)
          .exec("sh", "-c", "exit 3")) {
        Status status = ended.get(30, TimeUnit.SECONDS);
        var cause = status.getDetails().getCauses().get(0);
        return status.getStatus() + " " + status.getReason() + " " + cause.getReason() + "=" + cause.getMessage();
      }
    });
    facts.is("the error channel has a status", true, () -> {
      var errors = new ByteArrayOutputStream();
      try (ExecWatch watch = demo().writingOutput(OutputStream.nullOutputStream())
          .writingError(OutputStream.nullOutputStream()).writingErrorChannel(errors).exec("sh", "-c", "exit 4")) {
        codeOf(watch);
        return errors.toString().contains("\"reason\":\"ExitCode\",\"message\":\"4\"");
      }
    });
    facts.is("a program that is not there", -1, () -> {
      try {
        return run("no-such-program");
      } catch (Exception failed) {
        return failed.getCause() == null ? failed : -1;
      }
    });
    facts.is("fifty at once", 50, () -> {
      var watches = IntStream.range(0, 50).mapToObj(i -> demo().redirectingOutput().exec("sh", "-c", "exit " + i)).toList();
      int right = 0;
      for (int i = 0; i < 50; i++) {
        if (codeOf(watches.get(i)) == i) right++;
        watches.get(i).close();
      }
      return right;
    });
    facts.is("closed before its end", true, () -> {
      ExecWatch watch = demo().redirectingOutput().exec("sh", "-c", "echo there; sleep 1000");
      boolean came = watch.getOutput().read() == 't';
      watch.close();
      return came;
    });
  }

  private void streams() {
    facts.is("stdout and stderr apart", List.of("out\n", "err\n"), () -> {
      var out = new ByteArrayOutputStream();
      var err = new ByteArrayOutputStream();
      try (ExecWatch watch = demo().writingOutput(out).writingError(err).exec("sh", "-c", "echo out; echo err >&2")) {
        codeOf(watch);
      }
      return List.of(out.toString(), err.toString());
    });
    facts.is("redirected to what is read", "out\nerr\n0", () -> {
      try (ExecWatch watch = demo().redirectingOutput().redirectingError().exec("sh", "-c", "echo out; echo err >&2")) {
        return Bytes.text(watch.getOutput()) + Bytes.text(watch.getError()) + codeOf(watch);
      }
    });
    facts.is("what is put in", "3 words here\n", () -> {
      try (ExecWatch watch = demo().redirectingInput().redirectingOutput().exec("sh", "-c", "read a b; echo 3 $a $b")) {
        watch.getInput().write(Bytes.of("words here\n"));
        watch.getInput().flush();
        return Bytes.text(watch.getOutput());
      }
    });
    facts.is("from a stream", "hello", () -> {
      var out = new ByteArrayOutputStream();
      var input = new ByteArrayInputStream(Bytes.of("hello"));
      try (ExecWatch watch = demo().readingInput(input).writingOutput(out).exec("head", "-c", "5")) {
        codeOf(watch);
      }
      return out.toString();
    });
    facts.is("stderr ends it, where that is asked for", true, () -> {
      try (ExecWatch watch = demo().redirectingOutput().terminateOnError().exec("sh", "-c", "echo no >&2; sleep 1000")) {
        codeOf(watch);
        return false;
      } catch (java.util.concurrent.ExecutionException failed) {
        return failed.getMessage().contains("no");
      }
    });
    facts.is("a conversation", "2 4 6 8 10", () -> {
      try (ExecWatch watch = demo().redirectingInput().redirectingOutput()
          .exec("sh", "-c", "while read n; do echo $((n * 2)); done")) {
        var answers = new ArrayList<String>();
        var lines = new java.io.BufferedReader(new java.io.InputStreamReader(watch.getOutput()));
        for (int n = 1; n <= 5; n++) {
          watch.getInput().write(Bytes.of(n + "\n"));
          watch.getInput().flush();
          answers.add(lines.readLine());
        }
        return String.join(" ", answers);
      }
    });
  }

  private void large() {
    byte[] many = Bytes.random(MEGABYTES, 1);
    facts.is("megabytes in", Bytes.hash(many) + "  -\n", () -> {
      try (ExecWatch watch = demo().redirectingInput().redirectingOutput()
          .exec("sh", "-c", "head -c " + MEGABYTES + " | sha256sum")) {
        watch.getInput().write(many);
        watch.getInput().flush();
        return Bytes.text(watch.getOutput());
      }
    });
    facts.is("megabytes both ways", Bytes.hash(many), () -> {
      try (ExecWatch watch = demo().redirectingInput().redirectingOutput().exec("head", "-c", String.valueOf(MEGABYTES))) {
        var sent = CompletableFuture.runAsync(() -> {
          try {
            watch.getInput().write(many);
            watch.getInput().flush();
          } catch (java.io.IOException failure) {
            throw new java.io.UncheckedIOException(failure);
          }
        });
        byte[] came = Bytes.all(watch.getOutput());
        sent.get(30, TimeUnit.SECONDS);
        return Bytes.hash(came);
      }
    });
    facts.is("megabytes out", 64L << 20, () -> {
      try (ExecWatch watch = demo().redirectingOutput().exec("head", "-c", String.valueOf(64 << 20), "/dev/zero")) {
        return watch.getOutput().transferTo(OutputStream.nullOutputStream());
      }
    });
    facts.is("a slow reader gets all of it", 4 << 20, () -> {
      try (ExecWatch watch = demo().redirectingOutput().exec("head", "-c", String.valueOf(4 << 20), "/dev/zero")) {
        return Bytes.slowly(watch.getOutput(), 1 << 16, 10).length;
      }
    });
    facts.is("a slow reader of two streams", List.of(1 << 20, 1 << 20, 0), () -> {
      String both = "head -c 1048576 /dev/zero; head -c 1048576 /dev/zero >&2";
      try (ExecWatch watch = demo().redirectingOutput().redirectingError().exec("sh", "-c", both)) {
        var errors = CompletableFuture.supplyAsync(() -> Bytes.all(watch.getError()).length);
        int out = Bytes.slowly(watch.getOutput(), 1 << 15, 5).length;
        return List.of(out, errors.get(30, TimeUnit.SECONDS), codeOf(watch));
      }
    });
  }

  private void terminals() {
    facts.is("a terminal", "/dev/pts/0", () -> {
      try (ExecWatch watch = demo().redirectingOutput().withTTY().exec("tty")) {
        return Bytes.text(watch.getOutput()).trim();
      }
    });
    facts.is("its size, and another", List.of("40 100", "50 120"), () -> {
      try (ExecWatch watch = demo().redirectingInput().redirectingOutput().withTTY().exec("sh")) {
        var lines = new java.io.BufferedReader(new java.io.InputStreamReader(watch.getOutput()));
        return List.of(sized(watch, lines, 100, 40), sized(watch, lines, 120, 50));
      }
    });
    facts.is("stderr is in the terminal's output", "both\r\n", () -> {
      try (ExecWatch watch = demo().redirectingOutput().withTTY().exec("sh", "-c", "echo both >&2")) {
        return Bytes.text(watch.getOutput());
      }
    });
    facts.is("Ctrl-C", 130, () -> {
      try (ExecWatch watch = demo().redirectingInput().redirectingOutput().withTTY()
          .exec("sh", "-c", "echo go; sleep 1000")) {
        while (watch.getOutput().read() != '\n') continue;
        watch.getInput().write(3);
        watch.getInput().flush();
        return codeOf(watch);
      }
    });
    facts.is("a terminal's exit code", 5, () -> {
      try (ExecWatch watch = demo().redirectingInput().redirectingOutput().withTTY().exec("sh")) {
        watch.getInput().write(Bytes.of("exit 5\n"));
        watch.getInput().flush();
        return codeOf(watch);
      }
    });
  }

  private static String sized(ExecWatch watch, java.io.BufferedReader lines, int columns, int rows) throws Exception {
    watch.resize(columns, rows);
    for (;;) {
      watch.getInput().write(Bytes.of("echo size:$(stty size)\n"));
      watch.getInput().flush();
      String line = lines.readLine();
      while (!line.startsWith("size:")) line = lines.readLine();
      if (line.equals("size:" + rows + " " + columns)) return rows + " " + columns;
      Thread.sleep(20);
    }
  }

  private void refused() {
    facts.is("no such container", "-1 null", () -> Setting.refusal(() ->
        client.pods().withName("demo").inContainer("zzz").redirectingOutput().exec("true").close()));
    facts.is("no such pod", "404 NotFound", () -> Setting.refusal(() ->
        client.pods().withName("zzz").redirectingOutput().exec("true").close()));
  }

  private void attached() {
    Pod echo = new PodBuilder(setting.pod("echo", "echo begins; read one; echo got $one; read two; echo got $two; echo ends"))
        .editSpec().withRestartPolicy("Never")
        .editContainer(0).withStdin(true).withStdinOnce(true).endContainer().endSpec().build();
    facts.is("attach", "got one\ngot two\nends\n", () -> {
      setting.ready(echo);
      try (ExecWatch watch = client.pods().withName("echo").redirectingInput().redirectingOutput().attach()) {
        watch.getInput().write(Bytes.of("one\ntwo\n"));
        watch.getInput().flush();
        return Bytes.text(watch.getOutput());
      }
    });
    facts.becomes("its container has ended", "Succeeded", () ->
        client.pods().withName("echo").get().getStatus().getPhase());
    Pod terminal = new PodBuilder(setting.pod("terminal", "exec sh"))
        .editSpec().editContainer(0).withStdin(true).withTty(true).endContainer().endSpec().build();
    facts.is("attach to a terminal", true, () -> {
      setting.ready(terminal);
      try (ExecWatch watch =
          client.pods().withName("terminal").redirectingInput().redirectingOutput().withTTY().attach()) {
        watch.getInput().write(Bytes.of("echo $((6 * 7))\n"));
        watch.getInput().flush();
        var lines = new java.io.BufferedReader(new java.io.InputStreamReader(watch.getOutput()));
        String line = lines.readLine();
        while (line != null && !line.equals("42")) line = lines.readLine();
        return line != null;
      }
    });
  }
}
