package judge;

import java.util.Map;
import judge.fabric8.Apply;
import judge.fabric8.Credentials;
import judge.fabric8.CustomResources;
import judge.fabric8.Files;
import judge.fabric8.Forwarding;
import judge.fabric8.Informers;
import judge.fabric8.Leaders;
import judge.fabric8.Logs;
import judge.fabric8.Objects;
import judge.fabric8.Sessions;
import judge.fabric8.Workloads;

/** Runs one topic by one client: KUBECONFIG IMAGE CLIENT TOPIC. Ends with 1 when something is not as it should be. */
public final class Main {
  /** Some of what a client can do. */
  interface Topic<S> {
    void run(S setting, Facts facts) throws Exception;
  }

  private static final Map<String, Topic<judge.fabric8.Setting>> FABRIC8 = Map.ofEntries(
      Map.entry("apply", Apply::run),
      Map.entry("credentials", Credentials::run),
      Map.entry("custom-resources", CustomResources::run),
      Map.entry("files", Files::run),
      Map.entry("forwarding", Forwarding::run),
      Map.entry("informers", Informers::run),
      Map.entry("leaders", Leaders::run),
      Map.entry("logs", Logs::run),
      Map.entry("objects", Objects::run),
      Map.entry("sessions", Sessions::run),
      Map.entry("workloads", Workloads::run));

  private static final Map<String, Topic<judge.official.Setting>> OFFICIAL = Map.of(
      "informers", judge.official.Informers::run,
      "objects", judge.official.Objects::run,
      "sessions", judge.official.Sessions::run);

  private Main() {}

  public static void main(String[] words) {
    String kubeconfig = words[0];
    String image = words[1];
    String client = words[2];
    String topic = words[3];
    Facts facts = new Facts();
    facts.comes(client + ": " + topic, () -> {
      if (client.equals("official")) {
        try (var setting = judge.official.Setting.of(kubeconfig, image, topic)) {
          OFFICIAL.get(topic).run(setting, facts);
        }
      } else {
        try (var setting = judge.fabric8.Setting.of(kubeconfig, image, client, topic)) {
          FABRIC8.get(topic).run(setting, facts);
        }
      }
    });
    System.exit(facts.conclude() ? 0 : 1);
  }
}
