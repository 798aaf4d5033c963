package judge.fabric8;

import static judge.fabric8.Setting.refusal;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import judge.Facts;

/** Server-side apply: fields, their managers, conflicts, and what somebody gives up. */
public final class Apply {
  private Apply() {}

  public static void run(Setting setting, Facts facts) {
    KubernetesClient client = setting.client();
    facts.is("makes what is not there", Map.of("a", "1", "b", "2"), () ->
        client.resource(map("a", "1", "b", "2")).serverSideApply().getData());
    facts.is("by the client's name", List.of("fabric8 Apply"), () -> managers(client));
    facts.is("what is left out goes", Map.of("a", "1"), () ->
        client.resource(map("a", "1")).serverSideApply().getData());
    facts.is("another manager adds", Map.of("a", "1", "c", "3"), () ->
        client.resource(map("c", "3")).fieldManager("other").serverSideApply().getData());
    facts.is("a conflict", "409 Conflict", () ->
        refusal(() -> client.resource(map("a", "9")).fieldManager("other").serverSideApply()));
    facts.is("names the field and its manager", "FieldManagerConflict .data.a conflict with \"fabric8\"", () -> {
      try {
        client.resource(map("a", "9")).fieldManager("other").serverSideApply();
        return null;
      } catch (KubernetesClientException refused) {
        var cause = refused.getStatus().getDetails().getCauses().get(0);
        return cause.getReason() + " " + cause.getField() + " " + cause.getMessage();
      }
    });
    facts.is("forced", Map.of("a", "9"), () ->
        client.resource(map("a", "9")).fieldManager("other").forceConflicts().serverSideApply().getData());
    facts.is("two managers", List.of("other Apply"), () -> managers(client));
    facts.is("shares what is the same", List.of("fabric8 Apply", "other Apply"), () -> {
      client.resource(map("a", "9")).serverSideApply();
      return managers(client);
    });
    facts.is("and gives it up", Map.of("a", "9"), () -> client.resource(map()).serverSideApply().getData());
    facts.is("an update beside it", List.of("fabric8-kubernetes-client Update", "other Apply"), () -> {
      client.configMaps().withName("shared").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"z\":\"1\"}}");
      return managers(client).stream().map(words -> words.endsWith("Update") ? "fabric8-kubernetes-client Update" : words)
          .filter(words -> !words.equals("fabric8 Apply")).toList();
    });
    facts.is("a dry run", Map.of("a", "7", "z", "1"), () ->
        client.resource(map("a", "7")).dryRun().fieldManager("third").forceConflicts().serverSideApply().getData());
    facts.is("stores nothing", "9", () -> client.configMaps().withName("shared").get().getData().get("a"));
    facts.is("lists are merged by their keys", List.of("http", "https"), () -> {
      apply(client, "one", "[{name: http, port: 80}]");
      apply(client, "two", "[{name: https, port: 443}]");
      return client.services().withName("ports").get().getSpec().getPorts().stream()
          .map(port -> port.getName()).sorted().toList();
    });
    facts.is("by a patch", "x", () -> {
      var context = new PatchContext.Builder().withPatchType(PatchType.SERVER_SIDE_APPLY).withFieldManager("p")
          .withForce(true).build();
      return client.configMaps().withName("shared").patch(context,
          "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"shared\"},\"data\":{\"k\":\"x\"}}")
          .getData().get("k");
    });
    facts.is("with managed fields in it", "400 BadRequest", () -> {
      ConfigMap found = client.configMaps().withName("shared").get();
      var context = new PatchContext.Builder().withPatchType(PatchType.SERVER_SIDE_APPLY).withFieldManager("p")
          .withForce(true).build();
      return refusal(() -> client.configMaps().withName("shared")
          .patch(context, client.getKubernetesSerialization().asJson(found)));
    });
  }

  private static void apply(KubernetesClient client, String manager, String ports) {
    client.resource("apiVersion: v1\nkind: Service\nmetadata: {name: ports}\nspec: {ports: " + ports + "}")
        .fieldManager(manager).serverSideApply();
  }

  private static ConfigMap map(String... words) {
    var builder = new ConfigMapBuilder().withNewMetadata().withName("shared").endMetadata();
    for (int at = 0; at < words.length; at += 2) builder.addToData(words[at], words[at + 1]);
    return builder.build();
  }

  private static List<String> managers(KubernetesClient client) {
    return client.configMaps().withName("shared").get().getMetadata().getManagedFields().stream()
        .map(entry -> entry.getManager() + " " + entry.getOperation()).sorted().toList();
  }
}
