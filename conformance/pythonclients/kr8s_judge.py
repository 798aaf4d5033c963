"""What programs do with kr8s."""

import asyncio

import httpx2
import kr8s.asyncio
from kr8s.asyncio.objects import (
    ConfigMap,
    Deployment,
    Job,
    Namespace,
    Node,
    Pod,
    Secret,
    Service,
    new_class,
    object_from_spec,
)

from judging import IMAGE, KUBECONFIG, PAGE, definition_of, deployment_of, pod_of, run, say, service_of

NAMESPACE = "kr8s"


async def connect():
    api = await kr8s.asyncio.api(kubeconfig=KUBECONFIG, namespace=NAMESPACE)
    space = await Namespace({"metadata": {"name": NAMESPACE}}, api=api)
    if not await space.exists():
        await space.create()
    return api


async def make(api, manifest: dict):
    made = await object_from_spec({**manifest, "metadata": {"namespace": NAMESPACE, **manifest["metadata"]}}, api=api)
    await made.create()
    return made


async def objects():
    api = await connect()
    resources = await api.api_resources()
    say(
        "resources",
        sorted(f"{r['version']}/{r['name']}" for r in resources if r["kind"] in ("Pod", "Deployment", "Event")),
    )
    say("versions", "apps/v1" in [version async for version in api.api_versions()])
    for words in ("po", "deploy", "Deployment", "deployments.apps", "ev", "crd", "hpa"):
        say(f"kind of {words}", await api.lookup_kind(words))
    say("no such kind", *(await refused(api.lookup_kind("rockets"))))

    one = await make(api, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}, "data": {"a": "1"}})
    say("again", *(await refused(one.create())))
    await one.patch({"data": {"b": "2"}})
    say("patched", dict(one.data))
    await one.patch([{"op": "remove", "path": "/data/a"}], type="json")
    say("json patch", dict(one.data))
    say(
        "json patch of what is not there",
        *(await refused(one.patch([{"op": "remove", "path": "/data/z"}], type="json"))),
    )
    await one.label({"colour": "red", "size": "big"})
    await one.annotate({"note": "a b"})
    say("labelled", dict(one.labels), one.annotations.note)
    await one.remove_label("size")
    say("label removed", dict(one.labels))
    say("selected", [item.name async for item in api.get("configmaps", label_selector={"colour": "red"})])
    say("by fields", [item.name async for item in api.get("configmaps", field_selector="metadata.name=one")])
    say("by odd field", *(await refused(collect(api.get("configmaps", field_selector="data.a=1")))))
    say("by name", [item.name async for item in api.get("configmaps", "one")])
    say("by bad labels", *(await refused(collect(api.get("configmaps", label_selector="a in (")))))
    say("absent", *(await refused(ConfigMap.get("absent", namespace=NAMESPACE, api=api))))

    child = await make(
        api, {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "child"}, "stringData": {"k": "v"}}
    )
    await one.adopt(child)
    say("adopted", [(o["kind"], o["name"], o.get("controller")) for o in child.metadata.ownerReferences])
    say("secret", child.raw["data"]["k"])

    seen = []

    async def follow():
        async for kind, item in api.watch("configmaps", label_selector="colour"):
            seen.append((kind, item.name, dict(item.raw.get("data", {}))))
            if kind == "DELETED":
                return

    following = asyncio.create_task(follow())
    while not seen:
        await asyncio.sleep(0.05)
    await one.patch({"data": {"c": "3"}})
    await one.delete()
    await asyncio.wait_for(following, 20)
    say("watched", seen)

    definition = await make(api, definition_of("kr8s.test", "Ship"))
    await definition.wait("condition=Established", timeout=20)
    say("definition", [(c["type"], c["status"]) for c in definition.status.conditions])
    Ship = new_class(
        kind="Ship", version="kr8s.test/v1", namespaced=True, asyncio=True, scalable=True, scalable_spec="size"
    )
    ship = Ship({"metadata": {"name": "ship", "namespace": NAMESPACE}, "spec": {}}, api=api)
    for _ in range(50):
        try:
            await ship.create()
            break
        except kr8s.NotFoundError:
            await asyncio.sleep(0.1)
    await ship.refresh()
    say("custom", ship.spec.to_dict(), ship.metadata.generation)
    await ship.scale(5)
    say("custom scaled", ship.spec.size, ship.metadata.generation)
    say("custom refused", *(await refused(ship.patch({"spec": {"size": 0}}))))
    say("custom of a wrong type", *(await refused(ship.patch({"spec": {"size": "many"}}))))
    await ship.patch({"status": {"phase": "Afloat"}}, subresource="status")
    say("custom status", ship.status.to_dict(), ship.metadata.generation)
    await ship.wait("jsonpath='{.status.phase}'=Afloat", timeout=10)
    raw = [item async for item in api.get("ships.kr8s.test", raw=True)]
    say("custom list", [sorted(page) if "items" in page else page["metadata"]["name"] for page in raw])
    async with api.call_api("GET", version="kr8s.test/v1", url="ships", namespace=NAMESPACE) as answer:
        say("custom list's metadata", sorted(answer.json()["metadata"]))
    await definition.delete()
    await definition.wait("delete", timeout=30)
    say("definition gone", *(await refused(ship.refresh())))
    await (await Namespace.get(NAMESPACE, api=api)).delete()


async def collect(items) -> list:
    return [item async for item in items]


async def refused(asked) -> tuple:
    try:
        return ("not refused", await asked)
    except kr8s.ServerError as error:
        status = error.status if isinstance(error.status, dict) else {}
        return (type(error).__name__, status.get("code"), status.get("reason"), str(error))
    except Exception as error:
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        return (type(error).__name__, str(error)[:200])


async def pods():
    api = await connect()
    pod = await make(api, pod_of("web", f"echo one; echo two >&2; {PAGE}"))
    await pod.wait("condition=Ready", timeout=60)
    say("ready", await pod.ready(), pod.status.phase)
    done = await pod.exec(["sh", "-c", "echo out; echo bad >&2; exit 3"], check=False)
    say("exec", done.returncode, done.stdout, done.stderr)
    done = await pod.exec(["sh", "-c", "head -c 3000000 /dev/zero"])
    say("exec of much", done.returncode, len(done.stdout))
    say("exec of nothing", *(await refused(pod.exec(["rocket"]))))
    say("exec in no container", *(await refused(pod.exec(["true"], container="no"))))
    say("logs", sorted([line async for line in pod.logs()]))
    say("tail", [line async for line in pod.logs(tail_lines=1, timestamps=False)])
    say("logs of no container", *(await refused(collect(pod.logs(container="no")))))
    async with pod.portforward(remote_port=8080, local_port=None) as port:
        async with httpx2.AsyncClient() as client:
            for _ in range(3):
                answer = await client.get(f"http://127.0.0.1:{port}/")
                say("forwarded", answer.status_code, answer.text.strip())
    service = await make(api, service_of("web"))
    while not await service.ready_pods():
        await asyncio.sleep(0.1)
    say("service", [item.name for item in await service.ready_pods()])
    answer = await service.proxy_http_get("/index.html", port=80)
    say("proxied", answer.status_code, answer.text.strip())
    async with service.portforward(remote_port=8080, local_port=None) as port:
        async with httpx2.AsyncClient() as client:
            say("forwarded to a service", (await client.get(f"http://127.0.0.1:{port}/")).text.strip())

    deployment = await make(api, deployment_of("many", PAGE, 2))
    await deployment.wait("condition=Available", timeout=60)
    while not await deployment.ready():
        await asyncio.sleep(0.1)
    say("deployment", await deployment.ready(), len(await deployment.pods()))
    await deployment.scale(3)
    while deployment.status.get("readyReplicas") != 3:
        await asyncio.sleep(0.1)
        await deployment.refresh()
    say("scaled", len(await deployment.pods()))

    script = "for i in 1 2 3; do echo line $i; sleep 0.2; done; exit 1"
    job = await make(
        api,
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": "job"},
            "spec": {
                "backoffLimit": 0,
                "template": {"spec": {**pod_of("job", script)["spec"], "restartPolicy": "Never"}},
            },
        },
    )
    await job.wait(["condition=Complete", "condition=Failed"], mode="any", timeout=60)
    say("job", [(c["type"], c["status"], c["reason"]) for c in job.status.conditions])
    short = await make(api, pod_of("short", script, restartPolicy="Never"))
    while short.status.get("phase") not in ("Running", "Failed"):
        await asyncio.sleep(0.05)
        await short.refresh()
    say("followed", [line async for line in short.logs(follow=True)])
    await short.wait("jsonpath='{.status.phase}'=Failed", timeout=30)
    say("failed", short.status.containerStatuses[0].state.terminated.exitCode)

    node = [item async for item in api.get("nodes")][0]
    await node.cordon()
    say("cordoned", node.unschedulable, [t["key"] for t in node.taints])
    waiting = await make(api, pod_of("waiting", "sleep 1000"))
    await waiting.wait("condition=PodScheduled=False", timeout=30)
    say("waits", [c["reason"] for c in waiting.status.conditions])
    await node.uncordon()
    await waiting.wait("condition=Ready", timeout=60)
    await node.taint(key="wet", value="yes", effect="NoSchedule")
    say("tainted", [(t["key"], t["value"], t["effect"]) for t in node.taints])
    dry = await make(api, pod_of("dry", "sleep 1000"))
    await dry.wait("condition=PodScheduled=False", timeout=30)
    await dry.tolerate("wet", operator="Exists", effect="NoSchedule")
    say("tolerates", [t["key"] for t in dry.tolerations])
    await dry.wait("condition=Ready", timeout=60)
    say("dry", dry.status.phase)
    await node.patch({"spec": {"taints": None}})
    await pod.delete()
    await pod.wait("delete", timeout=30)
    say("deleted", await pod.exists())
    await (await Namespace.get(NAMESPACE, api=api)).delete()


run({"objects": objects, "pods": pods})
