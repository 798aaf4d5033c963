//! Objects that several groups make.
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Pod, ServiceAccount};
use kube::Client;
use kube::api::{Api, PostParams};
use serde_json::json;

use crate::from_json;

/// Makes a namespace, and the account that pods in it have, which a controller makes where there is one.
pub async fn namespace(client: &Client, name: &str) -> anyhow::Result<()> {
    let object: Namespace = from_json(json!({ "metadata": { "name": name } }))?;
    Api::<Namespace>::all(client.clone()).create(&PostParams::default(), &object).await?;
    let account: ServiceAccount = from_json(json!({ "metadata": { "name": "default" } }))?;
    match Api::<ServiceAccount>::namespaced(client.clone(), name)
        .create(&PostParams::default(), &account)
        .await
    {
        Err(kube::Error::Api(status)) if status.is_already_exists() => Ok(()),
        outcome => Ok(outcome.map(|_| ())?),
    }
}

pub fn config_map(name: &str, set: &str) -> ConfigMap {
    let value = json!({ "metadata": { "name": name, "labels": { "set": set } }, "data": { "key": "value" } });
    from_json(value).expect("a config map")
}

/// Sleeps in pods that no scheduler takes.
pub fn deployment(name: &str) -> Deployment {
    let template = json!({
        "metadata": { "labels": { "app": name } },
        "spec": {
            "schedulerName": "nobody",
            "automountServiceAccountToken": false,
            "containers": [{ "name": "main", "image": "image", "env": [{ "name": "A", "value": "a" }] }],
        },
    });
    let selector = json!({ "matchLabels": { "app": name } });
    let value = json!({ "metadata": { "name": name }, "spec": { "replicas": 1, "selector": selector, "template": template } });
    from_json(value).expect("a deployment")
}

/// A pod that no scheduler takes.
pub fn idle_pod(name: &str) -> Pod {
    let container =
        json!({ "name": "main", "image": "image", "resources": { "requests": { "cpu": "10m" } } });
    let spec = json!({ "schedulerName": "nobody", "automountServiceAccountToken": false, "containers": [container] });
    from_json(json!({ "metadata": { "name": name, "labels": { "app": name } }, "spec": spec }))
        .expect("a pod")
}
