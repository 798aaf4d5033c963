//! Custom resources whose definition Rust types make: rules in CEL, defaults, columns, status, scale, two versions.
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::core::crd::merge_crds;
use kube::runtime::wait::{await_condition, conditions};
use kube::{Client, CustomResource, CustomResourceExt, KubeSchema, ResourceExt};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::objects::namespace;
use crate::told::{behind_object, listed, refused, step};

const NAMESPACE: &str = "custom";

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, Default)]
#[kube(
    group = "rust.example.com",
    version = "v1",
    kind = "Shop",
    plural = "shops",
    singular = "shop",
    shortname = "sh",
    category = "all",
    namespaced,
    cel,
    status = "ShopStatus",
    scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas", label_selector_path = ".status.selector"),
    printcolumn(name = "Sells", type_ = "string", json_path = ".spec.sells"),
    printcolumn(name = "Replicas", type_ = "integer", json_path = ".spec.replicas", priority = 1),
    selectable = ".spec.sells",
    annotation("example.com/by", "kube-rs"),
    label("made", "rust"),
    validation = Rule::new("self.metadata.name != 'forbidden'").message("a shop has another name").reason(Reason::FieldValueForbidden)
)]
#[x_kube(validation = Rule::new("self.replicas <= self.most").message("more than there may be").field_path(".replicas"))]
#[serde(rename_all = "camelCase")]
pub struct ShopSpec {
    #[x_kube(validation = Rule::new("self == oldSelf").message("what is sold stays"))]
    #[schemars(length(min = 2, max = 20), regex(pattern = "^[a-z]+$"))]
    pub sells: String,
    #[serde(default = "three")]
    #[schemars(range(min = 0, max = 100))]
    pub replicas: i32,
    #[serde(default = "ten")]
    pub most: i32,
    #[serde(default)]
    pub kind: Kind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub shelves: Vec<Shelf>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[x_kube(validation = "self >= 0")]
    pub price: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<k8s_openapi::api::core::v1::EmptyDirVolumeSource>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, schemars::JsonSchema)]
pub enum Kind {
    #[default]
    Small,
    Large,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, schemars::JsonSchema)]
pub struct Shelf {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, schemars::JsonSchema)]
pub struct ShopStatus {
    #[serde(default)]
    pub replicas: i32,
    #[serde(default)]
    pub selector: String,
    #[serde(default)]
    pub says: String,
}

fn three() -> i32 {
    3
}

fn ten() -> i32 {
    10
}

/// What the kind was in its first version.
mod old {
    use super::*;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, Default, schemars::JsonSchema)]
    #[kube(
        group = "rust.example.com",
        version = "v1alpha1",
        kind = "Shop",
        plural = "shops",
        singular = "shop",
        shortname = "sh",
        category = "all",
        namespaced,
        served = true,
        deprecated = "v1 is there",
        status = "ShopStatus"
    )]
    pub struct ShopSpec {
        pub sells: String,
        #[serde(default)]
        pub old: Option<String>,
    }
}

pub fn shop(name: &str, sells: &str) -> Shop {
    let spec = ShopSpec { sells: sells.into(), replicas: 1, most: 10, ..Default::default() };
    Shop::new(name, spec)
}

/// Applies the definition and waits until its kind is served.
pub async fn define(client: &Client, definition: &CustomResourceDefinition) -> anyhow::Result<()> {
    let api: Api<CustomResourceDefinition> = Api::all(client.clone());
    api.patch(&definition.name_any(), &PatchParams::apply("kubers").force(), &Patch::Apply(definition))
        .await?;
    await_condition(api, &definition.name_any(), conditions::is_crd_established()).await?;
    Ok(())
}

pub async fn tell(client: &Client) {
    step("definition", async {
        let definition = Shop::crd();
        define(client, &definition).await?;
        let stored =
            Api::<CustomResourceDefinition>::all(client.clone()).get("shops.rust.example.com").await?;
        let status = stored.status.unwrap_or_default();
        let told = status
            .conditions
            .unwrap_or_default()
            .into_iter()
            .map(|each| format!("{} {}", each.type_, each.status));
        let version = serde_json::to_value(&stored.spec.versions[0])?;
        let same = serde_json::to_value(&definition.spec.versions[0])?;
        println!("definition as it was\t{}", differences("", &same, &version).join(", "));
        Ok(listed(told))
    })
    .await;
    step("namespace", async { namespace(client, NAMESPACE).await.map(|()| "made".into()) }).await;
    let api: Api<Shop> = Api::namespaced(client.clone(), NAMESPACE);
    objects(client, &api).await;
    rules(&api).await;
    subresources(&api).await;
    versions(client).await;
    step("delete of the definition", async {
        let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
        kube::runtime::wait::delete::delete_and_finalize(
            definitions,
            "shops.rust.example.com",
            &DeleteParams::default(),
        )
        .await?;
        for _ in 0..100 {
            if api.list(&ListParams::default()).await.is_err() {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        refused(api.list(&ListParams::default()).await)
    })
    .await;
}

/// Where two values are not the same, by path.
fn differences(path: &str, one: &Value, other: &Value) -> Vec<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: std::collections::BTreeSet<_> = one.keys().chain(other.keys()).collect();
            let at = |key: &String| {
                differences(
                    &format!("{path}.{key}"),
                    one.get(key).unwrap_or(&Value::Null),
                    other.get(key).unwrap_or(&Value::Null),
                )
            };
            keys.into_iter().flat_map(at).collect()
        }
        _ if one == other => vec![],
        _ => vec![format!("{path}: {one} {other}")],
    }
}

async fn objects(client: &Client, api: &Api<Shop>) {
    let post = PostParams::default();
    step("create with defaults", async {
        let resource = kube::core::discovery::ApiResource::erase::<Shop>(&());
        let dynamic: Api<kube::core::DynamicObject> =
            Api::namespaced_with(client.clone(), NAMESPACE, &resource);
        let object = kube::core::DynamicObject::new("baker", &resource)
            .data(json!({ "spec": { "sells": "bread", "unknown": 1 } }));
        Ok(dynamic.create(&post, &object).await?.data["spec"].to_string())
    })
    .await;
    step("get", async {
        let found = api.get("baker").await?;
        Ok(format!(
            "{:?} {} {:?}",
            found.spec.kind,
            found.spec.replicas,
            found.status.map(|status| status.says)
        ))
    })
    .await;
    step("whole of a specification", async {
        let mut object = shop("miller", "flour");
        object.spec.tags = vec!["a".into(), "b".into()];
        object.spec.shelves = vec![Shelf { name: "one".into(), width: Some(4) }];
        object.spec.kind = Kind::Large;
        object.spec.opened = Some(serde_json::from_value(json!("2026-01-02T03:04:05Z"))?);
        object.spec.volume = Some(serde_json::from_value(json!({ "medium": "Memory", "sizeLimit": "1Gi" }))?);
        let made = api.create(&post, &object).await?;
        Ok(serde_json::to_string(&made.spec)?)
    })
    .await;
    step("apply merges lists by their keys", async {
        let words = |shelves: Value, tags: Value| {
            json!({
                "apiVersion": "rust.example.com/v1", "kind": "Shop", "metadata": { "name": "miller" },
                "spec": { "shelves": shelves, "tags": tags },
            })
        };
        let one = words(json!([{ "name": "two", "width": 2 }]), json!(["c", "a"]));
        let patched = api.patch("miller", &PatchParams::apply("second"), &Patch::Apply(one)).await?;
        let names = patched.spec.shelves.iter().map(|each| each.name.clone());
        let told = format!("{} {}", listed(names), listed(patched.spec.tags.clone()));
        let other = words(json!([]), json!([]));
        let patched = api.patch("miller", &PatchParams::apply("second"), &Patch::Apply(other)).await?;
        let names = patched.spec.shelves.iter().map(|each| each.name.clone());
        Ok(format!("{told}; {} {}", listed(names), listed(patched.spec.tags.clone())))
    })
    .await;
    step("strategic patch", async {
        refused(
            api.patch(
                "miller",
                &PatchParams::default(),
                &Patch::Strategic(json!({ "spec": { "price": 3 } })),
            )
            .await,
        )
    })
    .await;
    step("list by a selectable field", async {
        let list = api.list(&ListParams::default().fields("spec.sells=flour")).await?;
        Ok(listed(list.items.iter().map(ResourceExt::name_any)))
    })
    .await;
    step("list by another field", async {
        refused(api.list(&ListParams::default().fields("spec.price=3")).await)
    })
    .await;
    step("list of metadata", async {
        let list = api.list_metadata(&ListParams::default()).await?;
        Ok(format!("{} {}", list.types.kind, listed(list.items.iter().map(ResourceExt::name_any))))
    })
    .await;
    step("table", async {
        let request = http::Request::get(format!("/apis/rust.example.com/v1/namespaces/{NAMESPACE}/shops"))
            .header("accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
        let table: Value = client.request(request.body(vec![])?).await?;
        let columns = table["columnDefinitions"].as_array().into_iter().flatten();
        let columns =
            listed(columns.map(|each| format!("{} {} {}", each["name"], each["type"], each["priority"])));
        let rows = table["rows"].as_array().into_iter().flatten();
        Ok(format!(
            "{columns}; {}",
            listed(rows.map(|row| format!("{} {} {}", row["cells"][0], row["cells"][1], row["cells"][2])))
        ))
    })
    .await;
}

/// What the rules say of an object here and there.
async fn rules(api: &Api<Shop>) {
    let post = PostParams::default();
    let changes: [(&str, fn(&mut Shop)); 8] = [
        ("too many", |shop| shop.spec.replicas = 11),
        ("a bad word", |shop| shop.spec.sells = "Bread".into()),
        ("a short word", |shop| shop.spec.sells = "b".into()),
        ("out of range", |shop| (shop.spec.replicas, shop.spec.most) = (101, 200)),
        ("a negative price", |shop| shop.spec.price = Some(-1)),
        ("a forbidden name", |shop| shop.metadata.name = Some("forbidden".into())),
        ("all at once", |shop| {
            (shop.spec.replicas, shop.spec.price) = (-1, Some(-1));
            shop.spec.sells = "B".into();
        }),
        ("one shelf twice", |shop| {
            shop.spec.shelves =
                vec![Shelf { name: "a".into(), width: None }, Shelf { name: "a".into(), width: None }]
        }),
    ];
    for (name, change) in changes {
        step(name, async {
            let mut object = shop("wrong", "bread");
            change(&mut object);
            let here = object.validate_cel().err().map(|errors| errors.to_string());
            let there = refused(api.create(&post, &object).await)?;
            Ok(format!("{there}; here: {here:?}"))
        })
        .await;
    }
    step("what may not change", async {
        let found = api.get("baker").await?;
        let mut object = found.clone();
        object.spec.sells = "rolls".into();
        let here = object.validate_cel_update(&found).err().map(|errors| errors.to_string());
        Ok(format!("{}; here: {here:?}", refused(api.replace("baker", &post, &object).await)?))
    })
    .await;
    step("a word of the wrong type", async {
        refused(
            api.patch(
                "baker",
                &PatchParams::default(),
                &Patch::Merge(json!({ "spec": { "replicas": "many", "kind": "Huge" } })),
            )
            .await,
        )
    })
    .await;
    step("an unknown field, strictly", async {
        let patch = Patch::Merge(json!({ "spec": { "unknown": 1 } }));
        behind_object(refused(api.patch("baker", &PatchParams::default().validation_strict(), &patch).await)?)
    })
    .await;
    step("an unknown field applied, strictly", async {
        let object = json!({ "apiVersion": "rust.example.com/v1", "kind": "Shop", "metadata": { "name": "baker" }, "spec": { "unknown": 1 } });
        refused(api.patch("baker", &PatchParams::apply("odd").validation_strict(), &Patch::Apply(object)).await)
    })
    .await;
    step("what has to be there", async {
        refused(
            api.patch("baker", &PatchParams::default(), &Patch::Merge(json!({ "spec": { "sells": null } })))
                .await,
        )
    })
    .await;
}

async fn subresources(api: &Api<Shop>) {
    let (post, plain) = (PostParams::default(), PatchParams::default());
    step("patch_status", async {
        let patch = Patch::Merge(json!({ "spec": { "replicas": 9 }, "status": { "replicas": 2, "selector": "app=shop", "says": "open" } }));
        let patched = api.patch_status("baker", &plain, &patch).await?;
        Ok(format!("{} {:?} {:?}", patched.spec.replicas, patched.status.map(|status| status.says), patched.metadata.generation))
    })
    .await;
    step("status is not written with the object", async {
        let patched = api
            .patch(
                "baker",
                &plain,
                &Patch::Merge(json!({ "spec": { "replicas": 4 }, "status": { "says": "closed" } })),
            )
            .await?;
        Ok(format!("{:?} {:?}", patched.status.map(|status| status.says), patched.metadata.generation))
    })
    .await;
    step("replace_status", async {
        let mut found = api.get_status("baker").await?;
        found.spec.replicas = 1;
        found.status.get_or_insert_default().says = "closed".into();
        let replaced = api.replace_status("baker", &post, &found).await?;
        Ok(format!("{} {:?}", replaced.spec.replicas, replaced.status.map(|status| status.says)))
    })
    .await;
    step("apply of the status", async {
        let object =
            json!({ "apiVersion": "rust.example.com/v1", "kind": "Shop", "status": { "says": "applied" } });
        let applied =
            api.patch_status("baker", &PatchParams::apply("teller").force(), &Patch::Apply(object)).await?;
        let parts = applied.managed_fields().iter().map(|each| {
            format!(
                "{} {} {}",
                each.manager.clone().unwrap_or_default(),
                each.operation.clone().unwrap_or_default(),
                each.subresource.clone().unwrap_or_default()
            )
        });
        Ok(listed(parts))
    })
    .await;
    step("get_scale", async {
        let scale = api.get_scale("baker").await?;
        let status = scale.status.unwrap_or_default();
        Ok(format!(
            "{:?} {} {:?}",
            scale.spec.and_then(|spec| spec.replicas),
            status.replicas,
            status.selector
        ))
    })
    .await;
    step("patch_scale", async {
        let scale =
            api.patch_scale("baker", &plain, &Patch::Merge(json!({ "spec": { "replicas": 5 } }))).await?;
        Ok(format!(
            "{:?} {}",
            scale.spec.and_then(|spec| spec.replicas),
            api.get("baker").await?.spec.replicas
        ))
    })
    .await;
    step("patch_scale beyond the rules", async {
        refused(api.patch_scale("baker", &plain, &Patch::Merge(json!({ "spec": { "replicas": 50 } }))).await)
    })
    .await;
}

async fn versions(client: &Client) {
    step("two versions", async {
        let both = merge_crds(vec![Shop::crd(), old::Shop::crd()], "v1")?;
        define(client, &both).await?;
        let api: Api<old::Shop> = Api::namespaced(client.clone(), NAMESPACE);
        let mut found = api.get("baker").await;
        for _ in 0..50 {
            if found.is_ok() {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            found = api.get("baker").await;
        }
        Ok(format!("{:?}", found?.spec))
    })
    .await;
    step("written in the old version", async {
        let api: Api<old::Shop> = Api::namespaced(client.clone(), NAMESPACE);
        let object = old::Shop::new("older", old::ShopSpec { sells: "rye".into(), old: Some("yes".into()) });
        let made = api.create(&PostParams::default(), &object).await?;
        let resource = kube::core::discovery::ApiResource::erase::<Shop>(&());
        let newer: Api<kube::core::DynamicObject> =
            Api::namespaced_with(client.clone(), NAMESPACE, &resource);
        Ok(format!("{:?} {}", made.spec, newer.get("older").await?.data["spec"]))
    })
    .await;
    step("stored versions", async {
        let definition =
            Api::<CustomResourceDefinition>::all(client.clone()).get("shops.rust.example.com").await?;
        Ok(listed(definition.status.and_then(|status| status.stored_versions).unwrap_or_default()))
    })
    .await;
    step("the stored version may not go", async {
        let without = json!({ "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": { "name": "shops.rust.example.com" }, "spec": old::Shop::crd().spec });
        let api: Api<CustomResourceDefinition> = Api::all(client.clone());
        refused(api.patch("shops.rust.example.com", &PatchParams::apply("kubers").force(), &Patch::Apply(without)).await)
    })
    .await;
}
