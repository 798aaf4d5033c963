//! Sub-resources: status, scale, eviction, ephemeral containers, resizes, approvals, tokens, and verbs made of patches.
use anyhow::Context;
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::authentication::v1::{TokenRequest, TokenReview};
use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use k8s_openapi::api::core::v1::{Node, Pod, ServiceAccount};
use kube::api::{Api, DeleteParams, EvictParams, Patch, PatchParams, PostParams};
use kube::{Client, ResourceExt};
use serde_json::json;

use crate::from_json;
use crate::objects::{deployment, idle_pod, namespace};
use crate::told::{listed, refused, step};

const NAMESPACE: &str = "subresources";

/// A request of an elliptic key for the user "rust" of the group "readers".
const SIGNING_REQUEST: &str = include_str!("../request.pem");

pub async fn tell(client: &Client) {
    step("namespace", async { namespace(client, NAMESPACE).await.map(|()| "made".into()) }).await;
    workloads(client).await;
    pods(client).await;
    nodes(client).await;
    tokens(client).await;
    certificates(client).await;
}

async fn workloads(client: &Client) {
    let api: Api<Deployment> = Api::namespaced(client.clone(), NAMESPACE);
    let (post, plain) = (PostParams::default(), PatchParams::default());
    step("get_scale", async {
        let mut object = deployment("scaled");
        object.spec.as_mut().context("no spec")?.replicas = Some(0);
        object.spec.as_mut().context("no spec")?.paused = Some(true);
        api.create(&post, &object).await?;
        let scale = api.get_scale("scaled").await?;
        let status = scale.status.context("no status")?;
        Ok(format!(
            "{:?} {} {:?}",
            scale.spec.and_then(|spec| spec.replicas),
            status.replicas,
            status.selector
        ))
    })
    .await;
    step("patch_scale", async {
        let patched =
            api.patch_scale("scaled", &plain, &Patch::Merge(json!({ "spec": { "replicas": 3 } }))).await?;
        Ok(format!(
            "{:?} {:?}",
            patched.spec.and_then(|spec| spec.replicas),
            api.get("scaled").await?.spec.and_then(|spec| spec.replicas)
        ))
    })
    .await;
    step("apply of a scale", async {
        let scale = json!({ "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": { "name": "scaled" }, "spec": { "replicas": 2 } });
        let conflict = refused(api.patch_scale("scaled", &PatchParams::apply("scaler"), &Patch::Apply(&scale)).await)?;
        let forced = api.patch_scale("scaled", &PatchParams::apply("scaler").force(), &Patch::Apply(&scale)).await?;
        Ok(format!("{conflict}; {:?}", forced.spec.and_then(|spec| spec.replicas)))
    })
    .await;
    step("replace_scale", async {
        let old_and_new = async || {
            let mut scale = api.get_scale("scaled").await?;
            scale.spec.as_mut().context("no spec")?.replicas = Some(0);
            anyhow::Ok((api.replace_scale("scaled", &post, &scale).await?, scale))
        };
        // Its controller may write between the two.
        let mut written = old_and_new().await;
        for _ in 0..9 {
            if written.is_ok() {
                break;
            }
            written = old_and_new().await;
        }
        let (replaced, scale) = written?;
        let old = api.replace_scale("scaled", &post, &scale).await;
        Ok(format!("{:?}; {}", replaced.spec.and_then(|spec| spec.replicas), refused(old)?))
    })
    .await;
    step("replace_scale by what is wrong", async {
        let mut scale = api.get_scale("scaled").await?;
        scale.spec.as_mut().context("no spec")?.replicas = Some(-1);
        refused(api.replace_scale("scaled", &post, &scale).await)
    })
    .await;
    step("scale of what is not there", async { refused(api.get_scale("missing").await) }).await;
    step("patch_status", async {
        let condition =
            json!({ "type": "Odd", "status": "True", "reason": "Kubers", "message": "by kubers" });
        let patch = Patch::Merge(
            json!({ "spec": { "minReadySeconds": 7 }, "status": { "conditions": [condition] } }),
        );
        let patched = api.patch_status("scaled", &plain, &patch).await?;
        let conditions = patched.status.and_then(|status| status.conditions).unwrap_or_default();
        Ok(format!(
            "{} {:?}",
            listed(conditions.iter().filter(|each| each.type_ == "Odd").map(|each| each.type_.clone())),
            patched.spec.and_then(|spec| spec.min_ready_seconds)
        ))
    })
    .await;
    step("get_status and replace_status", async {
        let mut found = api.get_status("scaled").await?;
        found.spec.as_mut().context("no spec")?.min_ready_seconds = Some(9);
        found.metadata.resource_version = None;
        found.status.as_mut().context("no status")?.conditions = None;
        let replaced = api.replace_status("scaled", &post, &found).await?;
        Ok(format!("{:?}", replaced.spec.and_then(|spec| spec.min_ready_seconds)))
    })
    .await;
    step("status is not written with the object", async {
        let patch = Patch::Merge(json!({ "status": { "collisionCount": 7 } }));
        let patched = api.patch("scaled", &plain, &patch).await?;
        Ok(format!("{:?}", patched.status.and_then(|status| status.collision_count)))
    })
    .await;
    step("restart", async {
        let restarted = api.restart("scaled").await?;
        let annotations =
            restarted.spec.and_then(|spec| spec.template.metadata).and_then(|meta| meta.annotations);
        Ok(listed(annotations.unwrap_or_default().into_keys()))
    })
    .await;
    step("restart of what is not there", async {
        refused(Api::<StatefulSet>::namespaced(client.clone(), NAMESPACE).restart("missing").await)
    })
    .await;
}

async fn pods(client: &Client) {
    let api: Api<Pod> = Api::namespaced(client.clone(), NAMESPACE);
    let (post, plain) = (PostParams::default(), PatchParams::default());
    step("patch_ephemeral_containers", async {
        api.create(&post, &idle_pod("idle")).await?;
        let containers = json!([{ "name": "debug", "image": "image", "targetContainerName": "main" }]);
        let patch = Patch::Strategic(json!({ "spec": { "ephemeralContainers": containers } }));
        let patched = api.patch_ephemeral_containers("idle", &plain, &patch).await?;
        let told = patched.spec.and_then(|spec| spec.ephemeral_containers).unwrap_or_default();
        Ok(listed(told.into_iter().map(|each| format!("{} {:?}", each.name, each.image_pull_policy))))
    })
    .await;
    step("replace_ephemeral_containers", async {
        let mut found = api.get_ephemeral_containers("idle").await?;
        found.spec.as_mut().context("no spec")?.ephemeral_containers = None;
        refused(api.replace_ephemeral_containers("idle", &post, &found).await)
    })
    .await;
    step("resize", async {
        let resources = json!({ "requests": { "cpu": "20m" } });
        let patch = Patch::Strategic(
            json!({ "spec": { "containers": [{ "name": "main", "resources": resources }] } }),
        );
        let patched = api.patch_resize("idle", &plain, &patch).await?;
        let read = api.get_resize("idle").await?;
        let requests = |pod: Pod| {
            pod.spec.and_then(|spec| spec.containers[0].resources.clone()).and_then(|each| each.requests)
        };
        Ok(format!("{:?} {}", requests(patched.clone()), requests(patched) == requests(read)))
    })
    .await;
    step("resize of the image", async {
        let patch =
            Patch::Strategic(json!({ "spec": { "containers": [{ "name": "main", "image": "else" }] } }));
        let patched = api.patch_resize("idle", &plain, &patch).await?;
        Ok(format!("{:?}", patched.spec.map(|spec| spec.containers[0].image.clone())))
    })
    .await;
    step("evict in a dry run", async {
        let dry = PostParams { dry_run: true, ..Default::default() };
        let params =
            EvictParams { delete_options: Some(DeleteParams::default().dry_run()), post_options: dry };
        let status = api.evict("idle", &params).await?;
        Ok(format!("{:?} {} {}", status.status, status.code, api.get_opt("idle").await?.is_some()))
    })
    .await;
    step("evict", async {
        let status = api.evict("idle", &EvictParams::default()).await?;
        Ok(format!("{:?} {} {}", status.status, status.code, api.get_opt("idle").await?.is_some()))
    })
    .await;
    step("evict what is not there", async { refused(api.evict("missing", &EvictParams::default()).await) })
        .await;
    step("logs of a pod without a node", async {
        api.create(&post, &idle_pod("silent")).await?;
        Ok(format!("{:?}", api.logs("silent", &Default::default()).await?))
    })
    .await;
    step("exec in a pod without a node", async {
        let outcome = api.exec("silent", ["true"], &kube::api::AttachParams::default().stderr(false)).await;
        Ok(crate::told::of_error(&outcome.err().context("was not refused")?))
    })
    .await;
    step("exec in a pod that is not there", async {
        let outcome = api.exec("missing", ["true"], &kube::api::AttachParams::default().stderr(false)).await;
        Ok(crate::told::of_error(&outcome.err().context("was not refused")?))
    })
    .await;
    step("portforward to a pod without a node", async {
        Ok(crate::told::of_error(&api.portforward("silent", &[80]).await.err().context("was not refused")?))
    })
    .await;
}

async fn nodes(client: &Client) {
    let api: Api<Node> = Api::all(client.clone());
    step("cordon and uncordon", async {
        api.create(&PostParams::default(), &from_json(json!({ "metadata": { "name": "paper" } }))?).await?;
        let cordoned = api.cordon("paper").await?.spec.and_then(|spec| spec.unschedulable);
        let uncordoned = api.uncordon("paper").await?.spec.and_then(|spec| spec.unschedulable);
        api.delete("paper", &DeleteParams::default()).await?;
        Ok(format!("{cordoned:?} {uncordoned:?}"))
    })
    .await;
    step("cordon of what is not there", async { refused(api.cordon("paper-none").await) }).await;
}

async fn tokens(client: &Client) {
    let api: Api<ServiceAccount> = Api::namespaced(client.clone(), NAMESPACE);
    step("token request", async {
        api.create(&PostParams::default(), &from_json(json!({ "metadata": { "name": "robot" } }))?).await?;
        let request: TokenRequest =
            from_json(json!({ "spec": { "audiences": ["rust.example.com"], "expirationSeconds": 1200 } }))?;
        let answer = api.create_token_request("robot", &PostParams::default(), &request).await?;
        let token = answer.status.context("no status")?.token;
        let review = |audience: &str| -> anyhow::Result<TokenReview> {
            from_json(json!({ "metadata": {}, "spec": { "token": token, "audiences": [audience] } }))
        };
        let reviews: Api<TokenReview> = Api::all(client.clone());
        let mine = reviews
            .create(&PostParams::default(), &review("rust.example.com")?)
            .await?
            .status
            .unwrap_or_default();
        let other =
            reviews.create(&PostParams::default(), &review("else")?).await?.status.unwrap_or_default();
        let user = mine.user.unwrap_or_default();
        Ok(format!(
            "{:?} {:?} {:?} {:?}; {:?}",
            mine.authenticated, user.username, user.groups, mine.audiences, other.authenticated
        ))
    })
    .await;
    step("token request that is too short", async {
        let request: TokenRequest =
            from_json(json!({ "spec": { "audiences": [], "expirationSeconds": 5 } }))?;
        refused(api.create_token_request("robot", &PostParams::default(), &request).await)
    })
    .await;
    step("token of nobody", async {
        let request: TokenRequest = from_json(json!({ "spec": { "audiences": [] } }))?;
        refused(api.create_token_request("missing", &PostParams::default(), &request).await)
    })
    .await;
}

async fn certificates(client: &Client) {
    let api: Api<CertificateSigningRequest> = Api::all(client.clone());
    let bytes = k8s_openapi::ByteString(SIGNING_REQUEST.as_bytes().to_vec());
    step("patch_approval", async {
        let spec = json!({ "request": bytes, "signerName": "example.com/nobody", "usages": ["client auth"] });
        api.create(
            &PostParams::default(),
            &from_json(json!({ "metadata": { "name": "kubers" }, "spec": spec }))?,
        )
        .await?;
        let condition =
            json!({ "type": "Approved", "status": "True", "reason": "Kubers", "message": "by kubers" });
        let patch = Patch::Merge(json!({ "status": { "conditions": [condition] } }));
        let patched = api.patch_approval("kubers", &PatchParams::default(), &patch).await?;
        let read = api.get_approval("kubers").await?;
        let types = |found: &CertificateSigningRequest| {
            let conditions =
                found.status.as_ref().and_then(|status| status.conditions.clone()).unwrap_or_default();
            listed(conditions.into_iter().map(|each| format!("{} {}", each.type_, each.status)))
        };
        Ok(format!("{} {} {}", types(&patched), types(&read), patched.name_any()))
    })
    .await;
    step("denial of what is approved", async {
        let condition = json!({ "type": "Denied", "status": "True" });
        let patch = Patch::Strategic(json!({ "status": { "conditions": [condition] } }));
        let said = refused(api.patch_approval("kubers", &PatchParams::default(), &patch).await);
        api.delete("kubers", &DeleteParams::default()).await?;
        said
    })
    .await;
}
