package judge.official;

import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.util.Config;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import judge.Facts;

/** Kubernetes' own client in a namespace of the topic's own. */
public record Setting(ApiClient client, CoreV1Api core, String image, String namespace) implements AutoCloseable {
  public static Setting of(String kubeconfig, String image, String topic) throws Exception {
    ApiClient client = Config.fromConfig(kubeconfig);
    client.setHttpClient(client.getHttpClient().newBuilder().readTimeout(Duration.ZERO).build());
    io.kubernetes.client.openapi.Configuration.setDefaultApiClient(client);
    Setting setting = new Setting(client, new CoreV1Api(client), image, "official-" + topic);
    setting.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(setting.namespace))).execute();
    return setting;
  }

  V1Pod pod(String name, String script) {
    V1Container container = new V1Container().name("main").image(image).imagePullPolicy("Never")
        .command(List.of("sh", "-c", script));
    return new V1Pod().metadata(new V1ObjectMeta().name(name).labels(Map.of("app", name)))
        .spec(new V1PodSpec().terminationGracePeriodSeconds(0L).addContainersItem(container));
  }

  V1Pod ready(V1Pod pod) throws Exception {
    core.createNamespacedPod(namespace, pod).execute();
    String name = pod.getMetadata().getName();
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (System.nanoTime() < deadline) {
      V1Pod found = core.readNamespacedPod(name, namespace).execute();
      var conditions = found.getStatus().getConditions();
      if (conditions != null && conditions.stream().anyMatch(condition ->
          condition.getType().equals("Ready") && condition.getStatus().equals("True"))) return found;
      Thread.sleep(50);
    }
    throw new IllegalStateException("pod " + name + " is not ready within 60 s");
  }

  /** How a request is refused. */
  static String refusal(Facts.Step step) {
    try {
      step.run();
      return "not refused";
    } catch (ApiException refused) {
      String body = refused.getResponseBody();
      String reason = JsonParser.parseString(body).getAsJsonObject().get("reason").getAsString();
      return refused.getCode() + " " + reason;
    } catch (Exception other) {
      throw new IllegalStateException(other);
    }
  }

  @Override
  public void close() throws ApiException {
    core.deleteNamespace(namespace).execute();
  }
}
