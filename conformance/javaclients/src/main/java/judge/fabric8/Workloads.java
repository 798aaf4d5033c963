package judge.fabric8;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EphemeralContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import judge.Facts;

/** Deployments and their rollouts, sets, jobs, and what is done to single pods and to nodes. */
public final class Workloads {
  private final Setting setting;
  private final KubernetesClient client;
  private final Facts facts;

  private Workloads(Setting setting, Facts facts) {
    this.setting = setting;
    this.client = setting.client();
    this.facts = facts;
  }

  public static void run(Setting setting, Facts facts) {
    Workloads workloads = new Workloads(setting, facts);
    workloads.deployments();
    workloads.statefulSets();
    workloads.jobs();
    workloads.pods();
    workloads.figures();
  }

  private Deployment deployment(String name) {
    return new DeploymentBuilder()
        .withNewMetadata().withName(name).endMetadata()
        .withNewSpec().withReplicas(2)
        .withNewSelector().addToMatchLabels("app", name).endSelector()
        .withNewTemplate().withNewMetadata().addToLabels("app", name).endMetadata()
        .withSpec(setting.pod(name, "sleep 100000").getSpec()).endTemplate().endSpec().build();
  }

  private void deployments() {
    facts.is("a deployment becomes ready", 2, () -> {
      client.resource(deployment("web")).create();
      return web().waitUntilReady(60, TimeUnit.SECONDS).getStatus().getReadyReplicas();
    });
    facts.is("is scaled, and waited for", 3, () -> ((Deployment) web().withTimeout(60, TimeUnit.SECONDS).scale(3)).getSpec().getReplicas());
    facts.is("by its scale", 1, () -> web().scale(new ScaleBuilder()
        .withNewMetadata().withName("web").endMetadata().withNewSpec().withReplicas(1).endSpec().build())
        .getSpec().getReplicas());
    facts.is("which is read", List.of(1, "app=web"), () ->
        List.of(web().scale().getSpec().getReplicas(), web().scale().getStatus().getSelector()));
    facts.is("restart writes the annotation that kubectl writes", true, () ->
        web().rolling().restart().getSpec().getTemplate().getMetadata().getAnnotations()
            .containsKey("kubectl.kubernetes.io/restartedAt"));
    facts.becomes("and makes another replica set", 2, () ->
        client.apps().replicaSets().withLabel("app", "web").list().getItems().size());
    facts.is("pause", true, () -> web().rolling().pause().getSpec().getPaused());
    facts.is("resume", null, () -> web().rolling().resume().getSpec().getPaused());
    facts.becomes("another image", "docker.io/library/other:1", () -> imageOf(web().rolling().updateImage("docker.io/library/other:1")));
    facts.becomes("makes a third one", 3, () ->
        client.apps().replicaSets().withLabel("app", "web").list().getItems().size());
    facts.becomes("undo goes back", setting.image(), () -> imageOf(web().rolling().undo()));
    facts.is("and settles", true, () -> web().waitUntilCondition(found ->
        found.getStatus().getObservedGeneration().equals(found.getMetadata().getGeneration())
            && Objects.equals(found.getStatus().getUpdatedReplicas(), 1)
            && Objects.equals(found.getStatus().getReplicas(), 1), 60, TimeUnit.SECONDS) != null);
    facts.becomes("images by container", "docker.io/library/third:1", () ->
        imageOf(web().rolling().updateImage(Map.of("main", "docker.io/library/third:1"))));
    facts.becomes("a status is written apart", List.of(7, 1), () -> {
      Deployment written = web().editStatus(found ->
          new DeploymentBuilder(found).editSpec().withReplicas(5).endSpec().editStatus().withCollisionCount(7).endStatus().build());
      return List.of(written.getStatus().getCollisionCount(), written.getSpec().getReplicas());
    });
    facts.is("waits in vain", true, () -> {
      try {
        web().waitUntilCondition(found -> false, 300, TimeUnit.MILLISECONDS);
        return false;
      } catch (KubernetesClientTimeoutException told) {
        return true;
      }
    });
    facts.comes("goes with its pods", () -> {
      web().withGracePeriod(0).delete();
      client.pods().withLabel("app", "web").waitUntilCondition(Objects::isNull, 60, TimeUnit.SECONDS);
    });
  }

  private RollableScalableResource<Deployment> web() {
    return client.apps().deployments().withName("web");
  }

  private static String imageOf(Deployment deployment) {
    List<Container> containers = deployment.getSpec().getTemplate().getSpec().getContainers();
    return containers.get(0).getImage();
  }

  private void statefulSets() {
    facts.is("a set in order", List.of("db-0", "db-1"), () -> {
      StatefulSet set = (StatefulSet) client.resource("""
          apiVersion: apps/v1
          kind: StatefulSet
          metadata: {name: db}
          spec:
            replicas: 2
            serviceName: db
            selector: {matchLabels: {app: db}}
            template:
              metadata: {labels: {app: db}}
              spec:
                terminationGracePeriodSeconds: 0
                containers: [{name: main, image: IMAGE, imagePullPolicy: Never, command: [sleep, "100000"]}]
          """.replace("IMAGE", setting.image())).item();
      client.resource(set).create();
      client.resource(set).waitUntilReady(60, TimeUnit.SECONDS);
      return client.pods().withLabel("app", "db").list().getItems().stream()
          .map(pod -> pod.getMetadata().getName()).sorted().toList();
    });
    facts.is("down to none", 0, () -> client.apps().statefulSets().withName("db").scale(0).getSpec().getReplicas());
    facts.is("restarted", true, () -> client.apps().statefulSets().withName("db").rolling().restart() != null);
    facts.is("a daemon set on the node", 1, () -> {
      client.resource("""
          apiVersion: apps/v1
          kind: DaemonSet
          metadata: {name: everywhere}
          spec:
            selector: {matchLabels: {app: everywhere}}
            template:
              metadata: {labels: {app: everywhere}}
              spec:
                terminationGracePeriodSeconds: 0
                containers: [{name: main, image: IMAGE, imagePullPolicy: Never, command: [sleep, "100000"]}]
          """.replace("IMAGE", setting.image())).create();
      return client.apps().daemonSets().withName("everywhere").waitUntilCondition(found ->
          found.getStatus() != null && found.getStatus().getNumberReady() > 0, 60, TimeUnit.SECONDS).getStatus().getNumberReady();
    });
  }

  private void jobs() {
    String job = """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: once}
        spec:
          completions: 2
          parallelism: 2
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: IMAGE, imagePullPolicy: Never, command: [echo, done]}]
        """.replace("IMAGE", setting.image());
    facts.is("a job ends", 2, () -> {
      client.resource(job).create();
      Job ended = client.batch().v1().jobs().withName("once").waitUntilCondition(found -> found.getStatus() != null
          && found.getStatus().getCompletionTime() != null, 60, TimeUnit.SECONDS);
      return ended.getStatus().getSucceeded();
    });
    facts.is("its logs", "done\ndone\n", () -> client.batch().v1().jobs().withName("once").getLog());
    facts.is("a cron job", "* * * * *", () -> client.batch().v1().cronjobs().load(new java.io.ByteArrayInputStream("""
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: often}
        spec:
          schedule: "* * * * *"
          suspend: true
          jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: none}]}}}}
        """.getBytes())).create().getSpec().getSchedule());
  }

  private void pods() {
    setting.readyPod("single");
    var single = client.pods().withName("single");
    facts.is("an ephemeral container", "beside", () -> {
      single.ephemeralContainers().edit(found -> new PodBuilder(found).editSpec()
          .addToEphemeralContainers(new EphemeralContainerBuilder().withName("debug").withImage(setting.image())
              .withImagePullPolicy("Never").withTargetContainerName("main")
              .withCommand("sh", "-c", "echo beside; sleep 100000").build()).endSpec().build());
      single.waitUntilCondition(found -> found.getStatus().getEphemeralContainerStatuses().stream()
          .anyMatch(status -> status.getState().getRunning() != null), 30, TimeUnit.SECONDS);
      return single.inContainer("debug").getLog().trim();
    });
    facts.is("a readiness gate", "True", () -> {
      Pod gated = new PodBuilder(setting.pod("gated", "sleep 100000")).editSpec()
          .addNewReadinessGate("example.com/open").endSpec().build();
      client.resource(gated).create();
      client.pods().withName("gated").waitUntilCondition(found ->
          found.getStatus().getPhase().equals("Running"), 30, TimeUnit.SECONDS);
      client.pods().withName("gated").patchReadinessGateStatus(Map.of("example.com/open", true));
      return client.pods().withName("gated").waitUntilReady(30, TimeUnit.SECONDS).getStatus().getConditions().stream()
          .filter(condition -> condition.getType().equals("Ready")).findFirst().orElseThrow().getStatus();
    });
    facts.is("run", "Running", () -> {
      client.run().inNamespace(setting.namespace()).withRunConfig(new io.fabric8.kubernetes.client.extended.run.RunConfigBuilder()
          .withName("run").withImage(setting.image()).withImagePullPolicy("Never").withCommand("sleep").addToArgs("100000")
          .build()).done();
      return client.pods().withName("run").waitUntilReady(30, TimeUnit.SECONDS).getStatus().getPhase();
    });
    facts.is("what a budget does not allow is not evicted", false, () -> {
      client.resource("""
          apiVersion: policy/v1
          kind: PodDisruptionBudget
          metadata: {name: keep}
          spec: {minAvailable: 1, selector: {matchLabels: {app: single}}}
          """).create();
      client.policy().v1().podDisruptionBudget().withName("keep").waitUntilCondition(found -> found.getStatus() != null
          && Objects.equals(found.getStatus().getObservedGeneration(), 1L), 20, TimeUnit.SECONDS);
      return single.evict();
    });
    facts.is("what nobody keeps is", true, () -> {
      client.policy().v1().podDisruptionBudget().withName("keep").delete();
      return single.evict();
    });
    facts.becomes("and goes", null, single::get);
    facts.is("of nothing there is nothing to evict", "404 NotFound", () ->
        Setting.refusal(() -> client.pods().withName("zzz").evict()));
    // An edit names the version that it has read, which a kubelet may have left behind.
    facts.becomes("cordon", true, () -> unschedulable(true));
    facts.becomes("uncordon", null, () -> unschedulable(null));
  }

  private Boolean unschedulable(Boolean wanted) {
    String node = client.nodes().list().getItems().get(0).getMetadata().getName();
    return client.nodes().withName(node).edit(found -> {
      found.getSpec().setUnschedulable(wanted);
      return found;
    }).getSpec().getUnschedulable();
  }

  private void figures() {
    facts.becomes("a node's figures", true, () -> {
      var metrics = client.top().nodes().metrics().getItems();
      return metrics.size() == 1 && metrics.get(0).getUsage().get("memory").getNumericalAmount().longValue() > 0;
    });
    facts.becomes("a pod's figures", true, () ->
        client.top().pods().metrics(setting.namespace(), "gated").getContainers().get(0).getUsage().containsKey("cpu"));
    facts.becomes("pods' figures by label", 1, () ->
        client.top().pods().inNamespace(setting.namespace()).withLabels(Map.of("app", "gated")).metrics().getItems().size());
  }
}
