//! kube::runtime: watchers by lists and by streams, stores, conditions, events, a controller, leases.
use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use futures::{Stream, StreamExt, TryStreamExt};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{ConfigMap, ObjectReference, Pod};
use k8s_openapi::api::events::v1::Event as StoredEvent;
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::jiff::Timestamp;
use kube::api::{Api, DeleteParams, EvictParams, ListParams, Patch, PatchParams, PostParams};
use kube::core::PartialObjectMeta;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::runtime::reflector::ObjectRef;
use kube::runtime::wait::{Condition, await_condition, conditions, delete};
use kube::runtime::{WatchStreamExt, predicates, reflector, watcher};
use kube::{Client, Resource, ResourceExt};
use serde_json::json;

use crate::from_json;
use crate::objects::{config_map, namespace};
use crate::sessions::scripted;
use crate::told::{listed, of_status, step};

const NAMESPACE: &str = "runtime";

pub async fn tell(client: &Client) {
    step("namespace", async { namespace(client, NAMESPACE).await.map(|()| "made".into()) }).await;
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    watching(&maps).await;
    stores(&maps).await;
    events(client).await;
    leases(client).await;
}

/// What a watcher tells of three objects that are there, and of one that comes, changes and goes.
async fn told_of<K: ResourceExt>(
    maps: &Api<ConfigMap>,
    events: impl Stream<Item = watcher::Result<watcher::Event<K>>>,
) -> anyhow::Result<String> {
    let mut events = pin!(events);
    let mut told = vec![];
    let (mut first, mut is_done) = (vec![], false);
    while !is_done {
        match events.try_next().await?.context("ended")? {
            watcher::Event::Init => told.push("init".to_string()),
            watcher::Event::InitApply(object) => first.push(object.name_any()),
            watcher::Event::InitDone => is_done = true,
            other => told.push(format!("{other}")),
        }
    }
    first.sort();
    told.push(first.join(" "));
    let mut next = async || anyhow::Ok(format!("{}", events.try_next().await?.context("ended")?));
    maps.create(&PostParams::default(), &config_map("comes", "watched")).await?;
    told.push(next().await?);
    maps.patch("comes", &PatchParams::default(), &Patch::Merge(json!({ "data": { "key": "else" } }))).await?;
    told.push(next().await?);
    maps.patch(
        "comes",
        &PatchParams::default(),
        &Patch::Merge(json!({ "metadata": { "labels": { "set": "else" } } })),
    )
    .await?;
    told.push(next().await?);
    maps.delete("comes", &DeleteParams::default()).await?;
    Ok(listed(told))
}

async fn watching(maps: &Api<ConfigMap>) {
    for name in ["a", "b", "c"] {
        let _ = maps.create(&PostParams::default(), &config_map(name, "watched")).await;
    }
    let config = || watcher::Config::default().labels("set=watched");
    for (name, config) in [
        ("watcher by lists", config()),
        ("watcher by pages", config().page_size(1)),
        ("watcher by lists of any version", config().any_semantic()),
        ("watcher by streams", config().streaming_lists()),
        ("watcher without bookmarks", config().disable_bookmarks()),
    ] {
        step(name, async { told_of(maps, watcher(maps.clone(), config)).await }).await;
    }
    let partial: Api<PartialObjectMeta<ConfigMap>> = Api::namespaced(maps.clone().into_client(), NAMESPACE);
    for (name, config) in [
        ("watcher of metadata by lists", config()),
        ("watcher of metadata by streams", config().streaming_lists()),
    ] {
        step(name, async { told_of(maps, watcher(partial.clone(), config)).await }).await;
    }
    step("watcher of one object", async {
        let mut states = pin!(watcher::watch_object(maps.clone(), "single"));
        let mut next = async || {
            anyhow::Ok(
                states
                    .try_next()
                    .await?
                    .context("ended")?
                    .map(|object: ConfigMap| object.data.unwrap_or_default()),
            )
        };
        let absent = next().await?;
        maps.create(&PostParams::default(), &config_map("single", "single")).await?;
        let present = next().await?;
        maps.delete("single", &DeleteParams::default()).await?;
        Ok(format!("{absent:?} {present:?} {:?}", next().await?))
    })
    .await;
    step("watcher by a bad selector", async {
        let mut events = pin!(watcher(maps.clone(), watcher::Config::default().labels("a in b")));
        let _ = events.try_next().await?;
        match events.try_next().await {
            Err(watcher::Error::InitialListFailed(kube::Error::Api(status))) => Ok(of_status(&status)),
            other => anyhow::bail!("{other:?}"),
        }
    })
    .await;
    step("a predicate", async {
        let changes =
            watcher(maps.clone(), watcher::Config::default().fields("metadata.name=a")).touched_objects();
        let mut changes = pin!(changes.predicate_filter(predicates::labels, Default::default()));
        let _ = changes.try_next().await?;
        maps.patch("a", &PatchParams::default(), &Patch::Merge(json!({ "data": { "key": "unseen" } })))
            .await?;
        maps.patch(
            "a",
            &PatchParams::default(),
            &Patch::Merge(json!({ "metadata": { "labels": { "more": "seen" } } })),
        )
        .await?;
        let seen = changes.try_next().await?.context("ended")?;
        Ok(format!("{:?}", seen.labels()))
    })
    .await;
}

async fn stores(maps: &Api<ConfigMap>) {
    for (name, config) in [
        ("store by lists", watcher::Config::default()),
        ("store by streams", watcher::Config::default().streaming_lists()),
    ] {
        step(name, async {
            let (reader, writer) = reflector::store();
            let changes = watcher(maps.clone(), config.labels("set=watched"))
                .default_backoff()
                .reflect(writer)
                .applied_objects();
            let driving = tokio::spawn(changes.for_each(|_| async {}));
            reader.wait_until_ready().await?;
            let mut names: Vec<String> =
                reader.state().iter().map(|each: &Arc<ConfigMap>| each.name_any()).collect();
            names.sort();
            maps.create(&PostParams::default(), &config_map("stored", "watched")).await?;
            let key = ObjectRef::new("stored").within(NAMESPACE);
            while reader.get(&key).is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            maps.delete("stored", &DeleteParams::default()).await?;
            while reader.get(&key).is_some() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            driving.abort();
            Ok(format!("{} {}", listed(names), reader.len()))
        })
        .await;
    }
    step("delete and wait", async {
        let mut object = config_map("finalized", "finalized");
        object.metadata.finalizers = Some(vec!["example.com/kept".into()]);
        maps.create(&PostParams::default(), &object).await?;
        let plain = DeleteParams::default();
        let waiting = delete::delete_and_finalize(maps.clone(), "finalized", &plain);
        let releasing = async {
            await_condition(maps.clone(), "finalized", |found: Option<&ConfigMap>| {
                found.is_some_and(|found| found.metadata.deletion_timestamp.is_some())
            })
            .await?;
            maps.patch(
                "finalized",
                &PatchParams::default(),
                &Patch::Merge(json!({ "metadata": { "finalizers": null } })),
            )
            .await?;
            anyhow::Ok(())
        };
        let (waited, released) = tokio::join!(waiting, releasing);
        (waited?, released?);
        Ok(format!("{}", maps.get_opt("finalized").await?.is_none()))
    })
    .await;
    step("condition of what does not come", async {
        let condition = conditions::is_created().and(|_: Option<&ConfigMap>| true);
        let waiting = await_condition(maps.clone(), "never", condition);
        Ok(format!("{}", tokio::time::timeout(Duration::from_millis(300), waiting).await.is_err()))
    })
    .await;
}

async fn events(client: &Client) {
    step("events", async {
        let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
        let reporter =
            Reporter { controller: "rust.example.com/kubers".into(), instance: Some("one".into()) };
        let recorder = Recorder::new(client.clone(), reporter);
        let about: ObjectReference = maps.get("a").await?.object_ref(&());
        let event = |reason: &str, type_: EventType| Event {
            type_,
            reason: reason.into(),
            note: Some("as it is".into()),
            action: "Looking".into(),
            secondary: None,
        };
        recorder.publish(&event("Seen", EventType::Normal), &about).await?;
        recorder.publish(&event("Seen", EventType::Normal), &about).await?;
        recorder.publish(&event("Seen", EventType::Normal), &about).await?;
        recorder.publish(&event("Wrong", EventType::Warning), &about).await?;
        let stored: Api<StoredEvent> = Api::namespaced(client.clone(), NAMESPACE);
        let mut told = vec![];
        for event in stored
            .list(
                &ListParams::default().fields("regarding.name=a,reportingController=rust.example.com/kubers"),
            )
            .await?
        {
            let series = event.series.as_ref().map(|series| series.count);
            told.push(format!(
                "{:?} {:?} {:?} {series:?}",
                event.type_,
                event.reason,
                event.regarding.as_ref().and_then(|each| each.kind.clone())
            ));
        }
        told.sort();
        Ok(told.join("; "))
    })
    .await;
    step("events as the older kind", async {
        let stored: Api<k8s_openapi::api::core::v1::Event> = Api::namespaced(client.clone(), NAMESPACE);
        let list = stored.list(&ListParams::default().fields("involvedObject.name=a,reason=Wrong")).await?;
        Ok(listed(
            list.items
                .iter()
                .map(|each| format!("{:?} {:?} {:?}", each.message, each.reporting_component, each.count)),
        ))
    })
    .await;
}

/// Takes a lease that nobody holds, or whose holder has not renewed it; answers whether it is held.
async fn take(leases: &Api<Lease>, holder: &str) -> anyhow::Result<bool> {
    let now = k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime(Timestamp::now());
    let mut lease = match leases.get_opt("leader").await? {
        Some(lease) => lease,
        None => {
            let spec = json!({ "holderIdentity": "", "leaseDurationSeconds": 1, "renewTime": "2020-01-01T00:00:00.000000Z" });
            match leases
                .create(
                    &PostParams::default(),
                    &from_json(json!({ "metadata": { "name": "leader" }, "spec": spec }))?,
                )
                .await
            {
                Err(kube::Error::Api(status)) if status.is_already_exists() => return Ok(false),
                made => made?,
            }
        }
    };
    let spec = lease.spec.as_mut().context("no spec")?;
    let renewed = spec.renew_time.as_ref().map_or(0, |time| time.0.as_millisecond());
    let is_free =
        now.0.as_millisecond() - renewed > i64::from(spec.lease_duration_seconds.unwrap_or(1)) * 1000;
    if spec.holder_identity.as_deref() != Some(holder) && !is_free {
        return Ok(false);
    }
    spec.holder_identity = Some(holder.into());
    spec.renew_time = Some(now);
    match leases.replace("leader", &PostParams::default(), &lease).await {
        Err(kube::Error::Api(status)) if status.is_conflict() => Ok(false),
        replaced => replaced.map(|_| true).map_err(Into::into),
    }
}

async fn leases(client: &Client) {
    step("ten who want to lead", async {
        let leases: Api<Lease> = Api::namespaced(client.clone(), NAMESPACE);
        let names: Vec<String> = (0..10).map(|number| format!("candidate {number}")).collect();
        let mut leaders = vec![];
        for _ in 0..50 {
            let taken = futures::future::try_join_all(names.iter().map(|name| take(&leases, name))).await?;
            leaders = taken.into_iter().enumerate().filter(|(_, leads)| *leads).collect();
            if !leaders.is_empty() {
                break;
            }
        }
        let holder = leases.get("leader").await?.spec.and_then(|spec| spec.holder_identity);
        let told = leaders.first().map(|(number, _)| names[*number].clone());
        Ok(format!("{} {}", leaders.len(), told == holder))
    })
    .await;
    step("who follows when the leader has gone", async {
        let leases: Api<Lease> = Api::namespaced(client.clone(), NAMESPACE);
        let at_first = take(&leases, "follower").await?;
        tokio::time::sleep(Duration::from_millis(1100)).await;
        Ok(format!("{at_first} {}", take(&leases, "follower").await?))
    })
    .await;
}

/// What waits for controllers and containers.
pub async fn tell_workloads(client: &Client, image: &str) {
    const NAMESPACE: &str = "workloads";
    step("namespace", async { namespace(client, NAMESPACE).await.map(|()| "made".into()) }).await;
    let pods: Api<Pod> = Api::namespaced(client.clone(), NAMESPACE);
    step("job that is completed", async {
        let jobs: Api<Job> = Api::namespaced(client.clone(), NAMESPACE);
        let mut template = serde_json::to_value(scripted("job", image, "exit 0", json!({}))?)?;
        template["metadata"]["name"].take();
        jobs.create(
            &PostParams::default(),
            &from_json(json!({ "metadata": { "name": "job" }, "spec": { "template": template } }))?,
        )
        .await?;
        let done = await_condition(jobs.clone(), "job", conditions::is_job_completed()).await?;
        Ok(format!("{:?}", done.and_then(|job| job.status).and_then(|status| status.succeeded)))
    })
    .await;
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), NAMESPACE);
    step("deployment that is rolled out", async {
        let mut template = serde_json::to_value(scripted("web", image, "sleep 100000", json!({}))?)?;
        template["metadata"]["name"].take();
        template["spec"]["restartPolicy"] = json!("Always");
        let spec =
            json!({ "replicas": 2, "selector": { "matchLabels": { "app": "web" } }, "template": template });
        deployments
            .create(
                &PostParams::default(),
                &from_json(json!({ "metadata": { "name": "web" }, "spec": spec }))?,
            )
            .await?;
        let done = await_condition(deployments.clone(), "web", conditions::is_deployment_completed()).await?;
        Ok(format!("{:?}", done.and_then(|found| found.status).and_then(|status| status.ready_replicas)))
    })
    .await;
    step("eviction that a budget refuses", async {
        let budgets: Api<PodDisruptionBudget> = Api::namespaced(client.clone(), NAMESPACE);
        let spec = json!({ "minAvailable": 2, "selector": { "matchLabels": { "app": "web" } } });
        budgets
            .create(
                &PostParams::default(),
                &from_json(json!({ "metadata": { "name": "web" }, "spec": spec }))?,
            )
            .await?;
        await_condition(budgets.clone(), "web", |found: Option<&PodDisruptionBudget>| {
            found
                .and_then(|found| found.status.as_ref())
                .is_some_and(|status| status.current_healthy == Some(2))
        })
        .await?;
        let list = pods.list(&ListParams::default().labels("app=web")).await?;
        let name = list.items.first().context("no pod")?.name_any();
        crate::told::refused(pods.evict(&name, &EvictParams::default()).await)
    })
    .await;
    step("restart that is rolled out", async {
        let before = deployments.restart("web").await?.metadata.generation;
        let done = await_condition(deployments.clone(), "web", |found: Option<&Deployment>| {
            let seen =
                found.and_then(|found| found.status.as_ref()).and_then(|status| status.observed_generation);
            seen >= before && conditions::is_deployment_completed().matches_object(found)
        })
        .await?;
        let hashes = pods.list(&ListParams::default().labels("app=web")).await?;
        let running = hashes.items.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none());
        let by_hash = running.fold(BTreeMap::new(), |mut all: BTreeMap<_, usize>, pod| {
            *all.entry(pod.labels().get("pod-template-hash").cloned()).or_default() += 1;
            all
        });
        Ok(format!(
            "{:?} {:?}",
            done.and_then(|found| found.status).and_then(|status| status.updated_replicas),
            by_hash.into_values().collect::<Vec<_>>()
        ))
    })
    .await;
    step("namespace that goes with all that is in it", async {
        let namespaces: Api<k8s_openapi::api::core::v1::Namespace> = Api::all(client.clone());
        delete::delete_and_finalize(namespaces, NAMESPACE, &DeleteParams::default()).await?;
        Ok(format!("{}", pods.list(&ListParams::default()).await?.items.len()))
    })
    .await;
}
