//! Sessions with containers: exec, attach, port-forward and logs.
use std::time::Duration;

use anyhow::Context;
use futures::future::try_join_all;
use futures::{AsyncBufReadExt, SinkExt, TryStreamExt};
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use kube::Client;
use kube::api::{
    Api, AttachParams, AttachedProcess, LogParams, Patch, PatchParams, PostParams, TerminalSize,
};
use kube::runtime::wait::{await_condition, conditions};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::from_json;
use crate::objects::namespace;
use crate::told::{Answer, listed, of_error, of_status, refused, step};

const NAMESPACE: &str = "sessions";
const MEBIBYTE: usize = 1 << 20;

/// A pod whose container runs a script.
pub fn scripted(name: &str, image: &str, script: &str, container: Value) -> anyhow::Result<Pod> {
    let mut main = json!({ "name": "main", "image": image, "imagePullPolicy": "Never", "command": ["sh", "-c", script] });
    let more = container.as_object().context("no object")?.clone();
    main.as_object_mut().context("no object")?.extend(more);
    let spec = json!({ "terminationGracePeriodSeconds": 0, "restartPolicy": "Never", "containers": [main] });
    from_json(json!({ "metadata": { "name": name, "labels": { "app": name } }, "spec": spec }))
}

async fn run(pods: &Api<Pod>, pod: Pod) -> Answer {
    let name = pod.metadata.name.clone().context("no name")?;
    pods.create(&PostParams::default(), &pod).await?;
    await_condition(pods.clone(), &name, conditions::is_pod_running()).await?;
    Ok("runs".into())
}

pub async fn tell(client: &Client, image: &str) {
    step("namespace", async { namespace(client, NAMESPACE).await.map(|()| "made".into()) }).await;
    let pods: Api<Pod> = Api::namespaced(client.clone(), NAMESPACE);
    step("pod of servers", async {
        let page = "mkdir -p /www; echo 'the page' > /www/index.html; httpd -p 8080 -h /www";
        let many = "nc -ll -p 9002 -e head -c 8388608 /dev/zero &";
        let script =
            format!("{page}; nc -ll -p 9000 -e sha256sum & nc -ll -p 9001 -e cat & {many} sleep 100000");
        run(&pods, scripted("servers", image, &script, json!({}))?).await
    })
    .await;
    commands(&pods).await;
    terminals(&pods).await;
    attaching(&pods, image).await;
    forwarding(&pods).await;
    logs(&pods, image).await;
    changing(&pods, image).await;
}

/// Everything that comes, as it comes.
async fn all_of(stream: Option<impl AsyncRead + Unpin>) -> anyhow::Result<Vec<u8>> {
    let mut read = vec![];
    stream.context("no stream")?.read_to_end(&mut read).await?;
    Ok(read)
}

pub async fn text_of(stream: Option<impl AsyncRead + Unpin>) -> Answer {
    Ok(String::from_utf8(all_of(stream).await?)?)
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes that no compression makes small and that are the same each time.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..length.div_ceil(8)).flat_map(|_| next()).take(length).collect()
}

fn script(text: &str) -> [&str; 3] {
    ["sh", "-c", text]
}

/// How a process ended, as its session tells.
pub fn end_of(status: Option<Status>) -> Answer {
    let status = status.context("no status came")?;
    if status.status.as_deref() == Some("Success") {
        return Ok("Success".into());
    }
    Ok(of_status(&from_json(serde_json::to_value(status)?)?))
}

fn output_alone() -> AttachParams {
    AttachParams::default().stderr(false)
}

/// Both outputs and the end of a script without input.
async fn outcome(mut process: AttachedProcess) -> Answer {
    let status = process.take_status().context("no status")?;
    let (stdout, stderr) = (process.stdout(), process.stderr());
    let (stdout, stderr, status) = tokio::join!(text_of(stdout), text_of(stderr), status);
    let ended = process.join().await;
    Ok(format!("{:?} {:?} {} {}", stdout?, stderr?, end_of(status)?, ended.is_ok()))
}

async fn commands(pods: &Api<Pod>) {
    let plain = AttachParams::default();
    let both = output_alone().stdin(true);
    for (name, words) in [
        ("exec", vec!["echo", "a b", "c"]),
        ("exec with both outputs", script("echo out; echo err >&2").to_vec()),
        ("exec that fails", script("echo last; exit 7").to_vec()),
        ("exec that is killed", script("kill -9 $$").to_vec()),
        ("exec that is terminated", script("kill -15 $$").to_vec()),
        ("exec of nothing to say", vec!["true"]),
        ("exec of bytes beyond ASCII", vec!["echo", "äöü € 🦀"]),
    ] {
        step(name, async { outcome(pods.exec("servers", words.clone(), &plain).await?).await }).await;
    }
    step("exec of what is not there", async {
        let mut process = pods.exec("servers", ["nothing-of-this-name"], &plain).await?;
        let status = process.take_status().context("no status")?.await.context("none came")?;
        Ok(format!(
            "{:?} {:?} {}",
            status.code,
            status.reason,
            status.message.unwrap_or_default().contains("nothing-of-this-name")
        ))
    })
    .await;
    step("exec in another container", async {
        Ok(of_error(
            &pods
                .exec("servers", ["true"], &AttachParams::default().container("other"))
                .await
                .err()
                .context("was not refused")?,
        ))
    })
    .await;
    step("exec without any stream", async {
        let none = AttachParams::default().stdout(false).stderr(false);
        Ok(of_error(&pods.exec("servers", ["true"], &none).await.err().context("was not refused")?))
    })
    .await;
    step("input that ends", async {
        let mut process = pods.exec("servers", script("cat; echo over"), &both).await?;
        let mut stdin = process.stdin().context("no stdin")?;
        stdin.write_all(b"one\ntwo\n").await?;
        stdin.shutdown().await?;
        drop(stdin);
        let said = text_of(process.stdout()).await?;
        process.join().await?;
        Ok(format!("{said:?}"))
    })
    .await;
    step("input that is left open", async {
        let mut process = pods.exec("servers", script("read a; echo $a; exit 3"), &both).await?;
        let mut stdin = process.stdin().context("no stdin")?;
        stdin.write_all(b"line\n").await?;
        let status = process.take_status().context("no status")?;
        let said = text_of(process.stdout()).await?;
        Ok(format!("{said:?} {}", end_of(status.await)?))
    })
    .await;
    step("8 MiB in", async {
        let bytes = noise(8 * MEBIBYTE);
        let mut process = pods.exec("servers", ["sha256sum"], &both).await?;
        let mut stdin = process.stdin().context("no stdin")?;
        stdin.write_all(&bytes).await?;
        stdin.shutdown().await?;
        drop(stdin);
        let said = text_of(process.stdout()).await?;
        Ok(format!("{}", said.split(' ').next() == Some(hash(&bytes).as_str())))
    })
    .await;
    step("16 MiB out", async {
        let large = output_alone().max_stdout_buf_size(64 << 10);
        let mut process = pods.exec("servers", ["head", "-c", "16777216", "/dev/zero"], &large).await?;
        let read = all_of(process.stdout()).await?;
        Ok(format!("{} {}", read.len(), hash(&read) == hash(&vec![0; 16 * MEBIBYTE])))
    })
    .await;
    step("4 MiB there and back", async {
        let bytes = noise(4 * MEBIBYTE);
        let mut process = pods.exec("servers", ["cat"], &both).await?;
        let (mut stdin, stdout) = (process.stdin().context("no stdin")?, process.stdout());
        let sent = async {
            stdin.write_all(&bytes).await?;
            stdin.shutdown().await?;
            drop(stdin);
            anyhow::Ok(())
        };
        let (sent, read) = tokio::join!(sent, all_of(stdout));
        sent?;
        process.join().await?;
        Ok(format!("{}", hash(&read?) == hash(&bytes)))
    })
    .await;
    step("output that is read slowly", async {
        let mut process =
            pods.exec("servers", script("head -c 4194304 /dev/zero; echo end"), &output_alone()).await?;
        let mut stdout = process.stdout().context("no stdout")?;
        let (mut chunk, mut all) = (vec![0; 64 << 10], vec![]);
        loop {
            let length = stdout.read(&mut chunk).await?;
            if length == 0 {
                break;
            }
            all.extend_from_slice(&chunk[..length]);
            if all.len() % (256 << 10) < length {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        Ok(format!("{} {}", all.len(), all.ends_with(b"end\n")))
    })
    .await;
    step("both outputs, each of a MiB", async {
        let words = script("head -c 1048576 /dev/zero >&2 & head -c 1048576 /dev/zero; wait");
        let mut process = pods.exec("servers", words, &plain).await?;
        let (stdout, stderr) = tokio::join!(all_of(process.stdout()), all_of(process.stderr()));
        Ok(format!("{} {}", stdout?.len(), stderr?.len()))
    })
    .await;
    step("thirty at once", async {
        let each = |number: usize| async move {
            let word = format!("number {number}");
            let mut process = pods.exec("servers", ["echo", &word], &output_alone()).await?;
            anyhow::Ok(text_of(process.stdout()).await? == format!("{word}\n"))
        };
        let said = try_join_all((0..30).map(each)).await?;
        Ok(format!("{}", said.iter().filter(|right| **right).count()))
    })
    .await;
    step("what is dropped is hung up on", async {
        let words = script("trap 'touch /tmp/hung-up; exit' HUP; echo ready; sleep 100000 & wait");
        let mut process = pods.exec("servers", words, &output_alone()).await?;
        process.stdout().context("no stdout")?.read_exact(&mut [0; 6]).await?;
        drop(process);
        for _ in 0..100 {
            if outcome(pods.exec("servers", ["ls", "/tmp"], &plain).await?).await?.contains("hung-up") {
                return Ok("was told".into());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        anyhow::bail!("goes on")
    })
    .await;
}

async fn resize(process: &mut AttachedProcess, width: u16, height: u16) -> anyhow::Result<()> {
    Ok(process.terminal_size().context("no sizes")?.send(TerminalSize { width, height }).await?)
}

async fn terminals(pods: &Api<Pod>) {
    let terminal = AttachParams::interactive_tty();
    step("terminal", async {
        let mut process = pods.exec("servers", script("tty; echo err >&2; exit 4"), &terminal).await?;
        let status = process.take_status().context("no status")?;
        let said = text_of(process.stdout()).await?;
        Ok(format!("{} {}", said.replace(char::is_numeric, "N").escape_debug(), end_of(status.await)?))
    })
    .await;
    step("terminal of a size", async {
        let words =
            script("until [ \"$(stty size 2>/dev/null)\" = '30 101' ]; do sleep 0.05; done; stty size");
        let mut process = pods.exec("servers", words, &terminal).await?;
        resize(&mut process, 101, 30).await?;
        Ok(format!("{:?}", text_of(process.stdout()).await?))
    })
    .await;
    step("terminal that echoes, and its end of input", async {
        let mut process =
            pods.exec("servers", script("read a; echo got $a; cat; echo over"), &terminal).await?;
        let mut stdin = process.stdin().context("no stdin")?;
        stdin.write_all(b"hello\n").await?;
        stdin.write_all(&[4]).await?;
        Ok(format!("{:?}", text_of(process.stdout()).await?))
    })
    .await;
    step("terminal that is interrupted", async {
        let mut process = pods
            .exec(
                "servers",
                script("trap 'echo stopped; exit 9' INT; echo ready; sleep 100 & wait"),
                &terminal,
            )
            .await?;
        let status = process.take_status().context("no status")?;
        let (mut stdin, mut stdout) =
            (process.stdin().context("no stdin")?, process.stdout().context("no stdout")?);
        let mut ready = [0; 7];
        stdout.read_exact(&mut ready).await?;
        stdin.write_all(&[3]).await?;
        let rest = text_of(Some(stdout)).await?;
        Ok(format!("{:?} {}", rest, end_of(status.await)?))
    })
    .await;
    step("terminal with stderr of its own", async {
        let params = AttachParams { tty: true, stderr: true, ..AttachParams::default() };
        Ok(of_error(&pods.exec("servers", ["true"], &params).await.err().context("was not refused")?))
    })
    .await;
}

async fn attaching(pods: &Api<Pod>, image: &str) {
    step("attach", async {
        let container = json!({ "stdin": true, "stdinOnce": true });
        run(
            pods,
            scripted(
                "reader",
                image,
                "while read a; do echo got $a; echo err >&2; done; echo over; exit 5",
                container,
            )?,
        )
        .await?;
        let mut process = pods.attach("reader", &AttachParams::default().stdin(true)).await?;
        let status = process.take_status().context("no status")?;
        let (mut stdin, stdout, stderr) =
            (process.stdin().context("no stdin")?, process.stdout(), process.stderr());
        stdin.write_all(b"one\ntwo\n").await?;
        stdin.shutdown().await?;
        drop(stdin);
        let (stdout, stderr, status) = tokio::join!(text_of(stdout), text_of(stderr), status);
        Ok(format!("{:?} {:?} {:?}", stdout?, stderr?, status.and_then(|status| status.status)))
    })
    .await;
    step("the end of what was attached to", async {
        let ended = await_condition(pods.clone(), "reader", |pod: Option<&Pod>| {
            let phase = pod.and_then(|pod| pod.status.as_ref()).and_then(|status| status.phase.as_deref());
            matches!(phase, Some("Failed" | "Succeeded"))
        })
        .await?;
        let statuses =
            ended.and_then(|pod| pod.status).and_then(|status| status.container_statuses).unwrap_or_default();
        let code =
            statuses.first().and_then(|each| each.state.as_ref()).and_then(|state| state.terminated.as_ref());
        Ok(format!("{:?}", code.map(|ended| ended.exit_code)))
    })
    .await;
    step("attach to a terminal", async {
        let container = json!({ "stdin": true, "tty": true });
        let words = "until [ \"$(stty size 2>/dev/null)\" = '33 77' ]; do sleep 0.05; done; read a; stty size; echo got $a; sleep 100000";
        run(pods, scripted("terminal", image, words, container)?).await?;
        let mut process = pods.attach("terminal", &AttachParams::interactive_tty()).await?;
        resize(&mut process, 77, 33).await?;
        let (mut stdin, mut stdout) = (process.stdin().context("no stdin")?, process.stdout().context("no stdout")?);
        stdin.write_all(b"word\n").await?;
        let mut said = String::new();
        let mut chunk = [0; 256];
        while !said.contains("got") {
            let length = stdout.read(&mut chunk).await?;
            anyhow::ensure!(length > 0, "ended with {said:?}");
            said += std::str::from_utf8(&chunk[..length])?;
        }
        process.abort();
        Ok(format!("{:?}", said.trim_start_matches(['\r', '\n'])))
    })
    .await;
}

/// What a web server answers on a stream.
pub async fn page(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> Answer {
    stream.write_all(b"GET / HTTP/1.0\r\n\r\n").await?;
    let said = text_of(Some(stream)).await?;
    Ok(said.rsplit("\r\n\r\n").next().unwrap_or_default().trim_end().to_string())
}

async fn forwarding(pods: &Api<Pod>) {
    step("portforward", async {
        let mut forwarder = pods.portforward("servers", &[8080]).await?;
        page(forwarder.take_stream(8080).context("no stream")?).await
    })
    .await;
    step("two ports", async {
        let mut forwarder = pods.portforward("servers", &[8080, 9001]).await?;
        let (web, mut echo) =
            (forwarder.take_stream(8080).context("none")?, forwarder.take_stream(9001).context("none")?);
        echo.write_all(b"hello").await?;
        let mut back = [0; 5];
        echo.read_exact(&mut back).await?;
        let mut web = web;
        web.write_all(b"GET / HTTP/1.0\r\n\r\n").await?;
        let mut start = [0; 12];
        web.read_exact(&mut start).await?;
        drop((web, echo));
        Ok(format!(
            "{} {} {:?}",
            String::from_utf8_lossy(&back),
            String::from_utf8_lossy(&start),
            forwarder.join().await.is_ok()
        ))
    })
    .await;
    step("thirty forwards at once", async {
        let each = |_| async {
            let mut forwarder = pods.portforward("servers", &[8080]).await?;
            anyhow::Ok(page(forwarder.take_stream(8080).context("no stream")?).await? == "the page")
        };
        let said = try_join_all((0..30).map(each)).await?;
        Ok(format!("{}", said.iter().filter(|right| **right).count()))
    })
    .await;
    step("8 MiB from the pod", async {
        let mut forwarder = pods.portforward("servers", &[9002]).await?;
        let read = all_of(forwarder.take_stream(9002)).await?;
        Ok(format!("{} {}", read.len(), hash(&read) == hash(&vec![0; 8 * MEBIBYTE])))
    })
    .await;
    step("5 MiB there and back", async {
        let bytes = noise(5 * MEBIBYTE);
        let mut forwarder = pods.portforward("servers", &[9001]).await?;
        let (mut reads, mut writes) = tokio::io::split(forwarder.take_stream(9001).context("no stream")?);
        let mut back = vec![0; bytes.len()];
        let (sent, read) = tokio::join!(writes.write_all(&bytes), reads.read_exact(&mut back));
        (sent?, read?);
        Ok(format!("{}", hash(&back) == hash(&bytes)))
    })
    .await;
    step("a port that nobody listens on", async {
        let mut forwarder = pods.portforward("servers", &[7]).await?;
        let error = forwarder.take_error(7).context("no error")?;
        let _stream = forwarder.take_stream(7);
        let said = error.await.context("none came")?;
        Ok(format!("{} {}", said.contains('7'), said.to_lowercase().contains("refused")))
    })
    .await;
    step("one port of two that nobody listens on", async {
        let mut forwarder = pods.portforward("servers", &[7, 8080]).await?;
        let error = forwarder.take_error(7).context("no error")?;
        let mut web = forwarder.take_stream(8080).context("no stream")?;
        let _other = forwarder.take_stream(7);
        let said = error.await.context("none came")?;
        web.write_all(b"GET / HTTP/1.0\r\n\r\n").await?;
        let mut start = [0; 12];
        web.read_exact(&mut start).await?;
        Ok(format!("{} {}", said.to_lowercase().contains("refused"), String::from_utf8_lossy(&start)))
    })
    .await;
    step("portforward to a pod that is not there", async {
        Ok(of_error(&pods.portforward("missing", &[80]).await.err().context("was not refused")?))
    })
    .await;
}

async fn logs(pods: &Api<Pod>, image: &str) {
    step("pod that writes", async {
        let words = "for i in 1 2 3 4 5; do echo line $i; done; echo err >&2; until [ -e /tmp/go ]; do sleep 0.05; done; i=0; while [ $i -lt 5000 ]; do echo more $i; i=$((i+1)); done; printf last";
        run(pods, scripted("writer", image, words, json!({}))?).await?;
        for _ in 0..100 {
            if pods.logs("writer", &LogParams::default()).await?.lines().count() == 6 {
                return Ok("wrote".into());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        anyhow::bail!("wrote nothing")
    })
    .await;
    for (name, params) in [
        ("logs", LogParams::default()),
        ("logs of a container", LogParams { container: Some("main".into()), ..Default::default() }),
        ("the last lines", LogParams { tail_lines: Some(3), ..Default::default() }),
        ("no lines", LogParams { tail_lines: Some(0), ..Default::default() }),
        ("some bytes", LogParams { limit_bytes: Some(10), ..Default::default() }),
        (
            "lines of the last hour",
            LogParams { since_seconds: Some(3600), tail_lines: Some(1), ..Default::default() },
        ),
        (
            "lines since a time to come",
            LogParams {
                since_time: Some("2099-01-01T00:00:00Z".parse().expect("a time")),
                ..Default::default()
            },
        ),
    ] {
        step(name, async { Ok(format!("{:?}", pods.logs("writer", &params).await?)) }).await;
    }
    step("timestamps", async {
        let said = pods
            .logs("writer", &LogParams { timestamps: true, tail_lines: Some(2), ..Default::default() })
            .await?;
        let each = said.lines().map(|line| {
            let (time, words) = line.split_once(' ').unwrap_or_default();
            format!("{} {words}", time.parse::<k8s_openapi::jiff::Timestamp>().is_ok())
        });
        Ok(listed(each))
    })
    .await;
    for (name, params) in [
        ("logs of another container", LogParams { container: Some("other".into()), ..Default::default() }),
        ("logs of a container before", LogParams { previous: true, ..Default::default() }),
        ("fewer than no lines", LogParams { tail_lines: Some(-1), ..Default::default() }),
    ] {
        step(name, async { refused(pods.logs("writer", &params).await) }).await;
    }
    step("logs of a pod that is not there", async {
        refused(pods.logs("missing", &LogParams::default()).await)
    })
    .await;
    step("followed logs", async {
        let follow = LogParams { follow: true, tail_lines: Some(2), ..Default::default() };
        let lines = pods.log_stream("writer", &follow).await?.lines();
        let go = pods.exec("servers", ["true"], &AttachParams::default()).await?;
        let _ = go.join().await;
        outcome(pods.exec("writer", ["touch", "/tmp/go"], &AttachParams::default()).await?).await?;
        let lines: Vec<String> = lines.try_collect().await?;
        let more = lines.iter().filter(|line| line.starts_with("more ")).enumerate();
        let in_order = more.clone().all(|(number, line)| *line == format!("more {number}"));
        Ok(format!("{:?} {} {in_order} {:?}", &lines[..2], more.count(), lines.last()))
    })
    .await;
    step("followed from the start, behind the end", async {
        let lines =
            pods.log_stream("writer", &LogParams { follow: true, ..Default::default() }).await?.lines();
        let lines: Vec<String> = lines.try_collect().await?;
        Ok(format!("{} {:?}", lines.len(), lines.first()))
    })
    .await;
    step("exec in what has ended", async {
        let outcome = pods.exec("writer", ["true"], &AttachParams::default()).await;
        Ok(of_error(&outcome.err().context("was not refused")?))
    })
    .await;
}

/// What is changed of pods while they run.
async fn changing(pods: &Api<Pod>, image: &str) {
    step("ephemeral container", async {
        let debug = json!({
            "name": "debug", "image": image, "imagePullPolicy": "Never", "targetContainerName": "main",
            "command": ["sh", "-c", "echo looking; sleep 100000"],
        });
        let patch = Patch::Strategic(json!({ "spec": { "ephemeralContainers": [debug] } }));
        pods.patch_ephemeral_containers("servers", &PatchParams::default(), &patch).await?;
        let runs = |pod: Option<&Pod>| {
            let statuses = pod
                .and_then(|pod| pod.status.as_ref())
                .and_then(|status| status.ephemeral_container_statuses.as_ref());
            let states = statuses.into_iter().flatten().filter_map(|each| each.state.as_ref());
            states.into_iter().any(|state| state.running.is_some())
        };
        await_condition(pods.clone(), "servers", runs).await?;
        let params = AttachParams::default().container("debug");
        let seen =
            outcome(pods.exec("servers", script("tr '\\0' ' ' < /proc/1/cmdline"), &params).await?).await?;
        let said = pods
            .logs("servers", &LogParams { container: Some("debug".into()), ..Default::default() })
            .await?;
        Ok(format!("{seen} {said:?}"))
    })
    .await;
    step("resize of a running pod", async {
        let resources = json!({ "requests": { "cpu": "10m" }, "limits": { "cpu": "100m" } });
        run(pods, scripted("resized", image, "sleep 100000", json!({ "resources": resources }))?).await?;
        let larger = json!([{ "name": "main", "resources": { "limits": { "cpu": "200m" } } }]);
        let patch = Patch::Strategic(json!({ "spec": { "containers": larger } }));
        pods.patch_resize("resized", &PatchParams::default(), &patch).await?;
        let is_larger = |pod: Option<&Pod>| {
            let statuses =
                pod.and_then(|pod| pod.status.as_ref()).and_then(|status| status.container_statuses.as_ref());
            let resources = statuses.and_then(|each| each.first()).and_then(|each| each.resources.as_ref());
            resources
                .and_then(|each| each.limits.as_ref())
                .and_then(|limits| limits.get("cpu"))
                .is_some_and(|cpu| cpu.0 == "200m")
        };
        let resized = await_condition(pods.clone(), "resized", is_larger).await?.and_then(|pod| pod.status);
        let statuses = resized.and_then(|status| status.container_statuses).unwrap_or_default();
        Ok(format!("{:?}", statuses.first().map(|each| each.restart_count)))
    })
    .await;
    step("logs of the container before", async {
        let mut pod = scripted("restarted", image, "echo run; sleep 0.2; exit 1", json!({}))?;
        pod.spec.as_mut().context("no spec")?.restart_policy = Some("Always".into());
        pods.create(&PostParams::default(), &pod).await?;
        let is_restarted = |pod: Option<&Pod>| {
            let statuses =
                pod.and_then(|pod| pod.status.as_ref()).and_then(|status| status.container_statuses.as_ref());
            statuses.and_then(|each| each.first()).is_some_and(|each| each.restart_count > 0)
        };
        await_condition(pods.clone(), "restarted", is_restarted).await?;
        Ok(format!(
            "{:?}",
            pods.logs("restarted", &LogParams { previous: true, ..Default::default() }).await?
        ))
    })
    .await;
}
