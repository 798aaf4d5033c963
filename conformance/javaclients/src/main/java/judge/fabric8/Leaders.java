package judge.fabric8;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.ConfigMapLock;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import judge.Facts;

/** Leader election by a lease and by a config map: one leads, another follows, and takes over. */
public final class Leaders {
  private Leaders() {}

  public static void run(Setting setting, Facts facts) {
    String namespace = setting.namespace();
    elect(setting.client(), facts, "a lease", who -> new LeaseLock(namespace, "leader", who));
    facts.is("the lease names who leads", true, () -> {
      var lease = setting.client().leases().withName("leader").get().getSpec();
      return lease.getLeaseTransitions() >= 1 && lease.getRenewTime() != null;
    });
    elect(setting.client(), facts, "a config map", who -> new ConfigMapLock(namespace, "leader", who));
  }

  private static void elect(KubernetesClient client, Facts facts, String what, Function<String, Lock> lockOf) {
    ExecutorService threads = Executors.newCachedThreadPool();
    var story = new CopyOnWriteArrayList<String>();
    CompletableFuture<?> first = candidate(client, threads, lockOf.apply("first"), "first", story);
    facts.becomes(what + ": the first leads", List.of("first leads"), () -> story);
    CompletableFuture<?> second = candidate(client, threads, lockOf.apply("second"), "second", story);
    facts.becomes(what + ": the second hears of it", true, () -> story.contains("second hears of first"));
    first.cancel(true);
    facts.becomes(what + ": the second takes over", true, () ->
        story.contains("first stops") && story.contains("second leads"));
    second.cancel(true);
    facts.becomes(what + ": and stops", true, () -> story.contains("second stops"));
    threads.shutdownNow();
  }

  private static CompletableFuture<?> candidate(
      KubernetesClient client, ExecutorService threads, Lock lock, String who, List<String> story) {
    var callbacks = new LeaderCallbacks(() -> story.add(who + " leads"), () -> story.add(who + " stops"), leader -> {
      if (leader != null && !leader.isEmpty() && !leader.equals(who)) story.add(who + " hears of " + leader);
    });
    var config = new LeaderElectionConfigBuilder().withName("judge").withLock(lock).withReleaseOnCancel()
        .withLeaseDuration(Duration.ofSeconds(3)).withRenewDeadline(Duration.ofSeconds(2))
        .withRetryPeriod(Duration.ofMillis(300)).withLeaderCallbacks(callbacks).build();
    return client.leaderElector().withConfig(config).build().start();
  }
}
