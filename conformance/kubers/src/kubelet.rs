//! The kubelet's own doors, without the API server in between.
use anyhow::Context;
use futures::{AsyncBufReadExt, TryStreamExt};
use k8s_openapi::api::core::v1::{Node, Pod, ServiceAccount};
use k8s_openapi::api::rbac::v1::ClusterRoleBinding;
use kube::api::{Api, AttachParams, ListParams, LogParams, PostParams};
use kube::client::scope;
use kube::config::AuthInfo;
use kube::core::kubelet_debug::KubeletDebugParams;
use kube::runtime::wait::{await_condition, conditions};
use kube::{Client, Config, ResourceExt};
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::from_json;
use crate::objects::namespace;
use crate::sessions::{end_of, page, scripted, text_of};
use crate::told::{of_error, step};

const NAMESPACE: &str = "kubelet";

/// An account that may do everything, which dials the kubelet of a node by its token.
async fn dialling(client: &Client, config: &Config) -> anyhow::Result<Client> {
    let accounts: Api<ServiceAccount> = Api::namespaced(client.clone(), NAMESPACE);
    let subject = json!({ "kind": "ServiceAccount", "name": "default", "namespace": NAMESPACE });
    let role =
        json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin" });
    let binding = json!({ "metadata": { "name": "kubers-kubelet" }, "subjects": [subject], "roleRef": role });
    let bindings: Api<ClusterRoleBinding> = Api::all(client.clone());
    bindings.create(&PostParams::default(), &from_json(binding)?).await?;
    let request = from_json(json!({ "spec": { "audiences": [] } }))?;
    let answer = accounts.create_token_request("default", &PostParams::default(), &request).await?;
    let token = answer.status.and_then(|status| status.token).context("no token")?;
    let nodes: Api<Node> = Api::all(client.clone());
    let node = nodes.list(&ListParams::default()).await?.items.into_iter().next().context("no node")?;
    let status = node.status.context("no status")?;
    let address = status.addresses.unwrap_or_default().into_iter().find(|each| each.type_ == "InternalIP");
    let port = status.daemon_endpoints.and_then(|each| each.kubelet_endpoint).context("no port")?.port;
    let mut config = config.clone();
    config.auth_info = AuthInfo { token: Some(token.into()), ..Default::default() };
    config.cluster_url = format!("https://{}:{port}", address.context("no address")?.address).parse()?;
    config.accept_invalid_certs = true;
    Ok(Client::try_from(config)?)
}

pub async fn tell(client: &Client, config: &Config, image: &str) {
    step("namespace", async { namespace(client, NAMESPACE).await.map(|()| "made".into()) }).await;
    let pods: Api<Pod> = Api::namespaced(client.clone(), NAMESPACE);
    step("pod", async {
        let web = "mkdir -p /www; echo 'the page' > /www/index.html; httpd -p 8080 -h /www";
        let words = format!("{web}; echo begun; while read a; do echo got $a; done; sleep 100000");
        let pod = scripted("near", image, &words, json!({ "stdin": true }))?;
        pods.create(&PostParams::default(), &pod).await?;
        await_condition(pods.clone(), "near", conditions::is_pod_running()).await?;
        Ok("runs".into())
    })
    .await;
    step("the same pod by its namespace and by a reference", async {
        let one = client.get::<Pod>("near", &scope::Namespace::from(NAMESPACE)).await?;
        let list = client.list::<Pod>(&ListParams::default(), &scope::Namespace::from(NAMESPACE)).await?;
        Ok(format!("{} {}", one.name_any(), list.items.len()))
    })
    .await;
    let kubelet = match dialling(client, config).await {
        Ok(kubelet) => kubelet,
        Err(error) => return println!("kubelet\tcannot be dialled: {error:#}"),
    };
    let near = KubeletDebugParams { name: "near", namespace: NAMESPACE, pod_uid: None };
    step("exec", async {
        let params = AttachParams::default();
        let mut process = kubelet
            .kubelet_node_exec(&near, "main", ["sh", "-c", "echo out; echo err >&2; exit 6"], &params)
            .await?;
        let (status, stdout, stderr) = (process.take_status(), process.stdout(), process.stderr());
        let (status, stdout, stderr) =
            tokio::join!(status.context("none")?, text_of(stdout), text_of(stderr));
        Ok(format!("{:?} {:?} {}", stdout?, stderr?, end_of(status)?))
    })
    .await;
    step("exec in a pod that is not there", async {
        let missing = KubeletDebugParams { name: "missing", namespace: NAMESPACE, pod_uid: None };
        let outcome = kubelet.kubelet_node_exec(&missing, "main", ["true"], &AttachParams::default()).await;
        Ok(of_error(&outcome.err().context("was not refused")?))
    })
    .await;
    step("attach", async {
        let params = AttachParams::default().stdin(true).stderr(false);
        let mut process = kubelet.kubelet_node_attach(&near, "main", &params).await?;
        process.stdin().context("no stdin")?.write_all(b"word\n").await?;
        let mut said = [0; 9];
        tokio::io::AsyncReadExt::read_exact(&mut process.stdout().context("no stdout")?, &mut said).await?;
        Ok(format!("{:?}", String::from_utf8_lossy(&said)))
    })
    .await;
    step("portforward", async {
        let mut forwarder = kubelet.kubelet_node_portforward(&near, &[8080]).await?;
        page(forwarder.take_stream(8080).context("no stream")?).await
    })
    .await;
    step("logs", async {
        let lines = kubelet.kubelet_node_logs(&near, "main", &LogParams::default()).await?.lines();
        Ok(format!("{:?}", lines.try_collect::<Vec<_>>().await?))
    })
    .await;
}
