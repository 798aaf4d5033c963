//! A controller: a config map for each shop, with an owner and a finalizer, across whatever happens to the API server.
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context as _;
use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::core::PartialObjectMeta;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::finalizer::{Event, finalizer};
use kube::runtime::reflector::Store;
use kube::runtime::wait::{Condition, await_condition, conditions};
use kube::runtime::{WatchStreamExt, reflector, watcher};
use kube::{Client, CustomResourceExt, Resource, ResourceExt};
use serde_json::json;

use crate::custom::{Shop, define, shop};
use crate::objects::{config_map, namespace};
use crate::told::step;

const FINALIZER: &str = "rust.example.com/closing";

struct Context {
    client: Client,
    namespace: &'static str,
    reconciled: AtomicUsize,
    /// Those that were cleaned up, which may come twice: another write may come before the finalizer goes.
    closed: Mutex<BTreeSet<String>>,
}

type Failure = kube::runtime::finalizer::Error<kube::Error>;

async fn reconcile(shop: Arc<Shop>, context: Arc<Context>) -> Result<Action, Failure> {
    let shops: Api<Shop> = Api::namespaced(context.client.clone(), context.namespace);
    finalizer(&shops, FINALIZER, shop, |event| async {
        match event {
            Event::Apply(shop) => open(&shop, &context).await,
            Event::Cleanup(shop) => {
                context.closed.lock().expect("a lock").insert(shop.name_any());
                Ok(Action::await_change())
            }
        }
    })
    .await
}

/// Makes the shop's sign as it should be, and tells in its status that it is open.
async fn open(shop: &Shop, context: &Context) -> kube::Result<Action> {
    context.reconciled.fetch_add(1, Ordering::Relaxed);
    let signs: Api<ConfigMap> = Api::namespaced(context.client.clone(), context.namespace);
    let mut sign = config_map(&shop.name_any(), "sign");
    sign.metadata.owner_references = Some(shop.controller_owner_ref(&()).into_iter().collect());
    sign.data = Some(
        [("sells".into(), shop.spec.sells.clone()), ("replicas".into(), shop.spec.replicas.to_string())]
            .into(),
    );
    let by = PatchParams::apply("rust.example.com/operator").force();
    signs.patch(&shop.name_any(), &by, &Patch::Apply(&sign)).await?;
    let shops: Api<Shop> = Api::namespaced(context.client.clone(), context.namespace);
    let status = json!({ "apiVersion": Shop::api_version(&()), "kind": Shop::kind(&()), "status": { "says": "open", "replicas": shop.spec.replicas } });
    shops.patch_status(&shop.name_any(), &by, &Patch::Apply(&status)).await?;
    Ok(Action::await_change())
}

fn start(client: &Client, namespace: &'static str) -> (Arc<Context>, tokio::task::JoinHandle<()>) {
    let context = Arc::new(Context {
        client: client.clone(),
        namespace,
        reconciled: 0.into(),
        closed: Default::default(),
    });
    let (shops, signs) = (
        Api::<Shop>::namespaced(client.clone(), namespace),
        Api::<ConfigMap>::namespaced(client.clone(), namespace),
    );
    let running = Controller::new(shops, watcher::Config::default())
        .owns(signs, watcher::Config::default().labels("set=sign").streaming_lists())
        .run(reconcile, |_, _, _| Action::requeue(Duration::from_millis(200)), context.clone())
        .for_each(|_| async {});
    (context, tokio::spawn(running))
}

fn says(sells: &str, replicas: &str) -> impl Condition<ConfigMap> {
    let expected =
        [("sells".to_string(), sells.to_string()), ("replicas".to_string(), replicas.to_string())].into();
    move |sign: Option<&ConfigMap>| sign.and_then(|sign| sign.data.as_ref()) == Some(&expected)
}

pub async fn tell(client: &Client) {
    const NAMESPACE: &str = "operator";
    step("definition and namespace", async {
        define(client, &Shop::crd()).await?;
        namespace(client, NAMESPACE).await.map(|()| "made".into())
    })
    .await;
    let shops: Api<Shop> = Api::namespaced(client.clone(), NAMESPACE);
    let signs: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let (context, running) = start(client, NAMESPACE);
    step("what a custom resource asks for is made", async {
        let made = shops.create(&PostParams::default(), &shop("baker", "bread")).await?;
        let sign = await_condition(signs.clone(), "baker", says("bread", "1")).await?.context("no sign")?;
        let owner = sign.owner_references().first().context("no owner")?;
        let is_open = |shop: Option<&Shop>| {
            shop.and_then(|shop| shop.status.as_ref()).is_some_and(|status| status.says == "open")
        };
        let seen = await_condition(shops.clone(), "baker", is_open).await?.context("no shop")?;
        Ok(format!(
            "{} {:?} {:?}",
            owner.uid == made.uid().unwrap_or_default(),
            owner.controller,
            seen.finalizers()
        ))
    })
    .await;
    step("what is changed is made again", async {
        signs
            .patch("baker", &PatchParams::default(), &Patch::Merge(json!({ "data": { "sells": "stones" } })))
            .await?;
        await_condition(signs.clone(), "baker", says("bread", "1")).await?;
        signs.delete("baker", &DeleteParams::default()).await?;
        await_condition(signs.clone(), "baker", says("bread", "1")).await?;
        shops
            .patch("baker", &PatchParams::default(), &Patch::Merge(json!({ "spec": { "replicas": 2 } })))
            .await?;
        await_condition(signs.clone(), "baker", says("bread", "2")).await?;
        Ok("as it should be".into())
    })
    .await;
    step("what nobody changes is left alone", async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let before = context.reconciled.load(Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(500)).await;
        Ok(format!("{}", context.reconciled.load(Ordering::Relaxed) - before))
    })
    .await;
    step("what is deleted is cleaned up", async {
        let uid = shops.get("baker").await?.uid().context("no uid")?;
        shops.delete("baker", &DeleteParams::default()).await?;
        await_condition(shops.clone(), "baker", conditions::is_deleted(&uid)).await?;
        Ok(format!("{}", context.closed.lock().expect("a lock").len()))
    })
    .await;
    step("forty at once", async {
        let made =
            (0..40).map(|number| {
                let shops = shops.clone();
                async move {
                    shops.create(&PostParams::default(), &shop(&format!("shop-{number}"), "bread")).await
                }
            });
        futures::future::try_join_all(made).await?;
        for number in 0..40 {
            await_condition(signs.clone(), &format!("shop-{number}"), says("bread", "1")).await?;
        }
        shops.delete_collection(&DeleteParams::default(), &ListParams::default()).await?;
        while !shops.list(&ListParams::default()).await?.items.is_empty() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(format!("{}", context.closed.lock().expect("a lock").len()))
    })
    .await;
    running.abort();
}

/// A store that keeps what a watcher tells, and counts how often that began anew.
fn kept(
    client: &Client,
    namespace: &str,
    config: watcher::Config,
) -> (Store<ConfigMap>, tokio::task::JoinHandle<()>) {
    let (reader, writer) = reflector::store();
    let signs: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let changes = watcher(signs, config.labels("set=sign")).default_backoff().reflect(writer);
    (reader, tokio::spawn(changes.for_each(|_| async {})))
}

/// Prints "ready" when all watch; then the API server dies and comes back, and a line comes on the standard input.
pub async fn tell_across_death(client: &Client) {
    const NAMESPACE: &str = "death";
    step("definition and namespace", async {
        define(client, &Shop::crd()).await?;
        namespace(client, NAMESPACE).await.map(|()| "made".into())
    })
    .await;
    let shops: Api<Shop> = Api::namespaced(client.clone(), NAMESPACE);
    let signs: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let (context, running) = start(client, NAMESPACE);
    let (by_list, listing) = kept(client, NAMESPACE, watcher::Config::default());
    let (by_stream, streaming) = kept(client, NAMESPACE, watcher::Config::default().streaming_lists());
    let metadata: Api<PartialObjectMeta<ConfigMap>> = Api::namespaced(client.clone(), NAMESPACE);
    let names = watcher(metadata, watcher::Config::default().labels("set=sign")).default_backoff();
    let (partial, writer) = reflector::store();
    let named = tokio::spawn(names.reflect(writer).for_each(|_| async {}));
    step("before", async {
        shops.create(&PostParams::default(), &shop("baker", "bread")).await?;
        shops.create(&PostParams::default(), &shop("miller", "flour")).await?;
        for name in ["baker", "miller"] {
            await_condition(signs.clone(), name, conditions::is_created()).await?;
        }
        (
            by_list.wait_until_ready().await?,
            by_stream.wait_until_ready().await?,
            partial.wait_until_ready().await?,
        );
        Ok("watched".into())
    })
    .await;
    println!("ready");
    // A condition is told of the first failure, and what waits for it asks again.
    let waiting = signs.clone();
    let condition = tokio::spawn(async move {
        while await_condition(waiting.clone(), "brewer", says("beer", "1")).await.is_err() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let mut line = String::new();
    let _ =
        tokio::io::AsyncBufReadExt::read_line(&mut tokio::io::BufReader::new(tokio::io::stdin()), &mut line)
            .await;
    step("after", async {
        shops.create(&PostParams::default(), &shop("brewer", "beer")).await?;
        shops.delete("miller", &DeleteParams::default()).await?;
        shops
            .patch("baker", &PatchParams::default(), &Patch::Merge(json!({ "spec": { "replicas": 3 } })))
            .await?;
        await_condition(signs.clone(), "baker", says("bread", "3")).await?;
        condition.await?;
        await_condition(signs.clone(), "miller", conditions::is_created().not()).await?;
        Ok("as it should be".into())
    })
    .await;
    for (name, store) in [("kept by lists", &by_list), ("kept by streams", &by_stream)] {
        step(name, async {
            loop {
                let mut told: Vec<String> = store
                    .state()
                    .iter()
                    .map(|sign| {
                        format!(
                            "{} {:?}",
                            sign.name_any(),
                            sign.data.as_ref().and_then(|data| data.get("replicas"))
                        )
                    })
                    .collect();
                told.sort();
                if told.join(", ") == "baker Some(\"3\"), brewer Some(\"1\")" {
                    return Ok(told.join(", "));
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await;
    }
    step("kept of metadata", async {
        while partial.len() != 2 || partial.state().iter().any(|sign| sign.name_any() == "miller") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok("as it should be".into())
    })
    .await;
    step("closed", async { Ok(context.closed.lock().expect("a lock").len().to_string()) }).await;
    for task in [running, listing, streaming, named] {
        task.abort();
    }
}
