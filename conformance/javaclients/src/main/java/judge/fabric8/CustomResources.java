package judge.fabric8;

import static judge.fabric8.Setting.refusal;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import judge.Facts;

/** Custom resources of a definition that is generated from classes: typed and generic, with status and scale. */
public final class CustomResources {
  /** What a shop is asked to be. */
  @ValidationRule(value = "self.sells != 'nothing'", message = "a shop has to sell something")
  public static class ShopSpec {
    @JsonPropertyDescription("What it sells")
    @Required
    @Pattern("^[a-z]+$")
    @PrinterColumn(name = "Sells")
    public String sells;

    @SpecReplicas
    @Min(0)
    @Max(9)
    @Default("1")
    public Integer tills;

    public Map<String, Integer> prices;
  }

  /** What a shop is. */
  public static class ShopStatus {
    @StatusReplicas
    public Integer open;

    public String words;
  }

  /** A shop. */
  @Group("java.example.com")
  @Version("v1")
  public static class Shop extends CustomResource<ShopSpec, ShopStatus> implements Namespaced {}

  private CustomResources() {}

  public static void run(Setting setting, Facts facts) {
    KubernetesClient client = setting.client();
    CustomResourceDefinition definition = client.getKubernetesSerialization().unmarshal(generated(), CustomResourceDefinition.class);
    var definitions = client.apiextensions().v1().customResourceDefinitions();
    definitions.withName(definition.getMetadata().getName()).withTimeout(20, TimeUnit.SECONDS).delete();
    facts.is("a generated definition is established", "shops.java.example.com", () -> {
      client.resource(definition).create();
      return definitions.withName("shops.java.example.com").waitUntilCondition(found -> found.getStatus() != null
          && found.getStatus().getConditions().stream().anyMatch(condition ->
              condition.getType().equals("Established") && condition.getStatus().equals("True")),
          20, TimeUnit.SECONDS).getMetadata().getName();
    });
    facts.becomes("is supported", true, () -> client.supports(Shop.class));
    var shops = client.resources(Shop.class);
    facts.becomes("is made, with what is its default", List.of("bread", 1), () -> {
      Shop made = client.resource(shop("baker", "bread")).createOr(operation -> operation.update());
      return List.of(made.getSpec().sells, made.getSpec().tills);
    });
    facts.is("what a rule forbids", "422 Invalid", () -> refusal(() -> client.resource(shop("empty", "nothing")).create()));
    facts.is("what a pattern forbids", "422 Invalid", () -> refusal(() -> client.resource(shop("odd", "A B")).create()));
    facts.is("its columns", List.of("Name", "Sells"), () -> shops.withName("baker").getAsTable().getColumnDefinitions()
        .stream().map(column -> column.getName()).toList());
    facts.is("its status is written apart", List.of("open", "bread"), () -> {
      Shop written = shops.withName("baker").editStatus(found -> {
        found.getSpec().sells = "flour";
        found.setStatus(new ShopStatus());
        found.getStatus().words = "open";
        found.getStatus().open = 1;
        return found;
      });
      return List.of(written.getStatus().words, written.getSpec().sells);
    });
    facts.is("what is not status keeps it", List.of("open", "flour"), () -> {
      Shop written = shops.withName("baker").edit(found -> {
        found.getSpec().sells = "flour";
        found.setStatus(null);
        return found;
      });
      return List.of(written.getStatus().words, written.getSpec().sells);
    });
    facts.is("its generation", 2L, () -> shops.withName("baker").get().getMetadata().getGeneration());
    facts.is("scaled", List.of(3, 1), () -> {
      var scale = shops.withName("baker").scale();
      scale.getSpec().setReplicas(3);
      scale = shops.withName("baker").scale(scale);
      return List.of(scale.getSpec().getReplicas(), scale.getStatus().getReplicas());
    });
    facts.is("beyond what it may be", "422 Invalid", () -> refusal(() -> {
      var scale = shops.withName("baker").scale();
      scale.getSpec().setReplicas(10);
      shops.withName("baker").scale(scale);
    }));
    facts.is("applied", "cake", () -> client.resource(shop("baker", "cake")).forceConflicts().serverSideApply().getSpec().sells);
    facts.is("patched", Map.of("bun", 2), () -> shops.withName("baker")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"prices\":{\"bun\":2}}}").getSpec().prices);
    facts.is("no strategic patch", "415 UnsupportedMediaType", () -> refusal(() -> shops.withName("baker")
        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"spec\":{\"sells\":\"x\"}}")));
    facts.is("as something generic", "cake", () ->
        generic(client).withName("baker").get().get("spec", "sells"));
    facts.is("listed", List.of("baker"), () ->
        generic(client).list().getItems().stream().map(found -> found.getMetadata().getName()).toList());
    facts.becomes("watched by an informer", "tea", new java.util.concurrent.Callable<>() {
      private io.fabric8.kubernetes.client.informers.SharedIndexInformer<Shop> informer;

      @Override
      public Object call() {
        if (informer == null) {
          informer = shops.inform();
          shops.withName("baker").edit(found -> {
            found.getSpec().sells = "tea";
            return found;
          });
        }
        return informer.getStore().list().get(0).getSpec().sells;
      }
    });
    facts.is("goes with its definition", null, () -> {
      definitions.withName("shops.java.example.com").withTimeout(20, TimeUnit.SECONDS).delete();
      return definitions.withName("shops.java.example.com").get();
    });
  }

  private static MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>> generic(
      KubernetesClient client) {
    return client.genericKubernetesResources("java.example.com/v1", "Shop");
  }

  private static Shop shop(String name, String sells) {
    Shop shop = new Shop();
    shop.setMetadata(new ObjectMetaBuilder().withName(name).build());
    shop.setSpec(new ShopSpec());
    shop.getSpec().sells = sells;
    return shop;
  }

  private static String generated() {
    var text = new ByteArrayOutputStream();
    new CRDGenerator().customResourceClasses(Shop.class).forCRDVersions("v1")
        .withOutput(new CRDGenerator.AbstractCRDOutput<ByteArrayOutputStream>() {
          @Override
          protected ByteArrayOutputStream createStreamFor(String name) {
            return text;
          }
        }).generate();
    return text.toString();
  }
}
