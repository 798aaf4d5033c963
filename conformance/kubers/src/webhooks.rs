//! Webhooks that are made of kube's own types: admission that changes, refuses and warns, and conversion.
use std::process::Command;
use std::sync::Arc;

use anyhow::Context;
use k8s_openapi::ByteString;
use k8s_openapi::api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceConversion, CustomResourceDefinition,
};
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use kube::core::admission::{AdmissionRequest, AdmissionResponse, AdmissionReview, Operation};
use kube::core::conversion::{ConversionRequest, ConversionResponse, ConversionReview};
use kube::core::{DynamicObject, Status};
use kube::{Client, CustomResource, CustomResourceExt, ResourceExt};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use crate::custom::define;
use crate::from_json;
use crate::objects::{config_map, namespace};
use crate::told::{refused, step};

const NAMESPACE: &str = "webhooks";

/// What is sold by weight, which was once told in words.
mod v1 {
    use super::*;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    #[kube(group = "hooks.example.com", version = "v1", kind = "Loaf", plural = "loaves", namespaced)]
    pub struct LoafSpec {
        pub grams: i64,
    }
}

mod v2 {
    use super::*;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    #[kube(group = "hooks.example.com", version = "v2", kind = "Loaf", plural = "loaves", namespaced)]
    pub struct LoafSpec {
        pub weight: String,
    }
}

/// What is answered to a request for a path.
fn answer(path: &str, body: Value) -> anyhow::Result<Value> {
    match path.split('?').next().unwrap_or_default() {
        "/convert" => Ok(serde_json::to_value(converted(from_json(body)?)?)?),
        path => {
            let request: AdmissionRequest<DynamicObject> =
                from_json::<AdmissionReview<DynamicObject>>(body)?.try_into()?;
            Ok(serde_json::to_value(admitted(path, request)?.into_review())?)
        }
    }
}

fn admitted(path: &str, request: AdmissionRequest<DynamicObject>) -> anyhow::Result<AdmissionResponse> {
    let response = AdmissionResponse::from(&request);
    let Some(object) = &request.object else { return Ok(response) };
    if path == "/change" {
        let by =
            format!("{:?} by {}", request.operation, request.user_info.groups.unwrap_or_default().join(" "))
                .to_lowercase();
        let patch = json!([
            { "op": "add", "path": "/data/changed", "value": by },
            { "op": "add", "path": "/metadata/labels/was", "value": "changed" },
        ]);
        return Ok(response.with_patch(serde_json::from_value(patch)?)?);
    }
    match object.labels().get("set").map(String::as_str) {
        Some("bad") => Ok(response.deny("a bad set")),
        Some("odd") => {
            let mut response = response.deny("an odd set");
            response.result.code = 418;
            response.result.reason = "Teapot".into();
            Ok(response)
        }
        Some("kept") if request.operation == Operation::Update => {
            Ok(response.deny(format!("{} stays", request.name)))
        }
        Some("broken") => anyhow::bail!("no answer"),
        _ => Ok(response),
    }
}

fn converted(review: ConversionReview) -> anyhow::Result<ConversionReview> {
    let request = ConversionRequest::from_review(review).map_err(|_| anyhow::anyhow!("no request"))?;
    let wanted = request.desired_api_version.clone();
    let objects: Result<Vec<Value>, String> =
        request.objects.iter().map(|object| convert(object.clone(), &wanted)).collect();
    let response = ConversionResponse::for_request(request);
    Ok(match objects {
        Ok(objects) => response.success(objects),
        Err(why) => response.failure(Status::failure(&why, "Unconvertible")),
    }
    .into_review())
}

fn convert(mut object: Value, wanted: &str) -> Result<Value, String> {
    let spec = &object["spec"];
    let spec = match wanted {
        "hooks.example.com/v2" => json!({ "weight": format!("{} g", spec["grams"]) }),
        _ => {
            let weight = spec["weight"].as_str().unwrap_or_default();
            let grams: i64 =
                weight.trim_end_matches(" g").parse().map_err(|_| format!("{weight} is no weight"))?;
            json!({ "grams": grams })
        }
    };
    object["spec"] = spec;
    object["apiVersion"] = json!(wanted);
    Ok(object)
}

/// Makes a certificate for the machine's own address and serves webhooks by it; answers where, and the certificate.
async fn serve() -> anyhow::Result<(String, ByteString)> {
    let folder = std::env::temp_dir().join(format!("kubers-hooks-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (certificate, key) = (folder.join("certificate"), folder.join("key"));
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
        ])
        .args(["-subj", "/CN=kubers", "-addext", "subjectAltName=IP:127.0.0.1"])
        .arg("-out")
        .arg(&certificate)
        .arg("-keyout")
        .arg(&key)
        .output()?;
    anyhow::ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let authority = ByteString(std::fs::read(&certificate)?);
    let chain = vec![CertificateDer::from_pem_file(&certificate)?];
    let key = PrivateKeyDer::from_pem_file(&key)?;
    std::fs::remove_dir_all(&folder)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let settings =
        rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(
        settings.with_no_client_auth().with_single_cert(chain, key)?,
    ));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("https://{}", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move { serve_connection(acceptor.accept(socket).await?).await });
        }
    });
    Ok((url, authority))
}

/// Requests with a body of a length that is told, one after the other.
async fn serve_connection(
    stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
) -> anyhow::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let (mut path, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            let line = line.trim_end();
            match line.split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse()?
                }
                _ if line.is_empty() => break,
                _ if path.is_empty() => path = line.split(' ').nth(1).context("no path")?.to_string(),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await?;
        let (code, said) = match answer(&path, serde_json::from_slice(&body)?) {
            Ok(said) => ("200 OK", said.to_string()),
            Err(error) => ("500 Internal Server Error", error.to_string()),
        };
        let head = format!(
            "HTTP/1.1 {code}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            said.len()
        );
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(said.as_bytes()).await?;
        stream.flush().await?;
    }
}

pub async fn tell(client: &Client) {
    let Ok((url, authority)) = serve().await else { return println!("webhooks\tare not served") };
    step("namespace", async { namespace(client, NAMESPACE).await.map(|()| "made".into()) }).await;
    admission(client, &url, &authority).await;
    conversion(client, &url, &authority).await;
}

async fn admission(client: &Client, url: &str, authority: &ByteString) {
    let (mutating, validating) = (
        Api::<MutatingWebhookConfiguration>::all(client.clone()),
        Api::<ValidatingWebhookConfiguration>::all(client.clone()),
    );
    let webhook = |path: &str| {
        json!({ "metadata": { "name": "kubers" }, "webhooks": [{
            "name": "sets.hooks.example.com",
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
            "clientConfig": { "url": format!("{url}{path}"), "caBundle": authority },
            "namespaceSelector": { "matchLabels": { "kubernetes.io/metadata.name": NAMESPACE } },
            "rules": [{ "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["configmaps"] }],
        }] })
    };
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let post = PostParams::default();
    step("configurations", async {
        mutating.create(&post, &from_json(webhook("/change"))?).await?;
        validating.create(&post, &from_json(webhook("/check"))?).await?;
        let dry = PostParams { dry_run: true, ..post.clone() };
        for _ in 0..100 {
            if maps.create(&dry, &config_map("probe", "bad")).await.is_err() {
                return Ok("are followed".into());
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        anyhow::bail!("are not followed")
    })
    .await;
    step("what is changed", async {
        let made = maps.create(&post, &config_map("good", "good")).await?;
        Ok(format!("{:?} {:?}", made.data, made.labels()))
    })
    .await;
    for set in ["bad", "odd", "broken"] {
        step(&format!("a set that is {set}"), async {
            let said = refused(maps.create(&post, &config_map("other", set)).await)?;
            Ok(said.replace(url, "URL"))
        })
        .await;
    }
    step("what may not be changed", async {
        maps.create(&post, &config_map("kept", "kept")).await?;
        refused(
            maps.patch("kept", &PatchParams::default(), &Patch::Merge(json!({ "data": { "key": "other" } })))
                .await,
        )
    })
    .await;
    step("what is changed by apply", async {
        let words = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "good", "labels": { "set": "good" } }, "data": { "more": "yes" } });
        let applied = maps.patch("good", &PatchParams::apply("kubers"), &Patch::Apply(words)).await?;
        Ok(format!("{:?}", applied.data))
    })
    .await;
    step("without configurations", async {
        mutating.delete("kubers", &DeleteParams::default()).await?;
        validating.delete("kubers", &DeleteParams::default()).await?;
        for number in 0..100 {
            if maps
                .create(&post, &config_map(&format!("bad-{number}"), "bad"))
                .await
                .is_ok_and(|made| made.labels().get("was").is_none())
            {
                return Ok("nothing is asked".into());
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        anyhow::bail!("they are asked")
    })
    .await;
}

async fn conversion(client: &Client, url: &str, authority: &ByteString) {
    step("definition of two versions", async {
        let mut definition = kube::core::crd::merge_crds(vec![v1::Loaf::crd(), v2::Loaf::crd()], "v1")?;
        definition.spec.conversion = Some(from_json::<CustomResourceConversion>(json!({
            "strategy": "Webhook",
            "webhook": { "conversionReviewVersions": ["v1"], "clientConfig": { "url": format!("{url}/convert"), "caBundle": authority } },
        }))?);
        define(client, &definition).await?;
        Ok("made".into())
    })
    .await;
    let (old, new) = (
        Api::<v1::Loaf>::namespaced(client.clone(), NAMESPACE),
        Api::<v2::Loaf>::namespaced(client.clone(), NAMESPACE),
    );
    let post = PostParams::default();
    step("converted", async {
        let mut made = old.create(&post, &v1::Loaf::new("rye", v1::LoafSpec { grams: 750 })).await;
        for _ in 0..50 {
            if made.is_ok() {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            made = old.create(&post, &v1::Loaf::new("rye", v1::LoafSpec { grams: 750 })).await;
        }
        made?;
        Ok(new.get("rye").await?.spec.weight)
    })
    .await;
    step("converted back", async {
        new.create(&post, &v2::Loaf::new("spelt", v2::LoafSpec { weight: "500 g".into() })).await?;
        let patch = Patch::Merge(json!({ "spec": { "weight": "501 g" } }));
        new.patch("spelt", &PatchParams::default(), &patch).await?;
        Ok(old.get("spelt").await?.spec.grams.to_string())
    })
    .await;
    step("list of converted objects", async {
        let list = new.list(&Default::default()).await?;
        Ok(crate::told::listed(
            list.items.iter().map(|loaf| format!("{} {}", loaf.name_any(), loaf.spec.weight)),
        ))
    })
    .await;
    step("what cannot be converted", async {
        refused(new.create(&post, &v2::Loaf::new("wrong", v2::LoafSpec { weight: "heavy".into() })).await)
    })
    .await;
    step("end of the definition", async {
        let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
        kube::runtime::wait::delete::delete_and_finalize(
            definitions,
            "loaves.hooks.example.com",
            &DeleteParams::default(),
        )
        .await?;
        Ok("is gone".into())
    })
    .await;
}
