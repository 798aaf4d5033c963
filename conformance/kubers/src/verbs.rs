//! What programs do with objects: create, get, list, replace, patch, entry, delete; whole, as metadata, and dynamic.
use anyhow::Context;
use either::Either;
use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::api::{
    Api, DeleteParams, GetParams, ListParams, Patch, PatchParams, PostParams, Preconditions, VersionMatch,
    WatchEvent, WatchParams,
};
use kube::core::discovery::ApiResource;
use kube::core::gvk::GroupVersionKind;
use kube::core::{DynamicObject, Expression, PartialObjectMetaExt, Selector};
use kube::{Client, ResourceExt};
use serde_json::json;

use crate::objects::{config_map, deployment, namespace};
use crate::told::{behind_object, listed, refused, step};

const NAMESPACE: &str = "verbs";

fn post() -> PostParams {
    PostParams { field_manager: Some("kubers".into()), ..Default::default() }
}

fn names<K: ResourceExt>(items: &[K]) -> String {
    listed(items.iter().map(ResourceExt::name_any))
}

pub async fn tell(client: &Client) {
    step("namespace", async {
        namespace(client, NAMESPACE).await?;
        let found = Api::<Namespace>::all(client.clone()).get(NAMESPACE).await?;
        Ok(format!(
            "{:?} {}",
            found.status.and_then(|status| status.phase),
            found.metadata.name.unwrap_or_default()
        ))
    })
    .await;
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    creating(&maps).await;
    reading(client, &maps).await;
    replacing(&maps).await;
    patching(client, &maps).await;
    entries(&maps).await;
    watching(&maps).await;
    dynamic(client).await;
    deleting(&maps).await;
}

async fn creating(maps: &Api<ConfigMap>) {
    step("create", async {
        let made = maps.create(&post(), &config_map("one", "a")).await?;
        let manager = made.managed_fields().first().context("no manager")?;
        Ok(format!(
            "{} {:?} {:?} {}",
            made.name_any(),
            manager.manager,
            manager.operation,
            made.uid().is_some()
        ))
    })
    .await;
    step("create what is there", async { refused(maps.create(&post(), &config_map("one", "a")).await) })
        .await;
    step("create in a dry run", async {
        let dry = PostParams { dry_run: true, ..post() };
        let made = maps.create(&dry, &config_map("dry", "a")).await?;
        Ok(format!("{} {:?}", made.name_any(), maps.get_opt("dry").await?.is_some()))
    })
    .await;
    step("create by a generated name", async {
        let mut object = config_map("", "generated");
        object.metadata.name = None;
        object.metadata.generate_name = Some("made-".into());
        let made = maps.create(&post(), &object).await?;
        Ok(format!("{} {}", made.name_any().starts_with("made-"), made.name_any().len()))
    })
    .await;
    step("create by a bad name", async { refused(maps.create(&post(), &config_map("Not_Good", "a")).await) })
        .await;
}

async fn reading(client: &Client, maps: &Api<ConfigMap>) {
    step("get", async { Ok(format!("{:?}", maps.get("one").await?.data)) }).await;
    step("get what is not there", async { refused(maps.get("missing").await) }).await;
    step("get_opt", async {
        Ok(format!("{:?} {}", maps.get_opt("missing").await?, maps.get_opt("one").await?.is_some()))
    })
    .await;
    step("get of any version", async {
        let found = maps.get_with("one", &GetParams::any()).await?;
        Ok(found.name_any())
    })
    .await;
    step("get_metadata", async {
        let found = maps.get_metadata("one").await?;
        Ok(format!(
            "{:?} {:?}",
            found.types.clone().map(|types| format!("{}/{}", types.api_version, types.kind)),
            found.labels()
        ))
    })
    .await;
    step("get_metadata_opt", async {
        Ok(format!("{:?}", maps.get_metadata_opt("missing").await?.is_some()))
    })
    .await;
    step("seven more", async {
        for number in 1..=7 {
            maps.create(&post(), &config_map(&format!("paged-{number}"), "paged")).await?;
        }
        Ok("made".into())
    })
    .await;
    step("list by pages", async {
        let mut told = vec![];
        let mut params = ListParams::default().labels("set=paged").limit(3);
        loop {
            let page = maps.list(&params).await?;
            told.push(format!("{} ({:?})", names(&page.items), page.metadata.remaining_item_count));
            match page.metadata.continue_.filter(|token| !token.is_empty()) {
                Some(token) => params = params.continue_token(&token),
                None => break,
            }
        }
        Ok(told.join(" | "))
    })
    .await;
    step("list by all of one set", async {
        let page = maps.list(&ListParams::default().limit(3)).await?;
        Ok(format!("{} {}", page.items.len(), page.metadata.remaining_item_count.is_some()))
    })
    .await;
    step("list_metadata", async {
        let list = maps.list_metadata(&ListParams::default().labels("set=paged")).await?;
        Ok(format!("{} {:?} {}", list.types.kind, list.types.api_version, names(&list.items)))
    })
    .await;
    step("list by a bad token", async {
        refused(maps.list(&ListParams::default().continue_token("rubbish")).await)
    })
    .await;
    step("list by expressions", async {
        let chosen = Selector::from_iter([
            Expression::In("set".into(), ["paged".to_string(), "a".to_string()].into()),
            Expression::Exists("set".into()),
            Expression::NotIn("set".into(), ["a".to_string()].into()),
        ]);
        Ok(names(&maps.list(&ListParams::default().labels_from(&chosen)).await?.items))
    })
    .await;
    step("list by a field", async {
        Ok(names(&maps.list(&ListParams::default().fields("metadata.name=one")).await?.items))
    })
    .await;
    step("list by a bad field", async {
        refused(maps.list(&ListParams::default().fields("data.key=one")).await)
    })
    .await;
    step("list by bad labels", async { refused(maps.list(&ListParams::default().labels("a in b")).await) })
        .await;
    step("list at a version", async {
        let before = maps.list(&ListParams::default()).await?;
        let version = before.metadata.resource_version.context("no version")?;
        maps.create(&post(), &config_map("later", "later")).await?;
        let exactly = ListParams::default().labels("set=later").at(&version).matching(VersionMatch::Exact);
        let since =
            ListParams::default().labels("set=later").at(&version).matching(VersionMatch::NotOlderThan);
        let _ = maps.list(&since).await?;
        Ok(format!("{}", maps.list(&exactly).await?.items.len()))
    })
    .await;
    step("list of a match without version", async {
        refused(maps.list(&ListParams::default().matching(VersionMatch::Exact)).await)
    })
    .await;
    step("list at a version to come", async {
        let params = ListParams::default().at("99999999999").matching(VersionMatch::Exact);
        let said = refused(maps.list(&params).await)?;
        Ok(said.split(", current").next().unwrap_or_default().to_string())
    })
    .await;
    step("large list, compressed on its way", async {
        let mut large = config_map("large", "large");
        large.data = Some([("key".into(), "large ".repeat(100_000))].into());
        maps.create(&post(), &large).await?;
        let list = maps.list(&ListParams::default().labels("set=large")).await?;
        maps.delete("large", &DeleteParams::default()).await?;
        Ok(format!("{:?}", list.items.first().map(|each| each.data == large.data)))
    })
    .await;
    step("list over namespaces", async {
        let all: Api<ConfigMap> = Api::all(client.clone());
        Ok(names(&all.list(&ListParams::default().labels("set=paged").match_any()).await?.items))
    })
    .await;
}

async fn replacing(maps: &Api<ConfigMap>) {
    step("replace", async {
        let mut found = maps.get("one").await?;
        found.data = Some([("key".into(), "other".into())].into());
        let replaced = maps.replace("one", &post(), &found).await?;
        let same = maps.replace("one", &post(), &replaced).await?;
        Ok(format!("{:?} {}", replaced.data, same.resource_version() == replaced.resource_version()))
    })
    .await;
    step("replace an old one", async {
        let old = maps.get("one").await?;
        let merge = Patch::Merge(json!({ "data": { "key": "newer" } }));
        maps.patch("one", &PatchParams::default(), &merge).await?;
        refused(maps.replace("one", &post(), &old).await)
    })
    .await;
    step("replace what is not there", async {
        refused(maps.replace("missing", &post(), &config_map("missing", "a")).await)
    })
    .await;
    step("replace by another name", async {
        refused(maps.replace("one", &post(), &config_map("two", "a")).await)
    })
    .await;
    step("replace another uid", async {
        let mut found = maps.get("one").await?;
        found.metadata.uid = Some("not-it".into());
        found.metadata.resource_version = None;
        Ok(refused(maps.replace("one", &post(), &found).await)?
            .replace(&maps.get("one").await?.uid().unwrap(), "UID"))
    })
    .await;
}

async fn patching(client: &Client, maps: &Api<ConfigMap>) {
    let plain = PatchParams::default();
    step("JSON patch", async {
        let patch: json_patch::Patch = serde_json::from_value(json!([
            { "op": "test", "path": "/data/key", "value": "newer" },
            { "op": "add", "path": "/metadata/labels/a~1b", "value": "slash" },
            { "op": "copy", "from": "/data/key", "path": "/data/copy" },
            { "op": "move", "from": "/data/key", "path": "/data/moved" },
            { "op": "remove", "path": "/data/copy" },
        ]))?;
        let patched = maps.patch("one", &plain, &Patch::Json::<()>(patch)).await?;
        Ok(format!("{:?} {:?}", patched.data, patched.metadata.labels))
    })
    .await;
    step("JSON patch whose test fails", async {
        let patch: json_patch::Patch =
            serde_json::from_value(json!([{ "op": "test", "path": "/data/moved", "value": "no" }]))?;
        refused(maps.patch("one", &plain, &Patch::Json::<()>(patch)).await)
    })
    .await;
    step("merge patch", async {
        let patch = Patch::Merge(json!({ "data": { "moved": null, "merged": "yes" } }));
        Ok(format!("{:?}", maps.patch("one", &plain, &patch).await?.data))
    })
    .await;
    step("merge patch of what is not there", async {
        refused(maps.patch("missing", &plain, &Patch::Merge(json!({}))).await)
    })
    .await;
    step("patch of the metadata", async {
        let patch = Patch::Merge(json!({ "metadata": { "labels": { "patched": "yes" } } }));
        let patched = maps.patch_metadata("one", &plain, &patch).await?;
        let partial = maps.get_metadata("one").await?.metadata.labels.context("no labels")?;
        Ok(format!("{:?} {:?}", patched.types.map(|types| types.kind), partial))
    })
    .await;
    step("apply of metadata alone", async {
        let meta = kube::core::ObjectMeta {
            labels: Some([("by".into(), "meta".into())].into()),
            ..Default::default()
        };
        let partial = meta.into_request_partial::<ConfigMap>();
        let patched =
            maps.patch_metadata("one", &PatchParams::apply("meta"), &Patch::Apply(&partial)).await?;
        Ok(format!("{:?}", patched.labels()))
    })
    .await;
    step("merge patch of the wrong type", async {
        behind_object(refused(
            maps.patch("one", &plain, &Patch::Merge(json!({ "data": { "merged": 5 } }))).await,
        )?)
    })
    .await;
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), NAMESPACE);
    let environment = |found: &Deployment| {
        let pod = found.spec.as_ref().and_then(|spec| spec.template.spec.clone()).unwrap_or_default();
        let each = |container: &k8s_openapi::api::core::v1::Container| {
            let variables = container
                .env
                .iter()
                .flatten()
                .map(|each| format!("{}={}", each.name, each.value.clone().unwrap_or_default()));
            format!("{} {:?} {}", container.name, container.image, listed(variables))
        };
        listed(pod.containers.iter().map(each))
    };
    step("strategic merge patch", async {
        deployments.create(&post(), &deployment("merged")).await?;
        let containers = json!([
            { "name": "main", "env": [{ "name": "B", "value": "b" }, { "name": "A", "$patch": "delete" }] },
            { "name": "more", "image": "second" },
        ]);
        let patch =
            Patch::Strategic(json!({ "spec": { "template": { "spec": { "containers": containers } } } }));
        Ok(environment(&deployments.patch("merged", &plain, &patch).await?))
    })
    .await;
    let words = |image: &str| {
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "merged" },
            "spec": { "template": { "spec": { "containers": [{ "name": "main", "image": image }] } } },
        })
    };
    step("apply what another has", async {
        refused(deployments.patch("merged", &PatchParams::apply("other"), &Patch::Apply(words("mine"))).await)
    })
    .await;
    step("apply by force", async {
        let forced = deployments
            .patch("merged", &PatchParams::apply("other").force(), &Patch::Apply(words("mine")))
            .await?;
        let managers = forced.managed_fields().iter().map(|each| {
            format!(
                "{} {}",
                each.manager.clone().unwrap_or_default(),
                each.operation.clone().unwrap_or_default()
            )
        });
        Ok(format!("{} by {}", environment(&forced), listed(managers)))
    })
    .await;
    step("apply what is not there", async {
        let object = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "applied" }, "data": { "a": "1", "b": "2" } });
        let made = maps.patch("applied", &PatchParams::apply("kubers"), &Patch::Apply(object)).await?;
        let fewer = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "applied" }, "data": { "b": "2" } });
        let left = maps.patch("applied", &PatchParams::apply("kubers"), &Patch::Apply(fewer)).await?;
        Ok(format!("{:?} {:?}", made.data, left.data))
    })
    .await;
    step("apply without a manager", async {
        let object = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "applied" } });
        refused(maps.patch("applied", &plain, &Patch::Apply(object)).await)
    })
    .await;
    step("apply in a dry run", async {
        let object =
            json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "applied-dry" } });
        maps.patch("applied-dry", &PatchParams::apply("kubers").dry_run(), &Patch::Apply(object)).await?;
        Ok(format!("{}", maps.get_opt("applied-dry").await?.is_some()))
    })
    .await;
    let unknown = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "applied" }, "dta": { "b": "2" } });
    step("apply of an unknown field, strictly", async {
        refused(
            maps.patch("applied", &PatchParams::apply("kubers").validation_strict(), &Patch::Apply(&unknown))
                .await,
        )
    })
    .await;
    step("merge of an unknown field, strictly", async {
        let patch = Patch::Merge(json!({ "dta": { "b": "2" } }));
        behind_object(refused(
            maps.patch("applied", &PatchParams::default().validation_strict(), &patch).await,
        )?)
    })
    .await;
    step("merge of an unknown field", async {
        let patch = Patch::Merge(json!({ "dta": { "b": "2" } }));
        let patched = maps.patch("applied", &PatchParams::default().validation_ignore(), &patch).await?;
        Ok(format!("{:?}", patched.data))
    })
    .await;
}

async fn entries(maps: &Api<ConfigMap>) {
    step("entry of what is not there", async {
        let mut entry = maps.entry("entered").await?.or_insert(|| config_map("entered", "entry"));
        entry.commit(&post()).await?;
        Ok(format!("{:?}", entry.get().data))
    })
    .await;
    step("entry of what is there", async {
        let entry = maps.entry("entered").await?.and_modify(|found| {
            found.data.get_or_insert_default().insert("more".into(), "yes".into());
        });
        let kube::api::entry::Entry::Occupied(mut entry) = entry else { anyhow::bail!("is not there") };
        entry.commit(&post()).await?;
        Ok(format!("{:?}", maps.get("entered").await?.data))
    })
    .await;
    step("entry that changed meanwhile", async {
        let mut entry = maps.entry("entered").await?.or_insert(|| config_map("entered", "entry"));
        maps.patch("entered", &PatchParams::default(), &Patch::Merge(json!({ "data": { "more": "else" } })))
            .await?;
        entry.get_mut().data = None;
        Ok(entry
            .commit(&post())
            .await
            .unwrap_err()
            .to_string()
            .split(':')
            .next()
            .unwrap_or_default()
            .to_string())
    })
    .await;
}

async fn watching(maps: &Api<ConfigMap>) {
    step("watch", async {
        let list = maps.list(&ListParams::default()).await?;
        let version = list.metadata.resource_version.context("no version")?;
        maps.create(&post(), &config_map("watched", "watched")).await?;
        maps.patch(
            "watched",
            &PatchParams::default(),
            &Patch::Merge(json!({ "metadata": { "labels": { "set": "else" } } })),
        )
        .await?;
        maps.delete("watched", &DeleteParams::default()).await?;
        let params = WatchParams::default().labels("set=watched").timeout(2);
        let events: Vec<_> = maps.watch(&params, &version).await?.try_collect().await?;
        // When bookmarks come is the server's to choose.
        let events = events.iter().filter(|event| !matches!(event, WatchEvent::Bookmark(_)));
        let told = events.map(|event| match event {
            WatchEvent::Added(object) => format!("added {}", object.name_any()),
            WatchEvent::Modified(object) => format!("modified {}", object.name_any()),
            WatchEvent::Deleted(object) => format!("deleted {} {:?}", object.name_any(), object.labels()),
            WatchEvent::Bookmark(_) => "bookmark".into(),
            WatchEvent::Error(error) => format!("error {error}"),
        });
        Ok(listed(told))
    })
    .await;
    step("watch with what there is", async {
        let params = WatchParams::default().labels("set=paged").initial_events();
        let mut events = maps.watch_metadata(&params, "0").await?.boxed();
        let mut told = vec![];
        while let Some(event) = events.try_next().await? {
            match event {
                WatchEvent::Added(object) => told.push(object.name_any()),
                WatchEvent::Bookmark(mark) => {
                    told.push(format!("{:?}", mark.metadata.annotations));
                    break;
                }
                other => told.push(format!("{other:?}")),
            }
        }
        Ok(listed(told))
    })
    .await;
    step("watch from long ago", async {
        let mut events = maps.watch(&WatchParams::default().timeout(5), "1").await?.boxed();
        match events.try_next().await? {
            Some(WatchEvent::Error(error)) => Ok(format!("{} {}", error.code, error.reason)),
            other => anyhow::bail!("{other:?}"),
        }
    })
    .await;
    step("watch from no version", async {
        refused(maps.watch(&WatchParams::default().timeout(2), "rubbish").await.map(|_| ()))
    })
    .await;
}

async fn dynamic(client: &Client) {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("apps", "v1", "Deployment"));
    let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), NAMESPACE, &resource);
    step("dynamic object", async {
        let object =
            DynamicObject::new("dynamic", &resource).data(json!({ "spec": deployment("dynamic").spec }));
        let made = api.create(&post(), &object).await?;
        let typed: Deployment = made.clone().try_parse()?;
        let spec = typed.spec.context("no spec")?;
        Ok(format!(
            "{:?} {} {:?} {:?}",
            made.types.map(|types| types.kind),
            made.data["spec"]["replicas"],
            spec.replicas,
            spec.revision_history_limit
        ))
    })
    .await;
    step("list of dynamic objects", async {
        let list = api.list(&ListParams::default()).await?;
        Ok(format!(
            "{} {} {}",
            list.types.kind,
            names(&list.items),
            list.items.iter().all(|each| each.types.is_none())
        ))
    })
    .await;
    step("kind that is not served", async {
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("example.com", "v1", "Nothing"));
        let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), NAMESPACE, &resource);
        refused(api.list(&ListParams::default()).await)
    })
    .await;
}

async fn deleting(maps: &Api<ConfigMap>) {
    let plain = DeleteParams::default();
    let told = |outcome: Either<ConfigMap, kube::core::response::Status>| match outcome {
        Either::Left(object) => {
            format!("object {} {}", object.name_any(), object.metadata.deletion_timestamp.is_some())
        }
        Either::Right(status) => {
            let about = status.details.map(|details| (details.group, details.kind, details.name));
            format!("status {:?} {} {about:?}", status.status, status.code)
        }
    };
    step("delete of another uid", async {
        let preconditions = Preconditions { uid: Some("not-it".into()), ..Default::default() };
        let mine = maps.get("one").await?.uid().unwrap_or_default();
        let said = refused(maps.delete("one", &plain.clone().preconditions(preconditions)).await)?;
        Ok(said.replace(&mine, "UID"))
    })
    .await;
    step("delete of an old version", async {
        let preconditions = Preconditions { resource_version: Some("1".into()), ..Default::default() };
        let mine = maps.get("one").await?.resource_version().unwrap_or_default();
        let said = refused(maps.delete("one", &plain.clone().preconditions(preconditions)).await)?;
        Ok(said.replace(&mine, "VERSION"))
    })
    .await;
    step("delete in a dry run", async {
        let outcome = told(maps.delete("one", &plain.clone().dry_run()).await?);
        Ok(format!("{outcome}, is there: {}", maps.get_opt("one").await?.is_some()))
    })
    .await;
    step("delete", async { Ok(told(maps.delete("one", &plain).await?)) }).await;
    step("delete what is not there", async { refused(maps.delete("one", &plain).await) }).await;
    step("delete what a finalizer holds", async {
        let mut object = config_map("held", "held");
        object.metadata.finalizers = Some(vec!["example.com/held".into()]);
        maps.create(&post(), &object).await?;
        let outcome = told(maps.delete("held", &plain).await?);
        let again = told(maps.delete("held", &plain).await?);
        maps.patch(
            "held",
            &PatchParams::default(),
            &Patch::Merge(json!({ "metadata": { "finalizers": null } })),
        )
        .await?;
        Ok(format!("{outcome}, {again}, is there: {}", maps.get_opt("held").await?.is_some()))
    })
    .await;
    step("delete in the foreground", async {
        maps.create(&post(), &config_map("front", "front")).await?;
        match maps.delete("front", &DeleteParams::foreground()).await? {
            Either::Left(object) => Ok(format!("object {:?}", object.finalizers())),
            Either::Right(status) => Ok(format!("{:?}", status.status)),
        }
    })
    .await;
    step("delete of what depends, kept", async {
        maps.create(&post(), &config_map("orphans", "orphans")).await?;
        match maps.delete("orphans", &DeleteParams::orphan()).await? {
            Either::Left(object) => Ok(format!("object {:?}", object.finalizers())),
            Either::Right(status) => Ok(format!("{:?}", status.status)),
        }
    })
    .await;
    step("delete_collection", async {
        let outcome = maps.delete_collection(&plain, &ListParams::default().labels("set=paged")).await?;
        let told = match outcome {
            Either::Left(list) => format!("{} {}", list.types.kind, names(&list.items)),
            Either::Right(status) => format!("{:?}", status.status),
        };
        Ok(format!(
            "{told}; left: {}",
            maps.list(&ListParams::default().labels("set=paged")).await?.items.len()
        ))
    })
    .await;
}
