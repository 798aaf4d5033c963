//! Drives a cluster through everything that kube-rs has, and tells what came of it: `kubers GROUP KUBECONFIG [IMAGE]`.
mod access;
mod custom;
mod discovery;
mod errors;
mod kubelet;
mod objects;
mod operator;
mod runtime;
mod sessions;
mod shapes;
mod subresources;
mod told;
mod verbs;
mod webhooks;

use anyhow::Context;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

/// The configuration that a file says, whose requests are tried once.
pub async fn configuration(kubeconfig: &str) -> anyhow::Result<Config> {
    let file = Kubeconfig::read_from(kubeconfig)?;
    let mut config = Config::from_custom_kubeconfig(file, &KubeConfigOptions::default()).await?;
    config.default_retry = false;
    Ok(config)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [group, kubeconfig, rest @ ..] = words.as_slice() else { anyhow::bail!("GROUP KUBECONFIG [IMAGE]") };
    let config = configuration(kubeconfig).await?;
    let client = Client::try_from(config.clone())?;
    let image = rest.first().map(String::as_str).unwrap_or("image");
    match group.as_str() {
        "discovery" => discovery::tell(&client).await,
        "resources" => discovery::tell_all(&client).await?,
        "verbs" => verbs::tell(&client).await,
        "errors" => errors::tell(&client, &config).await,
        "subresources" => subresources::tell(&client).await,
        "access" => access::tell(&client, &config).await,
        "sessions" => sessions::tell(&client, image).await,
        "runtime" => runtime::tell(&client).await,
        "workloads" => runtime::tell_workloads(&client, image).await,
        "operator" => operator::tell(&client).await,
        "death" => operator::tell_across_death(&client).await,
        "kubelet" => kubelet::tell(&client, &config, image).await,
        "webhooks" => webhooks::tell(&client).await,
        "shapes" => shapes::tell(&client, image).await,
        "custom" => custom::tell(&client).await,
        other => anyhow::bail!("no group {other}"),
    }
    Ok(())
}

/// Makes a value of what JSON says.
pub fn from_json<T: serde::de::DeserializeOwned>(value: serde_json::Value) -> anyhow::Result<T> {
    serde_json::from_value(value).context("not of that type")
}
