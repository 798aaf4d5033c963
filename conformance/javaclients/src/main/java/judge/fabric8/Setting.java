package judge.fabric8;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx5.Vertx5HttpClientFactory;
import java.io.File;
import java.util.concurrent.TimeUnit;
import judge.Facts;

/** A client in a namespace of the topic's own. */
public record Setting(KubernetesClient client, Config config, HttpClient.Factory http, String image, String namespace)
    implements AutoCloseable {

  static HttpClient.Factory factoryOf(String name) {
    return switch (name) {
      case "jdk" -> new JdkHttpClientFactory();
      case "okhttp" -> new OkHttpClientFactory();
      case "vertx" -> new Vertx5HttpClientFactory();
      default -> throw new IllegalArgumentException("no HTTP client is called " + name);
    };
  }

  public static Setting of(String kubeconfig, String image, String clientName, String topic) {
    String namespace = clientName + "-" + topic;
    Config config = new ConfigBuilder(Config.fromKubeconfig(new File(kubeconfig))).withNamespace(namespace).build();
    HttpClient.Factory http = factoryOf(clientName);
    Setting setting = new Setting(clientOf(config, http), config, http, image, namespace);
    var named = new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build();
    setting.client.resource(named).create();
    return setting;
  }

  static KubernetesClient clientOf(Config config, HttpClient.Factory http) {
    return new KubernetesClientBuilder().withConfig(config).withHttpClientFactory(http).build();
  }

  /** A client of the same kind with another configuration. */
  KubernetesClient another(Config other) {
    return clientOf(other, http);
  }

  Container container(String script) {
    return new ContainerBuilder()
        .withName("main").withImage(image).withImagePullPolicy("Never").withCommand("sh", "-c", script).build();
  }

  Pod pod(String name, String script) {
    return new PodBuilder()
        .withNewMetadata().withName(name).addToLabels("app", name).endMetadata()
        .withNewSpec().withTerminationGracePeriodSeconds(0L).withContainers(container(script)).endSpec()
        .build();
  }

  /** A pod that sleeps, once it is ready. */
  Pod readyPod(String name) {
    return ready(pod(name, "sleep 100000"));
  }

  Pod ready(Pod pod) {
    client.resource(pod).create();
    return client.resource(pod).waitUntilReady(60, TimeUnit.SECONDS);
  }

  /** How a request is refused, as its status and the code say. */
  static String refusal(Facts.Step step) {
    try {
      step.run();
      return "not refused";
    } catch (KubernetesClientException refused) {
      String reason = refused.getStatus() == null ? null : refused.getStatus().getReason();
      return refused.getCode() + " " + reason;
    } catch (Exception other) {
      throw new IllegalStateException(other);
    }
  }

  @Override
  public void close() {
    client.namespaces().withName(namespace).delete();
    client.close();
  }
}
