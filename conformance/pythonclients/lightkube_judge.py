"""What programs do with lightkube."""

import asyncio
import io
import time

from lightkube import ApiError, AsyncClient, Client, codecs
from lightkube.config.kubeconfig import KubeConfig
from lightkube.generic_resource import create_namespaced_resource, load_in_cluster_generic_resources
from lightkube.models.autoscaling_v1 import ScaleSpec
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.operators import exists, in_, not_equal, not_exists
from lightkube.resources.apiextensions_v1 import CustomResourceDefinition
from lightkube.resources.apps_v1 import Deployment
from lightkube.resources.authorization_v1 import SelfSubjectAccessReview
from lightkube.resources.core_v1 import ConfigMap, Namespace, Pod
from lightkube.types import CascadeType, PatchType

from judging import KUBECONFIG, PAGE, definition_of, deployment_of, pod_of, run, say

NAMESPACE = "light"


def connect(**options) -> Client:
    return Client(config=KubeConfig.from_file(KUBECONFIG), namespace=NAMESPACE, field_manager="light", **options)


def refused(asked) -> tuple:
    try:
        return ("not refused", asked())
    except ApiError as error:
        status = error.status
        causes = status.details.causes if status.details and status.details.causes else []
        return (status.code, status.reason, status.message, [(c.reason, c.field, c.message) for c in causes])
    except Exception as error:
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        return (type(error).__name__, str(error))


def load(manifest: dict):
    return codecs.from_dict({**manifest, "metadata": {"namespace": NAMESPACE, **manifest["metadata"]}})


def objects():
    client = connect()
    client.create(Namespace(metadata=ObjectMeta(name=NAMESPACE)))
    names = [f"map-{at}" for at in range(5)]
    for at, name in enumerate(names):
        labels = {"even": "yes"} if at % 2 == 0 else {"odd": "yes", "at": str(at)}
        client.create(ConfigMap(metadata=ObjectMeta(name=name, labels=labels), data={"at": str(at)}))
    listed = client.list(ConfigMap, chunk_size=2, labels={"kubernetes.io/never": not_exists()})
    say(
        "in chunks",
        [item.metadata.name for item in listed if item.metadata.name in names],
        listed.resourceVersion != "",
    )
    for labels in ({"even": exists()}, {"at": in_(["1", "3"])}, {"at": not_equal("1"), "odd": "yes"}):
        say(f"labels {sorted(labels)}", [item.metadata.name for item in client.list(ConfigMap, labels=labels)])
    say(
        "fields",
        [
            i.metadata.name
            for i in client.list(ConfigMap, fields={"metadata.name": not_equal("map-1")})
            if i.metadata.name in names
        ],
    )
    say(
        "everywhere",
        len(
            [
                i
                for i in client.list(ConfigMap, namespace="*")
                if i.metadata.namespace == NAMESPACE and i.metadata.name in names
            ]
        ),
    )
    say("again", *refused(lambda: client.create(ConfigMap(metadata=ObjectMeta(name="map-1")))))
    say("a bad name", *refused(lambda: client.create(ConfigMap(metadata=ObjectMeta(name="A_b")))))
    say("absent", *refused(lambda: client.get(ConfigMap, "absent")))
    say(
        "in no namespace",
        *refused(lambda: client.create(ConfigMap(metadata=ObjectMeta(name="a", namespace="nowhere")))),
    )
    old = client.get(ConfigMap, "map-1")
    client.patch(ConfigMap, "map-1", {"data": {"more": "1"}})
    old.data["at"] = "9"
    say("replaced late", *refused(lambda: client.replace(old)))
    say(
        "dry",
        client.patch(ConfigMap, "map-1", {"data": {"dry": "1"}}, dry_run=True).data,
        client.get(ConfigMap, "map-1").data,
    )

    def applied(data, manager, force=False):
        meta = ObjectMeta(name="applied", namespace=NAMESPACE)
        return client.apply(ConfigMap(metadata=meta, data=data), field_manager=manager, force=force)

    say("applied", applied({"a": "1", "b": "1"}, "one").data)
    say("applied by two", applied({"c": "2"}, "two").data)
    say("conflict", *refused(lambda: applied({"a": "2"}, "two")))
    say("forced", applied({"a": "2"}, "two", force=True).data)
    say("applied less", applied({"b": "1"}, "one").data)
    fields = client.get(ConfigMap, "applied").metadata.managedFields
    say("fields", [(f.manager, f.operation, f.fieldsV1) for f in fields])

    deployment = load(deployment_of("web", PAGE, 2))
    client.create(deployment)
    say("scale", client.get(Deployment.Scale, "web").spec.replicas)
    say(
        "scaled",
        client.patch(Deployment.Scale, "web", {"spec": {"replicas": 3}}, patch_type=PatchType.MERGE).spec.replicas,
    )
    say(
        "scale replaced",
        client.replace(
            Deployment.Scale(metadata=ObjectMeta(name="web", namespace=NAMESPACE), spec=ScaleSpec(replicas=1)), "web"
        ).spec.replicas,
    )
    patch = {"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "other"}]}}}}
    say("strategic", [c.name for c in client.patch(Deployment, "web", patch).spec.template.spec.containers])
    patch = [
        {"op": "test", "path": "/spec/replicas", "value": 7},
        {"op": "replace", "path": "/spec/replicas", "value": 2},
    ]
    say(
        "json patch that does not fit",
        *refused(lambda: client.patch(Deployment, "web", patch, patch_type=PatchType.JSON)),
    )
    patch = {"spec": {"selector": {"matchLabels": {"app": "other"}}}}
    say("selector", *refused(lambda: client.patch(Deployment, "web", patch, patch_type=PatchType.MERGE)))
    client.delete(Deployment, "web", cascade=CascadeType.ORPHAN)

    seen = []
    before = client.list(ConfigMap)
    list(before)
    one = {"metadata.name": "seen"}
    watching = client.watch(ConfigMap, fields=one, resource_version=before.resourceVersion, server_timeout=5)
    client.create(ConfigMap(metadata=ObjectMeta(name="seen")))
    client.patch(ConfigMap, "seen", {"data": {"x": "1"}})
    client.patch(ConfigMap, "seen", {"data": {"y": "2"}}, patch_type=PatchType.MERGE)
    client.delete(ConfigMap, "seen")
    for kind, item in watching:
        seen.append((kind, item.data))
        if kind == "DELETED":
            break
    say("watched", seen)
    client.deletecollection(ConfigMap)
    say("after the collection", [i.metadata.name for i in client.list(ConfigMap) if i.metadata.name in names])

    client.create(codecs.from_dict(definition_of("light.test", "Boat")))
    established = client.wait(CustomResourceDefinition, "boats.light.test", for_conditions=["Established"])
    say("definition", established.status.acceptedNames.plural, established.status.storedVersions)
    Boat = create_namespaced_resource("light.test", "v1", "Boat", "boats")
    say("generic", [kind.__name__ for kind in load_in_cluster_generic_resources(client) or []])
    for _ in range(100):
        try:
            made = client.create(Boat(metadata={"name": "boat"}, spec={"words": ["a"]}))
            break
        except ApiError:
            time.sleep(0.1)
    say("custom", made.spec)
    say("custom scale", client.get(Boat.Scale, "boat").spec.replicas)
    say(
        "custom scaled",
        client.patch(Boat.Scale, "boat", {"spec": {"replicas": 4}}, patch_type=PatchType.MERGE).spec.replicas,
    )
    say(
        "custom status",
        client.patch(
            Boat.Status,
            "boat",
            {"status": {"conditions": [{"type": "Ready", "status": "True"}]}},
            patch_type=PatchType.MERGE,
        ).status,
    )
    say("custom waited for", client.wait(Boat, "boat", for_conditions=["Ready"]).spec)
    boat = Boat(
        apiVersion="light.test/v1",
        kind="Boat",
        metadata=ObjectMeta(name="boat", namespace=NAMESPACE),
        spec={"words": ["b"]},
    )
    say("custom applied", client.apply(boat, field_manager="other", force=True).spec)
    say(
        "custom strategic",
        *refused(lambda: client.patch(Boat, "boat", {"spec": {"size": 1}}, patch_type=PatchType.STRATEGIC)),
    )
    odd = Boat(metadata=ObjectMeta(name="odd", namespace=NAMESPACE), spec={"size": 0})
    say("custom refused", *refused(lambda: client.create(odd)))
    client.delete(Boat, "boat")
    client.delete(CustomResourceDefinition, "boats.light.test")
    review = SelfSubjectAccessReview.from_dict({"spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}}})
    say("may", client.create(review).status.allowed)
    client.delete(Namespace, NAMESPACE)


def execute(*words, **options):
    """By the client without threads: those of the other one still read a socket that has been closed (httpx2 2.16)."""

    async def by_itself():
        client = AsyncClient(config=KubeConfig.from_file(KUBECONFIG), namespace=NAMESPACE)
        try:
            return await client.exec(*words, **options)
        finally:
            await client.close()

    return asyncio.run(by_itself())


async def several(namespace: str):
    client = AsyncClient(config=KubeConfig.from_file(KUBECONFIG), namespace=namespace)
    names = [f"many-{at}" for at in range(30)]
    await asyncio.gather(*(client.create(ConfigMap(metadata=ObjectMeta(name=name))) for name in names))
    say("at once", len([i async for i in client.list(ConfigMap, chunk_size=7) if i.metadata.name.startswith("many")]))
    done = await asyncio.gather(*(client.exec("web", command=["echo", str(at)], stdout=True) for at in range(8)))
    say("executed at once", [r.stdout.strip() for r in done])
    try:
        await client.exec("web", command=["sleep", "20"], stdout=True, timeout=0.5)
    except Exception as error:
        say("exec that takes long", type(error).__name__)
    await client.close()


def pods():
    client = connect()
    client.create(Namespace(metadata=ObjectMeta(name=NAMESPACE)))
    pod = load(pod_of("web", f"echo one; echo two; {PAGE}"))
    client.create(pod)
    ready = client.wait(Pod, "web", for_conditions=["Ready"])
    say("ready", ready.status.phase)
    done = execute("web", command=["sh", "-c", "cat; echo bad >&2; exit 4"], stdin="words", stdout=True, stderr=True)
    say("exec", done.exit_code, done.stdout, done.stderr)
    much = bytes(range(256)) * 8192
    out = io.BytesIO()
    done = execute("web", command="cat", stdin=io.BytesIO(much), stdout=out)
    say("exec of much", done.exit_code, out.getvalue() == much)
    say("exec that fails", *refused(lambda: execute("web", command=["sh", "-c", "exit 3"], raise_on_error=True)))
    say("exec of nothing", *refused(lambda: execute("web", command=["rocket"], stdout=True, raise_on_error=True)))
    say("exec without streams", *refused(lambda: execute("web", command=["true"])))
    say("exec in no pod", *refused(lambda: execute("absent", command=["true"], stdout=True)))
    say("log", list(client.log("web", newlines=False)))
    say("tail", list(client.log("web", tail_lines=1)), list(client.log("web", since=3600, newlines=False)))
    say("stamps", [line.split("T")[0].count("-") for line in client.log("web", timestamps=True)])
    say("log of no pod", *refused(lambda: client.log("absent")))
    say("log of no container", *refused(lambda: client.log("web", container="no", follow=True)))
    client.create(load(pod_of("short", "for i in 1 2 3; do echo $i; sleep 0.3; done; exit 5", restartPolicy="Never")))
    client.wait(Pod, "short", for_conditions=["PodReadyToStartContainers"])
    for _ in range(100):
        try:
            say("followed", list(client.log("short", follow=True, newlines=False)))
            break
        except ApiError:
            time.sleep(0.1)
    say(
        "waited in vain",
        *refused(
            lambda: client.wait(
                Pod, "short", for_conditions=["Ready"], raise_for_conditions=["DisruptionTarget", "PodScheduled"]
            )
        ),
    )
    for kind, item in client.watch(Pod, fields={"metadata.name": "short"}):
        if item.status.phase == "Failed":
            say("failed", item.status.containerStatuses[0].state.terminated.exitCode)
            break
    asyncio.run(several(NAMESPACE))
    client.create(load(deployment_of("many", PAGE, 2)))
    say("available", client.wait(Deployment, "many", for_conditions=["Available"]).status.replicas)
    client.delete(Deployment, "many", cascade=CascadeType.FOREGROUND)
    while [i for i in client.list(Pod, labels={"app": "many"})]:
        time.sleep(0.1)
    while [i for i in client.list(Deployment)]:
        time.sleep(0.1)
    say("gone", *refused(lambda: client.get(Deployment, "many")))
    eviction = Pod.Eviction(metadata=ObjectMeta(name="web", namespace=NAMESPACE))
    client.create(eviction, "web")
    while [i for i in client.list(Pod, labels={"app": "web"})]:
        time.sleep(0.1)
    say("evicted", *refused(lambda: client.get(Pod, "web")))
    client.delete(Namespace, NAMESPACE)


run({"objects": objects, "pods": pods})
