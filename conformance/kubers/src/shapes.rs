//! Whether every object of the cluster is one of upstream's types: read as such and written again, it is the same.
use std::collections::BTreeSet;

use k8s_openapi::api::{
    admissionregistration, apps, autoscaling, batch, certificates, coordination, core, discovery, events,
    flowcontrol, networking, policy, rbac, resource, scheduling, storage,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions;
use k8s_openapi::kube_aggregator::pkg::apis::apiregistration;
use kube::api::{Api, ListParams, PostParams};
use kube::core::DynamicObject;
use kube::core::discovery::ApiResource;
use kube::{Client, CustomResourceExt, Resource};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::custom::{Shop, define};
use crate::from_json;
use crate::objects::namespace;
use crate::sessions::scripted;
use crate::told::{listed, of_error, step};

const NAMESPACE: &str = "shapes";

pub async fn tell(client: &Client, image: &str) {
    step("namespace", async { namespace(client, NAMESPACE).await.map(|()| "made".into()) }).await;
    making(client, image).await;
    macro_rules! shapes {
        ($($group:ident $version:ident $($kind:ident)+);+ $(;)?) => { $($( shape::<$group::$version::$kind>(client).await; )+)+ };
    }
    shapes! {
        core v1 Node Namespace Pod Service Endpoints ServiceAccount Secret ConfigMap Event PersistentVolume PersistentVolumeClaim ReplicationController LimitRange ResourceQuota PodTemplate;
        apps v1 Deployment ReplicaSet StatefulSet DaemonSet ControllerRevision;
        batch v1 Job CronJob;
        autoscaling v2 HorizontalPodAutoscaler;
        coordination v1 Lease;
        discovery v1 EndpointSlice;
        events v1 Event;
        policy v1 PodDisruptionBudget;
        networking v1 Ingress IngressClass NetworkPolicy IPAddress ServiceCIDR;
        rbac v1 Role RoleBinding ClusterRole ClusterRoleBinding;
        storage v1 StorageClass CSINode CSIDriver VolumeAttachment;
        scheduling v1 PriorityClass;
        certificates v1 CertificateSigningRequest;
        flowcontrol v1 FlowSchema PriorityLevelConfiguration;
        resource v1 DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice;
        admissionregistration v1 ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration MutatingWebhookConfiguration;
        apiextensions v1 CustomResourceDefinition;
        apiregistration v1 APIService;
    }
}

/// Objects of kinds that a cluster does not have by itself.
async fn making(client: &Client, image: &str) {
    step("objects", async {
        define(client, &Shop::crd()).await?;
        let mut template = serde_json::to_value(scripted("shaped", image, "sleep 100000", json!({}))?)?;
        template["metadata"]["name"].take();
        let plain = template.clone();
        template["spec"]["restartPolicy"] = json!("Always");
        let selector = json!({ "matchLabels": { "app": "shaped" } });
        let meta = json!({ "name": "shaped" });
        let claim = json!({ "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Mi" } } });
        let metric = json!({ "type": "Resource", "resource": { "name": "cpu", "target": { "type": "Utilization", "averageUtilization": 50 } } });
        let backend = json!({ "service": { "name": "shaped", "port": { "number": 80 } } });
        let rule = json!({ "http": { "paths": [{ "path": "/", "pathType": "Prefix", "backend": backend }] } });
        let request = json!({ "exactly": { "deviceClassName": "shaped" }, "name": "one" });
        for (group, version, kind, body) in [
            ("apps", "v1", "Deployment", json!({ "spec": { "selector": selector, "template": template } })),
            ("apps", "v1", "StatefulSet", json!({ "spec": { "selector": selector, "template": template, "serviceName": "shaped", "volumeClaimTemplates": [{ "metadata": { "name": "kept" }, "spec": claim }] } })),
            ("apps", "v1", "DaemonSet", json!({ "spec": { "selector": selector, "template": template } })),
            ("", "v1", "ReplicationController", json!({ "spec": { "selector": { "app": "shaped" }, "replicas": 0, "template": template } })),
            ("batch", "v1", "Job", json!({ "spec": { "template": plain, "completionMode": "Indexed", "completions": 1 } })),
            ("batch", "v1", "CronJob", json!({ "spec": { "schedule": "* * * * *", "jobTemplate": { "spec": { "template": plain } } } })),
            ("autoscaling", "v2", "HorizontalPodAutoscaler", json!({ "spec": { "scaleTargetRef": { "apiVersion": "apps/v1", "kind": "Deployment", "name": "shaped" }, "maxReplicas": 2, "metrics": [metric] } })),
            ("", "v1", "Service", json!({ "spec": { "selector": { "app": "shaped" }, "ports": [{ "name": "a", "port": 80, "targetPort": "web" }, { "name": "b", "port": 81, "protocol": "UDP" }] } })),
            ("", "v1", "PersistentVolumeClaim", json!({ "spec": claim })),
            ("", "v1", "LimitRange", json!({ "spec": { "limits": [{ "type": "Container", "max": { "memory": "1Gi" } }] } })),
            ("", "v1", "ResourceQuota", json!({ "spec": { "hard": { "pods": "100" } } })),
            ("", "v1", "PodTemplate", json!({ "template": template })),
            ("networking.k8s.io", "v1", "NetworkPolicy", json!({ "spec": { "podSelector": selector, "ingress": [{ "ports": [{ "port": 80, "endPort": 90 }], "from": [{ "ipBlock": { "cidr": "10.0.0.0/8", "except": ["10.1.0.0/16"] } }] }], "policyTypes": ["Ingress"] } })),
            ("networking.k8s.io", "v1", "Ingress", json!({ "spec": { "rules": [rule], "tls": [{ "hosts": ["a.example.com"], "secretName": "none" }] } })),
            ("policy", "v1", "PodDisruptionBudget", json!({ "spec": { "selector": selector, "maxUnavailable": "50%" } })),
            ("rbac.authorization.k8s.io", "v1", "Role", json!({ "rules": [{ "apiGroups": [""], "resources": ["pods"], "verbs": ["get"] }] })),
            ("resource.k8s.io", "v1", "ResourceClaim", json!({ "spec": { "devices": { "requests": [request] } } })),
            ("resource.k8s.io", "v1", "ResourceClaimTemplate", json!({ "spec": { "spec": { "devices": { "requests": [request] } } } })),
        ] {
            let resource = ApiResource::from_gvk(&kube::core::GroupVersionKind::gvk(group, version, kind));
            let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), NAMESPACE, &resource);
            let mut object = body;
            object["metadata"] = meta.clone();
            if let Err(error) = api.create(&PostParams::default(), &from_json(object)?).await {
                anyhow::bail!("{kind}: {}", of_error(&error));
            }
        }
        let deployments: Api<apps::v1::Deployment> = Api::namespaced(client.clone(), NAMESPACE);
        kube::runtime::wait::await_condition(deployments, "shaped", kube::runtime::wait::conditions::is_deployment_completed()).await?;
        Ok("made".into())
    })
    .await;
}

async fn shape<K: Resource<DynamicType = ()> + DeserializeOwned + Serialize>(client: &Client) {
    step(&format!("{} {}", K::api_version(&()), K::kind(&())), async {
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::erase::<K>(&()));
        let mut odd = BTreeSet::new();
        for item in api.list(&ListParams::default()).await?.items {
            let said = serde_json::to_value(item)?;
            match serde_json::from_value::<K>(said.clone()) {
                Ok(read) => differences("", &said, &serde_json::to_value(read)?, &mut odd),
                Err(error) => {
                    odd.insert(error.to_string());
                }
            }
        }
        Ok(listed(odd))
    })
    .await;
}

/// Where what was said is not in what was read of it, by path.
fn differences(path: &str, said: &Value, read: &Value, odd: &mut BTreeSet<String>) {
    match (said, read) {
        (Value::Object(said), Value::Object(read)) => {
            for (key, part) in said {
                if path.is_empty() && matches!(key.as_str(), "apiVersion" | "kind") {
                    continue;
                }
                differences(&format!("{path}.{key}"), part, read.get(key).unwrap_or(&Value::Null), odd);
            }
        }
        (Value::Array(said), Value::Array(read)) if said.len() == read.len() => {
            for (part, other) in said.iter().zip(read) {
                differences(&format!("{path}[]"), part, other, odd);
            }
        }
        (Value::Number(said), Value::Number(read)) if said.as_f64() == read.as_f64() => {}
        _ if said == read => {}
        _ => {
            odd.insert(format!("{path}: {said} {read}"));
        }
    }
}
