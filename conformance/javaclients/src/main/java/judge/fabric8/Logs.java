package judge.fabric8;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import judge.Bytes;
import judge.Facts;

/** What containers wrote: all of it, parts of it, and as it comes. */
public final class Logs {
  private Logs() {}

  public static void run(Setting setting, Facts facts) {
    KubernetesClient client = setting.client();
    var pod = new PodBuilder(setting.pod("talks", "for i in 1 2 3 4 5; do echo line $i; done; echo é; sleep 100000"))
        .editSpec().addToContainers(new ContainerBuilder(setting.container("echo beside; sleep 100000"))
            .withName("beside").build()).endSpec().build();
    setting.ready(pod);
    var talks = client.pods().withName("talks").inContainer("main");
    String all = "line 1\nline 2\nline 3\nline 4\nline 5\né\n";
    facts.becomes("all of it", all, () -> talks.getLog());
    facts.is("of another container", "beside\n", () -> client.pods().withName("talks").inContainer("beside").getLog());
    facts.is("which has to be said", "400 BadRequest", () -> Setting.refusal(() -> client.raw(
        "/api/v1/namespaces/" + setting.namespace() + "/pods/talks/log", "GET", null)));
    facts.is("as a stream", all, () -> Bytes.text(talks.getLogInputStream()));
    facts.is("as characters", all, () -> {
      var characters = new java.io.StringWriter();
      talks.getLogReader().transferTo(characters);
      return characters.toString();
    });
    facts.is("the last lines", "line 5\né\n", () -> talks.tailingLines(2).getLog());
    facts.is("none of the last lines", "", () -> talks.tailingLines(0).getLog());
    facts.is("some bytes", "line 1\nlin", () -> talks.limitBytes(10).getLog());
    facts.is("of a minute", all, () -> talks.sinceSeconds(60).getLog());
    facts.is("since a time", "", () -> talks.sinceTime(Instant.now().plusSeconds(1).toString()).getLog());
    facts.is("with timestamps", true, () -> talks.usingTimestamps().tailingLines(1).getLog()
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z é\n"));
    facts.is("several of these", true, () -> {
      String found = talks.usingTimestamps().limitBytes(1000).sinceSeconds(100).tailingLines(2).withPrettyOutput().getLog();
      return found.lines().count() == 2;
    });
    facts.is("followed", List.of("one", "two", "three"), () -> {
      setting.ready(setting.pod("slowly", "for w in one two three; do echo $w; sleep 0.3; done; sleep 100000"));
      try (LogWatch watch = client.pods().withName("slowly").watchLog()) {
        var lines = new BufferedReader(new InputStreamReader(watch.getOutput()));
        return List.of(lines.readLine(), lines.readLine(), lines.readLine());
      }
    });
    facts.is("followed to the end", "begin\nend\n", () -> {
      var ends = new PodBuilder(setting.pod("ends", "echo begin; sleep 1; echo end"))
          .editSpec().withRestartPolicy("Never").endSpec().build();
      client.resource(ends).create();
      var out = new ByteArrayOutputStream();
      try (LogWatch watch = client.pods().withName("ends").withReadyWaitTimeout(20_000).watchLog(out)) {
        watch.onClose().toCompletableFuture().get(30, TimeUnit.SECONDS);
      }
      return out.toString();
    });
    facts.is("of one that has ended", "begin\nend\n", () -> client.pods().withName("ends").getLog());
    facts.is("of its run before", "first\n", () -> {
      client.resource(new PodBuilder(
          setting.pod("again", "[ -e /v/x ] && echo second && sleep 100000; touch /v/x; echo first; exit 1"))
          .editSpec().addNewVolume().withName("v").withNewEmptyDir().endEmptyDir().endVolume()
          .editContainer(0).addNewVolumeMount().withName("v").withMountPath("/v").endVolumeMount().endContainer()
          .endSpec().build()).create();
      client.pods().withName("again").waitUntilCondition(found -> found.getStatus().getContainerStatuses().stream()
          .anyMatch(status -> status.getRestartCount() == 1 && status.getState().getRunning() != null), 60, TimeUnit.SECONDS);
      return client.pods().withName("again").terminated().getLog();
    });
    facts.is("of nothing before", "400 BadRequest", () ->
        Setting.refusal(() -> client.pods().withName("slowly").terminated().getLog()));
    facts.is("of no such container", "400 BadRequest", () ->
        Setting.refusal(() -> client.pods().withName("talks").inContainer("zzz").getLog()));
    facts.is("megabytes", 5_000_000, () -> {
      setting.ready(setting.pod("much", "yes 1234567 | head -n 625000 | head -c 5000000; sleep 100000"));
      int length = 0;
      for (int i = 0; i < 200 && length < 5_000_000; i++) {
        length = Bytes.all(client.pods().withName("much").getLogInputStream()).length;
        Thread.sleep(50);
      }
      return length;
    });
    facts.is("of a deployment's pods", true, () -> {
      client.resource("""
          apiVersion: apps/v1
          kind: Deployment
          metadata: {name: speaks}
          spec:
            replicas: 1
            selector: {matchLabels: {app: speaks}}
            template:
              metadata: {labels: {app: speaks}}
              spec:
                terminationGracePeriodSeconds: 0
                containers: [{name: main, image: IMAGE, imagePullPolicy: Never, command: [sh, -c, echo hi; sleep 100000]}]
          """.replace("IMAGE", setting.image())).create();
      client.apps().deployments().withName("speaks").waitUntilReady(60, TimeUnit.SECONDS);
      return client.apps().deployments().withName("speaks").getLog().contains("hi");
    });
  }
}
