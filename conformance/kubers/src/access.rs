//! Who asks: certificates, tokens, tokens of files, programs that give them, impersonation; and what each may do.
use anyhow::Context;
use k8s_openapi::api::authentication::v1::{SelfSubjectReview, TokenRequest};
use k8s_openapi::api::authorization::v1::{
    SelfSubjectAccessReview, SelfSubjectRulesReview, SubjectAccessReview,
};
use k8s_openapi::api::core::v1::{ConfigMap, ServiceAccount};
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::api::{Api, ListParams, PostParams};
use kube::config::{AuthInfo, ExecConfig};
use kube::{Client, Config};
use serde_json::json;

use crate::from_json;
use crate::objects::namespace;
use crate::told::{Answer, listed, of_error, refused, step};

const NAMESPACE: &str = "access";

async fn who(config: Config) -> Answer {
    let reviews: Api<SelfSubjectReview> = Api::all(Client::try_from(config)?);
    let review = reviews.create(&PostParams::default(), &SelfSubjectReview::default()).await?;
    let user = review.status.and_then(|status| status.user_info).context("nobody")?;
    let extra =
        user.extra.unwrap_or_default().into_iter().filter(|(key, _)| !key.starts_with("authentication."));
    let extra: Vec<_> = extra.collect();
    Ok(format!("{} {:?} {:?}", user.username.unwrap_or_default(), user.groups.unwrap_or_default(), extra))
}

/// Why who it is was not told.
fn not_told(answer: Answer) -> Answer {
    match answer {
        Ok(_) => anyhow::bail!("was not refused"),
        Err(error) => Ok(error.downcast_ref::<kube::Error>().map_or_else(|| error.to_string(), of_error)),
    }
}

fn with(config: &Config, change: impl FnOnce(&mut AuthInfo)) -> Config {
    let mut config = config.clone();
    change(&mut config.auth_info);
    config
}

pub async fn tell(client: &Client, config: &Config) {
    step("namespace", async { namespace(client, NAMESPACE).await.map(|()| "made".into()) }).await;
    step("certificate", async { Ok(who(config.clone()).await?.contains("system:masters").to_string()) })
        .await;
    let impersonated = |groups: &[&str]| {
        with(config, |user| {
            user.impersonate = Some("rust".into());
            user.impersonate_groups = Some(groups.iter().map(|group| group.to_string()).collect());
        })
    };
    step("impersonation", async { who(impersonated(&["readers", "writers"])).await }).await;
    step("impersonation without groups", async {
        who(with(config, |user| user.impersonate = Some("rust".into()))).await
    })
    .await;
    step("groups without a user", async {
        let config = with(config, |user| user.impersonate_groups = Some(vec!["readers".into()]));
        not_told(who(config).await)
    })
    .await;
    let maps = |config: Config| -> anyhow::Result<Api<ConfigMap>> {
        Ok(Api::namespaced(Client::try_from(config)?, NAMESPACE))
    };
    step("who may not", async {
        refused(maps(impersonated(&["readers"]))?.list(&ListParams::default()).await)
    })
    .await;
    step("who may not over namespaces", async {
        let api: Api<ConfigMap> = Api::all(Client::try_from(impersonated(&[]))?);
        refused(api.list(&ListParams::default()).await)
    })
    .await;
    step("binding", async {
        let rules = json!([{ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["list", "get"], "resourceNames": [] }]);
        let role: Role = from_json(json!({ "metadata": { "name": "reader" }, "rules": rules }))?;
        Api::<Role>::namespaced(client.clone(), NAMESPACE).create(&PostParams::default(), &role).await?;
        let subjects = json!([
            { "apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "readers" },
            { "kind": "ServiceAccount", "name": "robot", "namespace": NAMESPACE },
        ]);
        let bound = json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader" });
        let binding: RoleBinding = from_json(json!({ "metadata": { "name": "readers" }, "subjects": subjects, "roleRef": bound }))?;
        Api::<RoleBinding>::namespaced(client.clone(), NAMESPACE).create(&PostParams::default(), &binding).await?;
        Ok("made".into())
    })
    .await;
    step("who may", async {
        let api = maps(impersonated(&["readers"]))?;
        for _ in 0..50 {
            if api.list(&ListParams::default()).await.is_ok() {
                return Ok("may".into());
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        anyhow::bail!("may not")
    })
    .await;
    step("who may only read", async {
        let object: ConfigMap = from_json(json!({ "metadata": { "name": "a" } }))?;
        refused(maps(impersonated(&["readers"]))?.create(&PostParams::default(), &object).await)
    })
    .await;
    reviews(client, impersonated(&["readers"])).await;
    tokens(client, config).await;
}

async fn reviews(client: &Client, reader: Config) {
    step("self subject access review", async {
        let api: Api<SelfSubjectAccessReview> = Api::all(Client::try_from(reader.clone())?);
        let mut told = vec![];
        for verb in ["list", "delete"] {
            let attributes = json!({ "namespace": NAMESPACE, "verb": verb, "resource": "configmaps" });
            let review = api
                .create(
                    &PostParams::default(),
                    &from_json(json!({ "metadata": {}, "spec": { "resourceAttributes": attributes } }))?,
                )
                .await?;
            let status = review.status.context("no status")?;
            told.push(format!("{verb}: {} {:?} {:?}", status.allowed, status.denied, status.reason));
        }
        Ok(listed(told))
    })
    .await;
    step("self subject rules review", async {
        let api: Api<SelfSubjectRulesReview> = Api::all(Client::try_from(reader.clone())?);
        let review = api
            .create(
                &PostParams::default(),
                &from_json(json!({ "metadata": {}, "spec": { "namespace": NAMESPACE } }))?,
            )
            .await?;
        let status = review.status.context("no status")?;
        let rules = status
            .resource_rules
            .iter()
            .filter(|rule| rule.resources.iter().flatten().any(|each| each == "configmaps"));
        Ok(format!("{} {}", status.incomplete, listed(rules.map(|rule| rule.verbs.join(" ")))))
    })
    .await;
    step("subject access review", async {
        let api: Api<SubjectAccessReview> = Api::all(client.clone());
        let attributes = json!({ "namespace": NAMESPACE, "verb": "get", "resource": "configmaps" });
        let spec = json!({ "user": "somebody", "groups": ["readers"], "resourceAttributes": attributes });
        let status = api
            .create(&PostParams::default(), &from_json(json!({ "metadata": {}, "spec": spec }))?)
            .await?
            .status;
        Ok(format!("{:?}", status.map(|status| (status.allowed, status.reason))))
    })
    .await;
}

async fn tokens(client: &Client, config: &Config) {
    let token = async {
        let api: Api<ServiceAccount> = Api::namespaced(client.clone(), NAMESPACE);
        api.create(&PostParams::default(), &from_json(json!({ "metadata": { "name": "robot" } }))?).await?;
        let request: TokenRequest = from_json(json!({ "spec": { "audiences": [] } }))?;
        let answer = api.create_token_request("robot", &PostParams::default(), &request).await?;
        answer.status.context("no status")?.token.context("no token")
    };
    let Ok(token) = token.await else { return println!("token\tfailed") };
    let by = |user: AuthInfo| with(config, |found| *found = user);
    step("token", async {
        who(by(AuthInfo { token: Some(token.clone().into()), ..Default::default() })).await
    })
    .await;
    let folder = std::env::temp_dir().join(format!("kubers-{}", std::process::id()));
    let (file, program) = (folder.join("token"), folder.join("program"));
    step("token of a file", async {
        std::fs::create_dir_all(&folder)?;
        std::fs::write(&file, &token)?;
        who(by(AuthInfo { token_file: Some(file.display().to_string()), ..Default::default() })).await
    })
    .await;
    step("token of a program", async {
        let credential = json!({ "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": { "token": token } });
        std::fs::write(&program, credential.to_string())?;
        let exec: ExecConfig = from_json(json!({
            "apiVersion": "client.authentication.k8s.io/v1", "command": "cat", "args": [program], "interactiveMode": "Never",
        }))?;
        who(by(AuthInfo { exec: Some(exec), ..Default::default() })).await
    })
    .await;
    let _ = std::fs::remove_dir_all(&folder);
    step("a token may read", async {
        let api: Api<ConfigMap> = Api::namespaced(
            Client::try_from(by(AuthInfo { token: Some(token.clone().into()), ..Default::default() }))?,
            NAMESPACE,
        );
        api.list(&ListParams::default()).await?;
        let object: ConfigMap = from_json(json!({ "metadata": { "name": "a" } }))?;
        refused(api.create(&PostParams::default(), &object).await)
    })
    .await;
    step("a token may not impersonate", async {
        let user = AuthInfo {
            token: Some(token.clone().into()),
            impersonate: Some("rust".into()),
            ..Default::default()
        };
        not_told(who(by(user)).await)
    })
    .await;
}
