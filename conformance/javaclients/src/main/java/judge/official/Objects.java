package judge.official;

import static judge.official.Setting.refusal;

import io.kubernetes.client.Discovery;
import io.kubernetes.client.Metrics;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.kubectl.Kubectl;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1DeleteOptions;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Yaml;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.PatchOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import judge.Facts;

/** Objects by Kubernetes' own client: typed, generic and dynamic, patched in every way, and as its kubectl does it. */
public final class Objects {
  private final Setting setting;
  private final Facts facts;
  private final String namespace;

  private Objects(Setting setting, Facts facts) {
    this.setting = setting;
    this.facts = facts;
    this.namespace = setting.namespace();
  }

  public static void run(Setting setting, Facts facts) throws Exception {
    Objects objects = new Objects(setting, facts);
    objects.typed();
    objects.patched();
    objects.generic();
    objects.deployments();
    objects.rest();
  }

  private static V1ConfigMap map(String name, Map<String, String> data) {
    return new V1ConfigMap().apiVersion("v1").kind("ConfigMap").metadata(new V1ObjectMeta().name(name)
        .labels(Map.of("kind", "map"))).data(data);
  }

  private void typed() {
    var core = setting.core();
    facts.is("create", Map.of("a", "1"), () ->
        core.createNamespacedConfigMap(namespace, map("m", Map.of("a", "1"))).execute().getData());
    facts.is("twice", "409 AlreadyExists", () ->
        refusal(() -> core.createNamespacedConfigMap(namespace, map("m", Map.of())).execute()));
    facts.is("read", "1", () -> core.readNamespacedConfigMap("m", namespace).execute().getData().get("a"));
    facts.is("replace", "2", () ->
        core.replaceNamespacedConfigMap("m", namespace, map("m", Map.of("a", "2"))).execute().getData().get("a"));
    facts.is("replace of something old", "409 Conflict", () -> refusal(() -> {
      V1ConfigMap old = map("m", Map.of());
      old.getMetadata().setResourceVersion("1");
      core.replaceNamespacedConfigMap("m", namespace, old).execute();
    }));
    facts.is("nothing", "404 NotFound", () -> refusal(() -> core.readNamespacedConfigMap("zzz", namespace).execute()));
    facts.is("a dry run", "404 NotFound", () -> {
      core.createNamespacedConfigMap(namespace, map("dry", Map.of())).dryRun("All").execute();
      return refusal(() -> core.readNamespacedConfigMap("dry", namespace).execute());
    });
    facts.is("an unknown field", "422 Invalid", () -> refusal(() -> core.createNamespacedConfigMap(namespace,
        map("No Name", Map.of())).fieldValidation("Strict").execute()));
    facts.is("pages", List.of(2, 2, 1), () -> {
      for (int i = 0; i < 4; i++) core.createNamespacedConfigMap(namespace, map("page-" + i, Map.of())).execute();
      var lengths = new ArrayList<Integer>();
      String next = null;
      do {
        var page = core.listNamespacedConfigMap(namespace).labelSelector("kind=map").limit(2)._continue(next).execute();
        lengths.add(page.getItems().size());
        next = page.getMetadata().getContinue();
      } while (next != null && !next.isEmpty());
      return lengths;
    });
    facts.is("deleted", "Success", () -> core.deleteNamespacedConfigMap("page-0", namespace)
        .body(new V1DeleteOptions().propagationPolicy("Background")).execute().getStatus());
    facts.is("together", 0, () -> {
      core.deleteCollectionNamespacedConfigMap(namespace).labelSelector("kind=map").execute();
      return core.listNamespacedConfigMap(namespace).labelSelector("kind=map").execute().getItems().size();
    });
  }

  private V1ConfigMap patch(String format, String body) throws Exception {
    return PatchUtils.patch(V1ConfigMap.class, () -> {
      var call = setting.core().patchNamespacedConfigMap("p", namespace, new V1Patch(body)).fieldManager("java");
      return (format.equals(V1Patch.PATCH_FORMAT_APPLY_YAML) ? call.force(true) : call).buildCall(null);
    }, format, setting.client());
  }

  private void patched() throws Exception {
    setting.core().createNamespacedConfigMap(namespace, map("p", Map.of("a", "1"))).execute();
    facts.is("a JSON patch", "2", () -> patch(V1Patch.PATCH_FORMAT_JSON_PATCH,
        "[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"2\"}]").getData().get("a"));
    facts.is("a merge patch", "3", () ->
        patch(V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"a\":\"3\"}}").getData().get("a"));
    facts.is("a strategic patch", "4", () ->
        patch(V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"data\":{\"a\":\"4\"}}").getData().get("a"));
    facts.is("apply", "5", () -> patch(V1Patch.PATCH_FORMAT_APPLY_YAML,
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata: {a: '5'}").getData().get("a"));
    facts.is("a patch that does not fit", "422 Invalid", () -> refusal(() ->
        patch(V1Patch.PATCH_FORMAT_JSON_PATCH, "[{\"op\":\"remove\",\"path\":\"/data/zzz\"}]")));
  }

  private void generic() {
    var api = new GenericKubernetesApi<>(V1ConfigMap.class,
        io.kubernetes.client.openapi.models.V1ConfigMapList.class, "", "v1", "configmaps", setting.client());
    facts.is("generic", "1", () -> {
      V1ConfigMap made = map("g", Map.of("a", "1"));
      made.getMetadata().setNamespace(namespace);
      return api.create(made).getObject().getData().get("a");
    });
    facts.is("generic apply", "2", () -> {
      PatchOptions options = new PatchOptions();
      options.setFieldManager("generic");
      options.setForce(true);
      return api.patch(namespace, "g", V1Patch.PATCH_FORMAT_APPLY_YAML, new V1Patch(
          "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"g\"},\"data\":{\"a\":\"2\"}}"), options)
          .getObject().getData().get("a");
    });
    facts.is("generic, of nothing", List.of(404, "NotFound"), () -> {
      var answer = api.get(namespace, "zzz");
      return List.of(answer.getHttpStatusCode(), answer.getStatus().getReason());
    });
    facts.is("dynamic", "Service", () -> {
      var dynamic = new DynamicKubernetesApi("", "v1", "services", setting.client());
      V1Service service = Yaml.loadAs("""
          apiVersion: v1
          kind: Service
          metadata: {name: d}
          spec: {selector: {app: d}, ports: [{port: 80, targetPort: http}]}
          """, V1Service.class);
      service.getMetadata().setNamespace(namespace);
      var object = new DynamicKubernetesObject(
          com.google.gson.JsonParser.parseString(setting.client().getJSON().serialize(service)).getAsJsonObject());
      return dynamic.create(object).throwsApiException().getObject().getKind();
    });
    facts.is("a list", 1, () -> {
      var dynamic = new DynamicKubernetesApi("", "v1", "services", setting.client());
      return dynamic.list(namespace).throwsApiException().getObject().getItems().size();
    });
  }

  private void deployments() throws Exception {
    var apps = new AppsV1Api(setting.client());
    var pod = setting.pod("web", "sleep 100000");
    apps.createNamespacedDeployment(namespace, new V1Deployment().metadata(new V1ObjectMeta().name("web"))
        .spec(new V1DeploymentSpec().replicas(1).selector(new V1LabelSelector().matchLabels(Map.of("app", "web")))
            .template(new V1PodTemplateSpec().metadata(pod.getMetadata().name(null)).spec(pod.getSpec())))).execute();
    facts.becomes("a deployment", 1, () ->
        apps.readNamespacedDeployment("web", namespace).execute().getStatus().getReadyReplicas());
    facts.is("scaled as kubectl does", 2, () -> {
      Kubectl.scale(V1Deployment.class).apiClient(setting.client()).namespace(namespace).name("web").replicas(2).execute();
      return apps.readNamespacedDeploymentScale("web", namespace).execute().getSpec().getReplicas();
    });
    facts.becomes("its rollout", 2, () ->
        apps.readNamespacedDeployment("web", namespace).execute().getStatus().getReadyReplicas());
    facts.is("its history", 1, () -> Kubectl.rollout(V1Deployment.class).history()
        .apiClient(setting.client()).namespace(namespace).name("web").execute().size());
    facts.is("labelled", "x", () -> Kubectl.label(V1Deployment.class).apiClient(setting.client()).namespace(namespace)
        .name("web").addLabel("extra", "x").execute().getMetadata().getLabels().get("extra"));
    facts.is("annotated", "y", () -> Kubectl.annotate(V1Deployment.class).apiClient(setting.client())
        .namespace(namespace).name("web").addAnnotation("note", "y").execute().getMetadata().getAnnotations().get("note"));
    facts.is("listed", 1, () -> Kubectl.get(V1Deployment.class).apiClient(setting.client()).namespace(namespace)
        .execute().size());
    facts.is("deleted with its pods", "Success", () -> {
      V1Status status = apps.deleteNamespacedDeployment("web", namespace).gracePeriodSeconds(0).execute();
      return status.getStatus();
    });
  }

  private void rest() {
    facts.is("the version", "1", () -> new VersionApi(setting.client()).getCode().execute().getMajor());
    facts.is("discovery", true, () -> new Discovery(setting.client()).findAll().stream()
        .anyMatch(found -> found.getResourcePlural().equals("deployments") && found.getNamespaced()));
    facts.becomes("a node's figures", true, () -> {
      var figures = new Metrics(setting.client()).getNodeMetrics().getItems();
      return figures.size() == 1 && figures.get(0).getUsage().get("memory").getNumber().longValue() > 0;
    });
  }
}
