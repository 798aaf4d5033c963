package judge.fabric8;

import static judge.fabric8.Setting.refusal;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.ExecListener;
import java.io.StringWriter;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.security.auth.x500.X500Principal;
import judge.Facts;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Who a client is, by certificate, token or impersonation, what it may, and what is served. */
public final class Credentials {
  private final Setting setting;
  private final KubernetesClient client;
  private final Facts facts;

  private Credentials(Setting setting, Facts facts) {
    this.setting = setting;
    this.client = setting.client();
    this.facts = facts;
  }

  public static void run(Setting setting, Facts facts) throws Exception {
    Credentials credentials = new Credentials(setting, facts);
    credentials.discovery();
    credentials.tokens();
    credentials.impersonation();
    credentials.certificates();
  }

  private void discovery() {
    facts.holds("the version", () -> client.getKubernetesVersion().getMajor().equals("1"));
    facts.is("groups", true, () -> client.getApiGroups().getGroups().stream()
        .map(group -> group.getName()).toList().containsAll(List.of("apps", "batch", "coordination.k8s.io")));
    facts.is("a group", "v1", () -> client.getApiGroup("apps").getPreferredVersion().getVersion());
    facts.is("no such group", null, () -> client.getApiGroup("example.org"));
    facts.is("resources", true, () -> client.getApiResources("apps/v1").getResources().stream()
        .anyMatch(resource -> resource.getName().equals("deployments/scale")));
    facts.is("supports", List.of(true, false), () ->
        List.of(client.supports(Deployment.class), client.supports("example.org/v1", "Nothing")));
    facts.holds("has a group", () -> client.hasApiGroup("apps", true));
    facts.holds("paths", () -> client.rootPaths().getPaths().contains("/apis/apps/v1"));
    facts.is("versions", List.of("v1"), () -> client.getAPIVersions().getVersions());
    facts.is("visited", true, () -> {
      var kinds = new java.util.HashSet<String>();
      client.visitResources((group, version, resource, operation) -> {
        kinds.add(resource.getKind());
        return io.fabric8.kubernetes.client.ApiVisitor.ApiVisitResult.CONTINUE;
      });
      return kinds.containsAll(List.of("Pod", "Deployment", "Lease", "NetworkPolicy"));
    });
  }

  private KubernetesClient by(String token) {
    return setting.another(new ConfigBuilder(Config.empty())
        .withMasterUrl(setting.config().getMasterUrl()).withCaCertData(setting.config().getCaCertData())
        .withNamespace(setting.namespace()).withOauthToken(token).build());
  }

  private static String nameOf(KubernetesClient client) {
    return client.authentication().v1().selfSubjectReviews().create(new SelfSubjectReviewBuilder().build())
        .getStatus().getUserInfo().getUsername();
  }

  private void tokens() {
    client.resource(new ServiceAccountBuilder().withNewMetadata().withName("robot").endMetadata().build()).create();
    String robot = "system:serviceaccount:" + setting.namespace() + ":robot";
    String token = client.serviceAccounts().withName("robot").tokenRequest(new TokenRequestBuilder()
        .withNewSpec().withExpirationSeconds(600L).endSpec().build()).getStatus().getToken();
    facts.is("the certificate of the kubeconfig", "wherry-admin", () -> nameOf(client));
    facts.is("a token", robot, () -> {
      try (KubernetesClient own = by(token)) {
        return nameOf(own);
      }
    });
    facts.is("is known", robot, () -> client.authentication().v1().tokenReviews().create(new TokenReviewBuilder()
        .withNewSpec().withToken(token).endSpec().build()).getStatus().getUser().getUsername());
    facts.is("no token", "401 Unauthorized", () -> {
      try (KubernetesClient nobody = by("nonsense")) {
        return refusal(() -> nobody.pods().list());
      }
    });
    facts.is("what it may not", "403 Forbidden", () -> {
      try (KubernetesClient own = by(token)) {
        return refusal(() -> own.configMaps().list());
      }
    });
    facts.is("and may", List.of(true, 1), () -> {
      client.load(new java.io.ByteArrayInputStream("""
          apiVersion: rbac.authorization.k8s.io/v1
          kind: Role
          metadata: {name: reads}
          rules: [{apiGroups: [""], resources: [configmaps], verbs: [get, list, watch]}]
          ---
          apiVersion: rbac.authorization.k8s.io/v1
          kind: RoleBinding
          metadata: {name: reads}
          roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reads}
          subjects: [{kind: ServiceAccount, name: robot}]
          """.getBytes())).create();
      client.resource(new ConfigMapBuilder().withNewMetadata().withName("page").endMetadata().build()).create();
      try (KubernetesClient own = by(token)) {
        boolean allowed = own.authorization().v1().selfSubjectAccessReview().create(new SelfSubjectAccessReviewBuilder()
            .withNewSpec().withNewResourceAttributes().withNamespace(setting.namespace()).withVerb("list")
            .withResource("configmaps").endResourceAttributes().endSpec().build()).getStatus().getAllowed();
        return List.of(allowed, own.configMaps().withField("metadata.name", "page").list().getItems().size());
      }
    });
    facts.is("a token of another audience", "401 Unauthorized", () -> {
      String other = client.serviceAccounts().withName("robot").tokenRequest(new TokenRequestBuilder()
          .withNewSpec().addToAudiences("vault").endSpec().build()).getStatus().getToken();
      try (KubernetesClient own = by(other)) {
        return refusal(() -> own.pods().list());
      }
    });
  }

  private void impersonation() {
    facts.is("as somebody else", "jane", () -> {
      try (KubernetesClient jane = setting.another(new ConfigBuilder(setting.config())
          .withImpersonateUsername("jane").withImpersonateGroups("people", "more people").build())) {
        var info = jane.authentication().v1().selfSubjectReviews().create(new SelfSubjectReviewBuilder().build())
            .getStatus().getUserInfo();
        return info.getGroups().containsAll(List.of("people", "more people")) ? info.getUsername() : info;
      }
    });
    facts.is("who may nothing", "403 Forbidden", () -> {
      try (KubernetesClient jane = setting.another(new ConfigBuilder(setting.config()).withImpersonateUsername("jane").build())) {
        return refusal(() -> jane.pods().list());
      }
    });
    setting.readyPod("demo");
    facts.is("a refused exec is told to its listener", 403, () -> {
      client.load(new java.io.ByteArrayInputStream("""
          apiVersion: rbac.authorization.k8s.io/v1
          kind: Role
          metadata: {name: looks}
          rules: [{apiGroups: [""], resources: [pods], verbs: [get, list, watch]}]
          ---
          apiVersion: rbac.authorization.k8s.io/v1
          kind: RoleBinding
          metadata: {name: looks}
          roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: looks}
          subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: jane}]
          """.getBytes())).create();
      var told = new CompletableFuture<Integer>();
      ExecListener listener = new ExecListener() {
        @Override
        public void onFailure(Throwable thrown, ExecListener.Response response) {
          told.complete(response == null ? -1 : response.code());
        }

        @Override
        public void onClose(int code, String reason) {}
      };
      try (KubernetesClient jane = setting.another(new ConfigBuilder(setting.config()).withImpersonateUsername("jane").build())) {
        refusal(() -> jane.pods().withName("demo").redirectingOutput().usingListener(listener).exec("true").close());
      }
      return told.get(10, TimeUnit.SECONDS);
    });
  }

  private void certificates() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    var keys = generator.generateKeyPair();
    var request = new JcaPKCS10CertificationRequestBuilder(new X500Principal("CN=jane,O=people"), keys.getPublic())
        .build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate()));
    String name = setting.namespace() + "-jane";
    var requests = client.certificates().v1().certificateSigningRequests();
    client.resource(new CertificateSigningRequestBuilder().withNewMetadata().withName(name).endMetadata().withNewSpec()
        .withRequest(Base64.getEncoder().encodeToString(pem(request).getBytes()))
        .withSignerName("kubernetes.io/kube-apiserver-client").withUsages("client auth").withExpirationSeconds(3600)
        .endSpec().build()).create();
    facts.is("a certificate that is asked for, and approved", "jane", () -> {
      requests.withName(name).approve();
      String certificate = requests.withName(name).waitUntilCondition(found ->
          found.getStatus() != null && found.getStatus().getCertificate() != null, 20, TimeUnit.SECONDS)
          .getStatus().getCertificate();
      Config jane = new ConfigBuilder(Config.empty()).withMasterUrl(setting.config().getMasterUrl())
          .withCaCertData(setting.config().getCaCertData()).withClientCertData(certificate)
          .withClientKeyData(Base64.getEncoder().encodeToString(pem(keys.getPrivate()).getBytes()))
          .withClientKeyAlgo("RSA").withNamespace(setting.namespace()).build();
      try (KubernetesClient own = setting.another(jane)) {
        return nameOf(own);
      }
    });
    facts.is("or denied", "Denied", () -> {
      client.resource(new CertificateSigningRequestBuilder().withNewMetadata().withName(name + "-no").endMetadata()
          .withNewSpec().withRequest(Base64.getEncoder().encodeToString(pem(request).getBytes()))
          .withSignerName("kubernetes.io/kube-apiserver-client").withUsages("client auth").endSpec().build()).create();
      return requests.withName(name + "-no").deny().getStatus().getConditions().get(0).getType();
    });
    requests.withName(name).delete();
    requests.withName(name + "-no").delete();
  }

  private static String pem(Object object) throws Exception {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    }
    return text.toString();
  }
}
