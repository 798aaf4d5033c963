package judge.official;

import io.kubernetes.client.extended.controller.builder.ControllerBuilder;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import judge.Facts;

/** Watches, informers, a controller and leader election by Kubernetes' own client, over the death of the API server. */
public final class Informers {
  private Informers() {}

  private static V1ConfigMap map(String name, String word) {
    return new V1ConfigMap().metadata(new V1ObjectMeta().name(name).labels(Map.of("word", word))).data(Map.of("word", word));
  }

  public static void run(Setting setting, Facts facts) throws Exception {
    watched(setting, facts);
    led(setting, facts);
    var told = new CopyOnWriteArrayList<String>();
    var reconciled = new CopyOnWriteArrayList<String>();
    var factory = new SharedInformerFactory(setting.client());
    SharedIndexInformer<V1ConfigMap> informer = factory.sharedIndexInformerFor(
        (CallGeneratorParams params) -> setting.core().listNamespacedConfigMap(setting.namespace())
            .labelSelector("word").resourceVersion(params.resourceVersion).timeoutSeconds(params.timeoutSeconds)
            .watch(params.watch).buildCall(null),
        V1ConfigMap.class, V1ConfigMapList.class);
    informer.addEventHandler(new ResourceEventHandler<>() {
      @Override
      public void onAdd(V1ConfigMap object) {
        told.add("add " + object.getData().get("word"));
      }

      @Override
      public void onUpdate(V1ConfigMap before, V1ConfigMap object) {
        told.add("update " + object.getData().get("word"));
      }

      @Override
      public void onDelete(V1ConfigMap object, boolean isStateUnknown) {
        told.add("delete " + object.getData().get("word"));
      }
    });
    var controller = ControllerBuilder.defaultBuilder(factory)
        .watch(queue -> ControllerBuilder.controllerWatchBuilder(V1ConfigMap.class, queue)
            .withWorkQueueKeyFunc(found -> new Request(found.getMetadata().getNamespace(), found.getMetadata().getName()))
            .build())
        .withReconciler(request -> {
          reconciled.add(request.getName());
          return new Result(false);
        })
        .withName("judge").withReadyFunc(informer::hasSynced).withWorkerCount(2).build();
    factory.startAllRegisteredInformers();
    Thread thread = new Thread(controller);
    thread.setDaemon(true);
    thread.start();
    facts.becomes("an informer is synced", true, informer::hasSynced);
    var core = setting.core();
    core.createNamespacedConfigMap(setting.namespace(), map("i", "1")).execute();
    facts.becomes("it is told", List.of("add 1"), () -> told);
    facts.becomes("a controller reconciles", true, () -> reconciled.contains("i"));
    core.replaceNamespacedConfigMap("i", setting.namespace(), map("i", "2")).execute();
    facts.becomes("of changes, too", List.of("add 1", "update 2"), () -> told);
    var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    System.out.println("kill");
    if (lines.readLine() == null) throw new IllegalStateException("nobody killed the API server");
    facts.becomes("made after the death", "3", () ->
        core.createNamespacedConfigMap(setting.namespace(), map("j", "3")).execute().getData().get("word"));
    facts.becomes("the informer goes on", true, () -> told.contains("add 3"));
    facts.becomes("so does the controller", true, () -> reconciled.contains("j"));
    facts.is("its store", 2, () -> informer.getIndexer().list().size());
    factory.stopAllRegisteredInformers();
    controller.shutdown();
  }

  private static void watched(Setting setting, Facts facts) {
    facts.is("a watch", List.of("ADDED 1", "MODIFIED 2", "DELETED 2"), () -> {
      var core = setting.core();
      var events = new CopyOnWriteArrayList<String>();
      var call = core.listNamespacedConfigMap(setting.namespace()).fieldSelector("metadata.name=w").watch(true)
          .allowWatchBookmarks(true).buildCall(null);
      var type = new com.google.gson.reflect.TypeToken<Watch.Response<V1ConfigMap>>() {}.getType();
      try (Watch<V1ConfigMap> watch = Watch.createWatch(setting.client(), call, type)) {
        core.createNamespacedConfigMap(setting.namespace(), map("w", "1")).execute();
        core.replaceNamespacedConfigMap("w", setting.namespace(), map("w", "2")).execute();
        core.deleteNamespacedConfigMap("w", setting.namespace()).execute();
        while (events.size() < 3) {
          var event = watch.next();
          if (!event.type.equals("BOOKMARK")) events.add(event.type + " " + event.object.getData().get("word"));
        }
      }
      return events;
    });
  }

  private static void led(Setting setting, Facts facts) {
    var story = new CopyOnWriteArrayList<String>();
    LeaderElector first = candidate(setting, "first", story);
    facts.becomes("leads", List.of("first leads"), () -> story);
    LeaderElector second = candidate(setting, "second", story);
    first.close();
    facts.becomes("is followed", true, () -> story.contains("first stops") && story.contains("second leads"));
    second.close();
  }

  private static LeaderElector candidate(Setting setting, String who, List<String> story) {
    var lock = new LeaseLock(setting.namespace(), "leader", who, setting.client());
    var elector = new LeaderElector(
        new LeaderElectionConfig(lock, Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(300)));
    Thread thread = new Thread(() -> elector.run(() -> story.add(who + " leads"), () -> story.add(who + " stops")));
    thread.setDaemon(true);
    thread.start();
    return elector;
  }
}
