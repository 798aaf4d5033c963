//! Discovery: of everything by one request and by many, of one group, of one kind.
use std::collections::BTreeSet;

use kube::core::GroupVersion;
use kube::core::discovery::{ApiCapabilities, ApiResource};
use kube::core::gvk::GroupVersionKind;
use kube::discovery::{self, Discovery};
use kube::{Client, ResourceExt};

use crate::told::{listed, refused, step};

fn described(resource: &ApiResource, capabilities: &ApiCapabilities) -> String {
    let mut operations = capabilities.operations.clone();
    operations.sort();
    let mut below: Vec<String> = capabilities
        .subresources
        .iter()
        .map(|(resource, capabilities)| {
            let mut operations = capabilities.operations.clone();
            operations.sort();
            format!("{} {}: {}", resource.plural, resource.kind, operations.join(" "))
        })
        .collect();
    below.sort();
    format!(
        "{}/{}/{} {} {:?} [{}] [{}]",
        resource.group,
        resource.version,
        resource.plural,
        resource.kind,
        capabilities.scope,
        operations.join(" "),
        below.join("; ")
    )
}

fn all_of(discovery: &Discovery) -> BTreeSet<String> {
    let groups = discovery.groups();
    let versioned = groups
        .flat_map(|group| group.versions().map(|version| (group, version.to_string())).collect::<Vec<_>>());
    let resources = versioned.flat_map(|(group, version)| group.versioned_resources(&version));
    resources.map(|(resource, capabilities)| described(&resource, &capabilities)).collect()
}

/// Every resource that is served, a line each.
pub async fn tell_all(client: &Client) -> anyhow::Result<()> {
    for line in all_of(&Discovery::new(client.clone()).run().await?) {
        println!("{line}");
    }
    Ok(())
}

pub async fn tell(client: &Client) {
    step("version", async {
        let version = client.apiserver_version().await?;
        Ok(format!("{}.{}", version.major, version.minor.trim_end_matches('+')))
    })
    .await;
    step("discovery by one request", async {
        let many = all_of(&Discovery::new(client.clone()).run().await?);
        let one = all_of(&Discovery::new(client.clone()).run_aggregated().await?);
        let odd = many.symmetric_difference(&one);
        Ok(format!("tells other than by many: [{}]", listed(odd)))
    })
    .await;
    step("filtered", async {
        let some = Discovery::new(client.clone()).filter(&["apps", "batch"]).run().await?;
        let groups = some.groups_alphabetical();
        let told = groups.iter().map(|group| {
            let mut kinds: Vec<String> =
                group.recommended_resources().into_iter().map(|(each, _)| each.kind).collect();
            kinds.sort();
            format!("{} {} {}", group.name(), group.preferred_version_or_latest(), kinds.join(" "))
        });
        Ok(listed(told))
    })
    .await;
    step("excluded", async {
        let others = Discovery::new(client.clone()).exclude(&["apps"]).run_aggregated().await?;
        Ok(format!("{} {}", others.has_group("apps"), others.has_group("")))
    })
    .await;
    for (group, version, kind) in
        [("", "v1", "Pod"), ("apps", "v1", "Deployment"), ("", "v1", "Namespace"), ("", "v1", "Node")]
    {
        step(&format!("kind {kind}"), async {
            let gvk = GroupVersionKind::gvk(group, version, kind);
            let (resource, capabilities) = discovery::pinned_kind(client, &gvk).await?;
            Ok(described(&resource, &capabilities))
        })
        .await;
    }
    step("group", async {
        let group = discovery::group(client, "autoscaling").await?;
        let kinds = group
            .resources_by_stability()
            .into_iter()
            .map(|(each, _)| format!("{}/{}", each.version, each.kind));
        let recommended = group.recommended_kind("HorizontalPodAutoscaler").map(|(each, _)| each.api_version);
        Ok(format!("{:?} {:?} {}", group.preferred_version(), recommended, listed(kinds)))
    })
    .await;
    step("group of a version", async {
        let group = discovery::pinned_group(client, &GroupVersion::gv("policy", "v1")).await?;
        Ok(listed(group.recommended_resources().into_iter().map(|(each, _)| each.plural)))
    })
    .await;
    step("missing kind", async {
        let gvk = GroupVersionKind::gvk("apps", "v1", "Nothing");
        Ok(discovery::pinned_kind(client, &gvk).await.map(|_| ()).unwrap_err().to_string())
    })
    .await;
    step("missing group", async {
        Ok(discovery::group(client, "nobody.example.com").await.map(|_| ()).unwrap_err().to_string())
    })
    .await;
    step("missing version", async {
        let group = GroupVersion::gv("apps", "v9");
        refused(discovery::pinned_group(client, &group).await)
    })
    .await;
    step("groups and versions", async {
        let core = client.list_core_api_versions().await?;
        let aggregated = client.list_core_api_versions_aggregated().await?;
        let names =
            aggregated.items.iter().map(|group| group.metadata.as_ref().and_then(|meta| meta.name.clone()));
        let names: Vec<_> = names.collect();
        Ok(format!("{} {names:?} {}", listed(core.versions), aggregated.items.len()))
    })
    .await;
    step("resources of a dynamic object", async {
        let all = Discovery::new(client.clone()).run_aggregated().await?;
        let gvk = GroupVersionKind::gvk("rbac.authorization.k8s.io", "v1", "ClusterRoleBinding");
        let (resource, capabilities) =
            all.resolve_gvk(&gvk).ok_or_else(|| anyhow::anyhow!("is not there"))?;
        let api =
            kube::Api::<kube::core::DynamicObject>::dynamic(client.clone(), &resource, &capabilities.scope);
        let binding = api.get("cluster-admin").await?;
        Ok(format!("{} {}", binding.name_any(), binding.data["roleRef"]))
    })
    .await;
}
