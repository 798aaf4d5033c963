//! What the program tells: a line for each step, its name and what came of it.
use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use kube::core::response::Status;

const STEP_LIMIT: Duration = Duration::from_secs(60);

pub type Answer = anyhow::Result<String>;

/// Does a step and prints what came of it; one that fails is told, and the next ones are done.
pub async fn step(name: &str, work: impl Future<Output = Answer>) {
    let told = match tokio::time::timeout(STEP_LIMIT, work).await {
        Ok(Ok(text)) => text,
        Ok(Err(error)) => match error.downcast_ref::<kube::Error>() {
            Some(error) => format!("failed: {}", of_error(error)),
            None => format!("failed: {error:#}"),
        },
        Err(_) => "failed: took too long".to_string(),
    };
    println!("{name}\t{}", told.replace('\n', "\\n"));
}

/// What a refusal says: its code, reason and words; where it has several causes, those alone in their order by name.
pub fn of_status(status: &Status) -> String {
    let details = status.details.as_ref();
    let causes = details.map(|details| details.causes.as_slice()).unwrap_or_default();
    let mut told: Vec<_> =
        causes.iter().map(|cause| format!("[{} {}: {}]", cause.field, cause.reason, cause.message)).collect();
    told.sort();
    let about =
        details.map(|details| [&details.group, &details.kind, &details.name].map(String::as_str).join("/"));
    let words = if causes.len() > 1 { "" } else { status.message.as_str() };
    let about = about.filter(|about| about != "//").unwrap_or_default();
    format!("{} {} ({about}): {words} {}", status.code, status.reason, told.join(" ")).trim_end().to_string()
}

pub fn of_error(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) => of_status(status),
        other => format!("{other}"),
    }
}

/// What was refused, in its words; what was not refused is a failure.
pub fn refused<T>(result: kube::Result<T>) -> Answer {
    match result {
        Ok(_) => anyhow::bail!("was not refused"),
        Err(error) => Ok(of_error(&error)),
    }
}

/// Each on its own, with commas between.
pub fn listed<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

/// A refusal that tells the whole object, without it.
pub fn behind_object(said: String) -> Answer {
    let (start, end) =
        (said.split(": ").next().unwrap_or_default(), said.rsplit("}\": ").next().unwrap_or_default());
    Ok(format!("{start}: … {end}"))
}
