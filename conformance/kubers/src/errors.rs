//! What programs are told when they are refused: codes, reasons, words, causes.
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Service};
use kube::api::{Api, ListParams, PostParams};
use kube::{Client, Config};
use serde_json::json;

use crate::from_json;
use crate::objects::namespace;
use crate::told::{refused, step};

const NAMESPACE: &str = "errors";

async fn asked(client: &Client, method: &str, path: &str, kind: &str, body: &str) -> kube::Result<String> {
    let request = http::Request::builder().method(method).uri(path).header("content-type", kind);
    client.request_text(request.body(body.as_bytes().to_vec()).map_err(kube::Error::HttpError)?).await
}

pub async fn tell(client: &Client, config: &Config) {
    step("namespace", async { namespace(client, NAMESPACE).await.map(|()| "made".into()) }).await;
    let post = PostParams::default();
    step("invalid deployment", async {
        let template = json!({ "metadata": { "labels": { "app": "b" } }, "spec": { "containers": [{ "name": "A b" }], "restartPolicy": "Never" } });
        let spec = json!({ "replicas": -1, "selector": { "matchLabels": { "app": "a" } }, "template": template });
        let object: Deployment = from_json(json!({ "metadata": { "name": "wrong" }, "spec": spec }))?;
        refused(Api::<Deployment>::namespaced(client.clone(), NAMESPACE).create(&post, &object).await)
    })
    .await;
    step("invalid service", async {
        let spec = json!({ "ports": [{ "port": 70000 }, { "port": 80, "protocol": "ICMP" }], "type": "Odd" });
        let object: Service = from_json(json!({ "metadata": { "name": "wrong" }, "spec": spec }))?;
        refused(Api::<Service>::namespaced(client.clone(), NAMESPACE).create(&post, &object).await)
    })
    .await;
    step("invalid pod", async {
        let container = json!({ "name": "main", "image": "image", "volumeMounts": [{ "name": "none", "mountPath": "/" }], "resources": { "limits": { "cpu": "1" }, "requests": { "cpu": "2" } } });
        let object: Pod = from_json(json!({ "metadata": { "name": "wrong" }, "spec": { "automountServiceAccountToken": false, "containers": [container] } }))?;
        refused(Api::<Pod>::namespaced(client.clone(), NAMESPACE).create(&post, &object).await)
    })
    .await;
    let map = |name: &str| from_json::<ConfigMap>(json!({ "metadata": { "name": name } }));
    step("missing namespace", async {
        refused(Api::<ConfigMap>::namespaced(client.clone(), "nowhere").create(&post, &map("a")?).await)
    })
    .await;
    step("another namespace", async {
        let mut object = map("a")?;
        object.metadata.namespace = Some("default".into());
        refused(Api::<ConfigMap>::namespaced(client.clone(), NAMESPACE).create(&post, &object).await)
    })
    .await;
    step("a version on creation", async {
        let mut object = map("a")?;
        object.metadata.resource_version = Some("5".into());
        refused(Api::<ConfigMap>::namespaced(client.clone(), NAMESPACE).create(&post, &object).await)
    })
    .await;
    step("no name", async {
        let mut object = map("a")?;
        object.metadata.name = None;
        refused(Api::<ConfigMap>::namespaced(client.clone(), NAMESPACE).create(&post, &object).await)
    })
    .await;
    step("too large", async {
        let mut object = map("large")?;
        object.data = Some([("key".into(), "x".repeat((1 << 20) + 1))].into());
        refused(Api::<ConfigMap>::namespaced(client.clone(), NAMESPACE).create(&post, &object).await)
    })
    .await;
    let maps = format!("/api/v1/namespaces/{NAMESPACE}/configmaps");
    let json = "application/json";
    for (name, method, path, kind, body) in [
        ("unknown path", "GET", "/apis/nobody/v1/things", json, ""),
        ("unknown root", "GET", "/nothing", json, ""),
        ("unknown method", "PUT", maps.as_str(), json, "{}"),
        ("unknown type", "POST", maps.as_str(), "text/plain", "{}"),
        ("no JSON", "POST", maps.as_str(), json, "{ not json"),
        (
            "another kind",
            "POST",
            maps.as_str(),
            json,
            r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}"#,
        ),
        (
            "another version",
            "POST",
            maps.as_str(),
            json,
            r#"{"apiVersion":"v2","kind":"ConfigMap","metadata":{"name":"a"}}"#,
        ),
        (
            "wrong type",
            "POST",
            maps.as_str(),
            json,
            r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":1}}"#,
        ),
        (
            "an unknown field",
            "POST",
            "/api/v1/namespaces/errors/configmaps?fieldValidation=Strict",
            json,
            r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"dta":{}}"#,
        ),
        ("an empty body", "POST", maps.as_str(), json, ""),
        ("patch of an unknown type", "PATCH", "/api/v1/namespaces/errors/configmaps/a", json, "{}"),
        ("an unknown subresource", "GET", "/api/v1/namespaces/errors/configmaps/a/nothing", json, ""),
        (
            "a bad option",
            "POST",
            "/api/v1/namespaces/errors/configmaps?dryRun=Some",
            json,
            r#"{"metadata":{"name":"a"}}"#,
        ),
        ("a bad number", "GET", "/api/v1/namespaces/errors/configmaps?limit=many", json, ""),
    ] {
        step(name, async { refused(asked(client, method, path, kind, body).await) }).await;
    }
    step("a bad token", async {
        let mut config = config.clone();
        config.auth_info = Default::default();
        config.auth_info.token = Some("rubbish".to_string().into());
        refused(
            Api::<ConfigMap>::namespaced(Client::try_from(config)?, NAMESPACE)
                .list(&ListParams::default())
                .await,
        )
    })
    .await;
    step("nobody", async {
        let mut config = config.clone();
        config.auth_info = Default::default();
        refused(
            Api::<ConfigMap>::namespaced(Client::try_from(config)?, NAMESPACE)
                .list(&ListParams::default())
                .await,
        )
    })
    .await;
}
