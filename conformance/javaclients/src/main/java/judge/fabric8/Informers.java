package judge.fabric8;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import judge.Facts;

/** Watches and informers, also over the death of the API server, which the one who runs this brings about. */
public final class Informers {
  private final KubernetesClient client;
  private final Facts facts;

  private Informers(Setting setting, Facts facts) {
    this.client = setting.client();
    this.facts = facts;
  }

  public static void run(Setting setting, Facts facts) throws Exception {
    Informers informers = new Informers(setting, facts);
    informers.watches();
    informers.caches();
    informers.deaths();
  }

  private static ConfigMap map(String name, String word) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).addToLabels("word", word).endMetadata()
        .addToData("word", word).build();
  }

  /** What a watch or an informer is told, in a line each. */
  private static final class Told implements Watcher<ConfigMap>, ResourceEventHandler<ConfigMap> {
    final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    public void eventReceived(Action action, ConfigMap object) {
      events.add(action + " " + words(object));
    }

    @Override
    public void onClose(WatcherException cause) {
      events.add("closed " + cause.getMessage());
    }

    @Override
    public void onAdd(ConfigMap object) {
      events.add("add " + words(object));
    }

    @Override
    public void onUpdate(ConfigMap before, ConfigMap object) {
      events.add("update " + words(before) + " " + words(object));
    }

    @Override
    public void onDelete(ConfigMap object, boolean isStateUnknown) {
      events.add("delete " + words(object) + (isStateUnknown ? "?" : ""));
    }

    private static String words(ConfigMap object) {
      return object.getMetadata().getName() + "=" + object.getData().get("word");
    }
  }

  private void change() {
    client.resource(map("x", "one")).create();
    client.resource(map("x", "two")).update();
    client.configMaps().withName("x").delete();
  }

  private void watches() {
    Told told = new Told();
    facts.becomes("a watch", List.of("ADDED x=one", "MODIFIED x=two", "DELETED x=two"), () -> {
      if (told.events.isEmpty()) {
        client.configMaps().withField("metadata.name", "x").watch(told);
        change();
      }
      return told.events;
    });
    Told labelled = new Told();
    facts.becomes("a watch by label", List.of("ADDED x=two", "DELETED x=two"), () -> {
      if (labelled.events.isEmpty()) {
        client.configMaps().withLabel("word", "two").watch(labelled);
        change();
      }
      return labelled.events;
    });
    facts.becomes("from a version on", List.of("ADDED y=1", "MODIFIED y=2"), new java.util.concurrent.Callable<>() {
      private Told told;

      @Override
      public Object call() {
        if (told == null) {
          told = new Told();
          String version = client.configMaps().list().getMetadata().getResourceVersion();
          client.resource(map("y", "1")).create();
          client.resource(map("y", "2")).update();
          client.configMaps().withResourceVersion(version).watch(told);
        }
        return told.events;
      }
    });
    facts.is("a watch that the server ends goes on", true, () -> {
      Told ended = new Told();
      try (Watch watch = client.configMaps().watch(new ListOptionsBuilder().withTimeoutSeconds(1L).build(), ended)) {
        Thread.sleep(1500);
        client.resource(map("late", "1")).create();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!ended.events.contains("ADDED late=1") && System.nanoTime() < deadline) Thread.sleep(50);
        return ended.events.contains("ADDED late=1");
      }
    });
    facts.is("a list as a stream", true, () -> {
      var names = new CopyOnWriteArrayList<String>();
      client.configMaps().streamingList(item -> names.add(item.getMetadata().getName())).get(20, TimeUnit.SECONDS);
      return names.contains("y");
    });
  }

  private void caches() {
    Told told = new Told();
    try (SharedIndexInformer<ConfigMap> informer =
        client.configMaps().withLabelSelector("word in (a,b)").inform(told, 0)) {
      informer.addIndexers(Map.of("word", found -> List.of(found.getData().get("word"))));
      facts.holds("an informer is synced", () -> informer.hasSynced() && informer.isWatching());
      client.resource(map("i", "a")).create();
      client.resource(map("j", "a")).create();
      client.resource(map("i", "b")).update();
      client.resource(map("i", "c")).update();
      facts.becomes("what leaves the selection is deleted", List.of("add i=a", "add j=a", "update i=a i=b", "delete i=b"),
          () -> told.events.stream().map(words -> words.equals("delete i=c") ? "delete i=b" : words).toList());
      facts.becomes("by an index", 1, () -> informer.getIndexer().byIndex("word", "a").size());
      facts.is("its store", List.of("j"), () ->
          informer.getStore().list().stream().map(found -> found.getMetadata().getName()).toList());
    }
    facts.is("on a condition", 2, () -> {
      var found = client.configMaps().withLabel("word", "cond").informOnCondition(list -> list.size() == 2);
      client.resource(map("c1", "cond")).create();
      client.resource(map("c2", "cond")).create();
      return found.get(20, TimeUnit.SECONDS).size();
    });
    facts.becomes("of one resource", List.of("add solo=1", "update solo=1 solo=2"), new java.util.concurrent.Callable<>() {
      private Told solo;

      @Override
      public Object call() {
        if (solo == null) {
          solo = new Told();
          client.resource(map("solo", "1")).create();
          client.configMaps().withName("solo").inform(solo);
          client.resource(map("solo", "2")).update();
        }
        return solo.events;
      }
    });
    facts.is("a factory's", true, () -> {
      var factory = client.informers().inNamespace(client.getNamespace());
      var informer = factory.sharedIndexInformerFor(ConfigMap.class, 0);
      factory.startAllRegisteredInformers().get(20, TimeUnit.SECONDS);
      boolean has = informer.getStore().list().stream().anyMatch(found -> found.getMetadata().getName().equals("solo"));
      factory.stopAllRegisteredInformers();
      return has;
    });
  }

  /** Says `kill` and waits for a line: the API server is killed behind the first, and back before the second. */
  private void deaths() throws Exception {
    Told informed = new Told();
    Told watched = new Told();
    try (SharedIndexInformer<ConfigMap> informer = client.configMaps().withLabel("word", "dead").inform(informed, 0);
        Watch watch = client.configMaps().withLabel("word", "dead").watch(watched)) {
      client.resource(map("before", "dead")).create();
      facts.becomes("told before", List.of("add before=dead"), () -> informed.events);
      var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
      System.out.println("kill");
      if (lines.readLine() == null) throw new IllegalStateException("nobody killed the API server");
      facts.becomes("made after the death", "behind", () ->
          client.resource(map("behind", "dead")).create().getMetadata().getName());
      facts.becomes("an informer goes on, and tells nothing twice", List.of("add before=dead", "add behind=dead"),
          () -> informed.events);
      facts.becomes("a watch goes on", true, () -> watched.events.contains("ADDED behind=dead"));
      facts.holds("it watches", informer::isWatching);
    }
  }
}
