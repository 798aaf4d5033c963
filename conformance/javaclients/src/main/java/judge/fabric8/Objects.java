package judge.fabric8;

import static judge.fabric8.Setting.refusal;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import judge.Bytes;
import judge.Facts;

/** Everything that is done with objects: made, read, listed, changed in every way, and deleted. */
public final class Objects {
  private final Setting setting;
  private final KubernetesClient client;
  private final Facts facts;

  private Objects(Setting setting, Facts facts) {
    this.setting = setting;
    this.client = setting.client();
    this.facts = facts;
  }

  public static void run(Setting setting, Facts facts) {
    Objects objects = new Objects(setting, facts);
    objects.made();
    objects.listed();
    objects.patched();
    objects.locked();
    objects.deleted();
    objects.dynamic();
    objects.several();
    objects.refused();
  }

  private static ConfigMap map(String name, String... words) {
    var data = new TreeMap<String, String>();
    for (int at = 0; at < words.length; at += 2) data.put(words[at], words[at + 1]);
    return new ConfigMapBuilder()
        .withNewMetadata().withName(name).addToLabels("kind", "map").endMetadata().withData(data).build();
  }

  private Map<String, String> dataOf(String name) {
    return client.configMaps().withName(name).get().getData();
  }

  private void made() {
    facts.is("create answers with what is stored", "map", () ->
        client.resource(map("a", "k", "v")).create().getMetadata().getLabels().get("kind"));
    facts.is("what is there is not made again", "409 AlreadyExists", () ->
        refusal(() -> client.resource(map("a")).create()));
    facts.is("createOr updates what is there", Map.of("k", "w"), () ->
        client.resource(map("a", "k", "w")).createOr(NonDeletingOperation::update).getData());
    facts.is("createOr makes what is not there", Map.of("k", "v"), () ->
        client.resource(map("b", "k", "v")).createOr(NonDeletingOperation::update).getData());
    facts.is("unlock and createOr", Map.of("k", "x"), () ->
        client.resource(map("b", "k", "x")).unlock().createOr(NonDeletingOperation::update).getData());
    facts.is("a dry run answers", Map.of("dry", "run"), () ->
        client.resource(map("never", "dry", "run")).dryRun().create().getData());
    facts.is("and stores nothing", null, () -> client.configMaps().withName("never").get());
    facts.is("a name is generated", true, () -> {
      ConfigMap generated = new ConfigMapBuilder().withNewMetadata().withGenerateName("made-").endMetadata().build();
      return client.resource(generated).create().getMetadata().getName().matches("made-[a-z0-9]{5}");
    });
    facts.is("strings of secrets become bytes", "cGFzcw==", () -> {
      Secret secret = new SecretBuilder().withNewMetadata().withName("s").endMetadata()
          .addToStringData("word", "pass").build();
      return client.resource(secret).create().getData().get("word");
    });
    facts.is("bytes of config maps come back", "AAEC/w==", () -> {
      ConfigMap binary = new ConfigMapBuilder(map("bytes"))
          .addToBinaryData("b", Base64.getEncoder().encodeToString(new byte[] {0, 1, 2, (byte) 0xff})).build();
      client.resource(binary).create();
      return client.configMaps().withName("bytes").get().getBinaryData().get("b");
    });
    facts.is("a config map of files", "a page", () -> {
      ConfigMap files = new ConfigMapBuilder(map("files", "index.html", "a page")).build();
      return client.resource(files).serverSideApply().getData().get("index.html");
    });
    facts.is("createOrReplace", Map.of("k", "y"), () -> client.resource(map("b", "k", "y")).createOrReplace().getData());
    facts.is("something of a megabyte", 1_000_000, () -> {
      client.resource(map("large", "x", "é".repeat(500_000))).create();
      return Bytes.of(dataOf("large").get("x")).length;
    });
  }

  private void listed() {
    for (int i = 0; i < 7; i++) {
      ConfigMap one = new ConfigMapBuilder(map("page-" + i))
          .editMetadata().addToLabels("n", String.valueOf(i)).addToLabels("parity", i % 2 == 0 ? "even" : "odd")
          .endMetadata().build();
      client.resource(one).create();
    }
    var pages = client.configMaps().withLabel("n");
    facts.is("pages", List.of(3, 3, 1), () -> {
      var lengths = new ArrayList<Integer>();
      String next = null;
      do {
        var page = pages.list(new ListOptionsBuilder().withLimit(3L).withContinue(next).build());
        lengths.add(page.getItems().size());
        next = page.getMetadata().getContinue();
      } while (next != null && !next.isEmpty());
      return lengths;
    });
    facts.is("how many remain", 4L, () ->
        client.configMaps().withLabel("kind", "map").list(new ListOptionsBuilder()
            .withLimit(1L).build()).getMetadata().getRemainingItemCount() == null
            ? pagesRemaining() : -1L);
    facts.is("a page that is no page", "400 BadRequest", () ->
        refusal(() -> pages.list(new ListOptionsBuilder().withLimit(1L).withContinue("nonsense").build())));
    facts.is("with a label", 4, () -> client.configMaps().withLabel("parity", "even").list().getItems().size());
    facts.is("without a label", 3, () ->
        client.configMaps().withLabel("n").withoutLabel("parity", "even").list().getItems().size());
    facts.is("labels in", 2, () -> client.configMaps().withLabelIn("n", "1", "2", "x").list().getItems().size());
    facts.is("labels not in", 5, () ->
        client.configMaps().withLabel("n").withLabelNotIn("n", "1", "2").list().getItems().size());
    facts.is("a selector in words", 1, () ->
        client.configMaps().withLabelSelector("n in (1,2),parity!=odd").list().getItems().size());
    facts.is("a selector that is none", "400 BadRequest", () ->
        refusal(() -> client.configMaps().withLabelSelector("a b").list()));
    facts.is("a field", List.of("page-1"), () ->
        client.configMaps().withField("metadata.name", "page-1").list().getItems().stream()
            .map(found -> found.getMetadata().getName()).toList());
    facts.is("not a field", 6, () ->
        client.configMaps().withLabel("n").withoutField("metadata.name", "page-1").list().getItems().size());
    facts.is("a field that nobody selects by", "400 BadRequest", () ->
        refusal(() -> client.configMaps().withField("data.k", "v").list()));
    facts.is("of all namespaces", 7, () ->
        client.configMaps().inAnyNamespace().withLabel("n")
            .withField("metadata.namespace", setting.namespace()).list().getItems().size());
    facts.is("as a table", List.of("Name", "Data", "Age"), () ->
        client.configMaps().withName("a").getAsTable().getColumnDefinitions().stream()
            .map(column -> column.getName()).toList());
    facts.is("metadata alone", "PartialObjectMetadata", () ->
        client.configMaps().withName("a").getAsPartialObjectMetadata().getKind());
    facts.holds("of a revision that has passed", () ->
        client.configMaps().list(new ListOptionsBuilder().withResourceVersion("0").build()).getItems().size() >= 7);
  }

  private Long pagesRemaining() {
    return client.configMaps().list(new ListOptionsBuilder().withLimit(
        (long) client.configMaps().list().getItems().size() - 4).build()).getMetadata().getRemainingItemCount();
  }

  private void patched() {
    client.resource(map("p", "a", "1", "b", "2")).create();
    var one = client.configMaps().withName("p");
    facts.is("edit sends what differs", Map.of("a", "1", "b", "3"), () ->
        one.edit(found -> new ConfigMapBuilder(found).addToData("b", "3").build()).getData());
    facts.is("a merge patch", Map.of("b", "3", "c", "4"), () ->
        one.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"a\":null,\"c\":\"4\"}}").getData());
    facts.is("a strategic patch, in YAML", Map.of("b", "3", "c", "5"), () ->
        one.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "data:\n  c: '5'\n").getData());
    facts.is("a JSON patch", Map.of("b", "3", "c", "6"), () ->
        one.patch(PatchContext.of(PatchType.JSON), "[{\"op\":\"test\",\"path\":\"/data/c\",\"value\":\"5\"},"
            + "{\"op\":\"replace\",\"path\":\"/data/c\",\"value\":\"6\"}]").getData());
    facts.is("a test that fails", "422 Invalid", () ->
        refusal(() -> one.patch(PatchContext.of(PatchType.JSON), "[{\"op\":\"test\",\"path\":\"/data/c\",\"value\":\"x\"}]")));
    facts.is("a path that is not there", "422 Invalid", () ->
        refusal(() -> one.patch(PatchContext.of(PatchType.JSON), "[{\"op\":\"remove\",\"path\":\"/data/zzz\"}]")));
    facts.is("a patch that is no list", "400 BadRequest", () ->
        refusal(() -> one.patch(PatchContext.of(PatchType.JSON), "{\"op\":\"remove\"}")));
    facts.is("a patch of what is not there", "404 NotFound", () ->
        refusal(() -> client.configMaps().withName("zzz").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{}}")));
    facts.is("accept changes in place", "7", () ->
        one.accept(found -> found.getData().put("c", "7")).getData().get("c"));
    facts.is("a strategic patch of a list goes by its key", List.of("http:81", "https:443"), () -> {
      client.load(new java.io.ByteArrayInputStream(Bytes.of("""
          apiVersion: v1
          kind: Service
          metadata: {name: ports}
          spec: {selector: {app: x}, ports: [{name: http, port: 80}, {name: https, port: 443}]}
          """))).create();
      Service service = client.services().withName("ports").patch(PatchContext.of(PatchType.STRATEGIC_MERGE),
          "{\"spec\":{\"ports\":[{\"name\":\"http\",\"port\":81},{\"port\":80,\"$patch\":\"delete\"}]}}");
      return service.getSpec().getPorts().stream().map(port -> port.getName() + ":" + port.getPort()).sorted().toList();
    });
    facts.is("the field manager of a patch", true, () -> {
      var context = new PatchContext.Builder().withPatchType(PatchType.JSON_MERGE).withFieldManager("hands").build();
      return one.patch(context, "{\"data\":{\"d\":\"1\"}}").getMetadata().getManagedFields().stream()
          .anyMatch(entry -> entry.getManager().equals("hands") && entry.getOperation().equals("Update"));
    });
    facts.is("an unknown field is refused, if asked for", "422 Invalid", () -> {
      var context = new PatchContext.Builder().withPatchType(PatchType.JSON_MERGE).withFieldValidation("Strict").build();
      return refusal(() -> one.patch(context, "{\"datas\":{\"d\":\"1\"}}"));
    });
    facts.is("and comes through otherwise", "1", () ->
        one.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"datas\":{\"d\":\"1\"}}").getData().get("d"));
  }

  private void locked() {
    ConfigMap first = client.resource(map("l", "n", "0")).create();
    facts.is("an update without a lock", Map.of("n", "1"), () ->
        client.resource(map("l", "n", "1")).update().getData());
    facts.is("an update of something old", "409 Conflict", () ->
        refusal(() -> client.resource(first).update()));
    facts.is("a replace locked to something old", "409 Conflict", () ->
        refusal(() -> client.resource(map("l", "n", "2")).lockResourceVersion(
            first.getMetadata().getResourceVersion()).replace()));
    facts.is("a replace locked to what is", Map.of("n", "2"), () -> {
      String now = client.configMaps().withName("l").get().getMetadata().getResourceVersion();
      return client.resource(map("l", "n", "2")).lockResourceVersion(now).replace().getData();
    });
    facts.is("what does not change keeps its version", true, () -> {
      String before = client.configMaps().withName("l").get().getMetadata().getResourceVersion();
      return before.equals(client.resource(map("l", "n", "2")).update().getMetadata().getResourceVersion());
    });
    facts.is("deleted under a lock to something old", "409 Conflict", () ->
        refusal(() -> client.resource(map("l")).lockResourceVersion(first.getMetadata().getResourceVersion()).delete()));
    facts.is("an immutable one", "422 Invalid", () -> {
      client.resource(new ConfigMapBuilder(map("still", "k", "v")).withImmutable(true).build()).create();
      return refusal(() -> client.configMaps().withName("still").edit(found ->
          new ConfigMapBuilder(found).addToData("k", "w").build()));
    });
  }

  private void deleted() {
    facts.is("what is not there", List.of(), () -> client.configMaps().withName("zzz").delete());
    facts.is("what is there", List.of("l"), () -> client.configMaps().withName("l").delete().stream()
        .map(StatusDetails::getName).toList());
    facts.comes("waits until it is gone", () ->
        client.configMaps().withName("a").withTimeout(10, TimeUnit.SECONDS).delete());
    facts.is("by a label", 7, () -> client.configMaps().withLabel("n").delete().size());
    facts.is("dependents go in the background", null, () -> gone(DeletionPropagation.BACKGROUND));
    facts.is("dependents go first", null, () -> gone(DeletionPropagation.FOREGROUND));
    facts.is("orphans stay, without an owner", List.of(), () -> {
      pairOf("orphan");
      client.configMaps().withName("orphan").withPropagationPolicy(DeletionPropagation.ORPHAN).delete();
      return client.configMaps().withName("orphan-child").waitUntilCondition(
          child -> child.getMetadata().getOwnerReferences().isEmpty(), 20, TimeUnit.SECONDS)
          .getMetadata().getOwnerReferences();
    });
    facts.is("a finalizer holds", true, () -> {
      client.resource(new ConfigMapBuilder(map("held")).editMetadata().addToFinalizers("example.com/hold").endMetadata()
          .build()).create();
      client.configMaps().withName("held").delete();
      return client.configMaps().withName("held").get().isMarkedForDeletion();
    });
    facts.is("until it is taken away", null, () -> {
      client.configMaps().withName("held").edit(found -> {
        found.removeFinalizer("example.com/hold");
        return found;
      });
      return client.configMaps().withName("held").get();
    });
    facts.is("a pod's grace", 7L, () -> {
      setting.ready(setting.pod("graceful", "trap : TERM; while :; do sleep 1; done"));
      client.pods().withName("graceful").withGracePeriod(7).delete();
      return client.pods().withName("graceful").get().getMetadata().getDeletionGracePeriodSeconds();
    });
    facts.is("is cut short", null, () -> {
      client.pods().withName("graceful").withGracePeriod(0).delete();
      return client.pods().withName("graceful").get();
    });
  }

  private void pairOf(String name) {
    ConfigMap owner = client.resource(map(name)).create();
    client.resource(new ConfigMapBuilder(map(name + "-child")).editMetadata().addToOwnerReferences(
        new OwnerReferenceBuilder().withApiVersion("v1").withKind("ConfigMap").withName(name)
            .withUid(owner.getMetadata().getUid()).withBlockOwnerDeletion(true).build()).endMetadata().build()).create();
  }

  private ConfigMap gone(DeletionPropagation policy) {
    String name = policy.name().toLowerCase(java.util.Locale.ROOT);
    pairOf(name);
    client.configMaps().withName(name).withPropagationPolicy(policy).delete();
    client.configMaps().withName(name + "-child").waitUntilCondition(java.util.Objects::isNull, 20, TimeUnit.SECONDS);
    return client.configMaps().withName(name).waitUntilCondition(java.util.Objects::isNull, 20, TimeUnit.SECONDS);
  }

  private void dynamic() {
    facts.is("a kind that only its words name", "v", () -> {
      GenericKubernetesResource generic = client.getKubernetesSerialization().unmarshal("""
          apiVersion: v1
          kind: ConfigMap
          metadata: {name: generic}
          data: {k: v}
          """, GenericKubernetesResource.class);
      client.resource(generic).create();
      return client.genericKubernetesResources("v1", "ConfigMap").withName("generic").get().get("data", "k");
    });
    facts.is("is changed", "w", () ->
        client.genericKubernetesResources("v1", "ConfigMap").withName("generic")
            .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"k\":\"w\"}}").get("data", "k"));
    facts.is("is edited", 2, () ->
        client.genericKubernetesResources("v1", "ConfigMap").withName("generic").edit(found -> {
          Map<String, Object> data = found.get("data");
          data.put("more", "x");
          return found;
        }).<Map<String, String>>get("data").size());
    facts.is("and listed", 1, () ->
        client.genericKubernetesResources("v1", "ConfigMap").withField("metadata.name", "generic").list().getItems().size());
    facts.is("a kind that nobody serves", "-1 null", () -> refusal(() ->
        client.genericKubernetesResources("example.com/v7", "Nothing").list()));
  }

  private void several() {
    String manifests = """
        apiVersion: v1
        kind: List
        items:
        - {apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {yes: "on", octal: "0644"}}
        - {apiVersion: v1, kind: Secret, metadata: {name: two}, stringData: {a: b}}
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: three}
        """;
    facts.is("a list in YAML", List.of("ConfigMap/one", "Secret/two", "ServiceAccount/three"), () ->
        client.load(new java.io.ByteArrayInputStream(Bytes.of(manifests))).create().stream()
            .map(made -> made.getKind() + "/" + made.getMetadata().getName()).toList());
    facts.is("is read from the server", 3, () ->
        client.load(new java.io.ByteArrayInputStream(Bytes.of(manifests))).get().size());
    facts.is("as YAML and back", Map.of("yes", "on", "octal", "0644"), () -> {
      String yaml = client.getKubernetesSerialization().asYaml(client.configMaps().withName("one").get());
      return ((ConfigMap) client.resource(yaml).item()).getData();
    });
    facts.is("is applied by the server", 3, () ->
        client.load(new java.io.ByteArrayInputStream(Bytes.of(manifests))).resources()
            .map(resource -> (HasMetadata) resource.forceConflicts().serverSideApply()).toList().size());
    facts.is("and deleted", 3, () ->
        client.load(new java.io.ByteArrayInputStream(Bytes.of(manifests))).delete().size());
  }

  private void refused() {
    facts.is("a name that is none", "422 Invalid", () -> refusal(() -> client.resource(map("No_Name")).create()));
    facts.is("a cause names the field", "metadata.name", () -> {
      try {
        client.resource(map("No_Name")).create();
        return null;
      } catch (KubernetesClientException refused) {
        return refused.getStatus().getDetails().getCauses().get(0).getField();
      }
    });
    facts.is("a namespace that is not there", "404 NotFound", () -> refusal(() ->
        client.resource(map("x")).inNamespace("zzz").create()));
    facts.is("the words of a status", "configmaps \"zzz\" not found", () -> {
      try {
        client.configMaps().withName("zzz").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{}}");
        return null;
      } catch (KubernetesClientException refused) {
        return refused.getStatus().getMessage();
      }
    });
    facts.is("raw", "ok", () -> client.raw("/readyz"));
    facts.is("raw, of nothing", null, () -> client.raw("/apis/example.com/v7/nothing"));
  }
}
