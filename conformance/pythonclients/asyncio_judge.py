"""What programs do with kubernetes_asyncio."""

import asyncio
import json
import re
import uuid

from kubernetes_asyncio import client, config, utils, watch
from kubernetes_asyncio.client.exceptions import ApiException
from kubernetes_asyncio.dynamic import DynamicClient
from kubernetes_asyncio.dynamic.exceptions import DynamicApiError, ResourceNotFoundError
from kubernetes_asyncio.leaderelection.electionconfig import Config
from kubernetes_asyncio.leaderelection.leaderelection import LeaderElection
from kubernetes_asyncio.leaderelection.resourcelock.configmaplock import ConfigMapLock
from kubernetes_asyncio.leaderelection.resourcelock.leaselock import LeaseLock
from kubernetes_asyncio.stream import WsApiClient

from judging import KUBECONFIG, PAGE, definition_of, deployment_of, pod_of, run, say, service_of

NAMESPACE = "async"


async def refused(asked) -> tuple:
    try:
        return ("not refused", await asked)
    except ApiException as error:
        try:
            status = json.loads(error.body)
            return (error.status, status.get("reason"), status.get("message"))
        except (ValueError, TypeError):
            return (error.status, error.reason, error.body)
    except DynamicApiError as error:
        return (type(error).__name__, error.status, json.loads(error.body).get("message"))
    except Exception as error:
        return (type(error).__name__, re.sub(r"127\.0\.0\.1:\d+", "SERVER", str(error)))


async def seen_by(stream, wanted) -> list:
    seen = []
    async for event in stream:
        item = event["object"]
        seen.append((event["type"], item["metadata"]["name"] if isinstance(item, dict) else item.metadata.name))
        if wanted(event):
            break
    return seen


async def objects():
    await config.load_kube_config(KUBECONFIG)
    async with client.ApiClient() as api:
        core, apps, custom = client.CoreV1Api(api), client.AppsV1Api(api), client.CustomObjectsApi(api)
        await core.create_namespace({"metadata": {"name": NAMESPACE}})
        say("version", (await client.VersionApi(api).get_code()).minor)
        say("groups", [g.name for g in (await client.ApisApi(api).get_api_versions()).groups if "." not in g.name])
        say("core", (await client.CoreApi(api).get_api_versions()).versions)
        maps = [
            {"metadata": {"name": f"map-{at}", "labels": {"a": str(at)}}, "data": {"at": str(at)}} for at in range(5)
        ]
        for item in maps:
            await core.create_namespaced_config_map(NAMESPACE, item)
        page = await core.list_namespaced_config_map(NAMESPACE, limit=2, label_selector="a")
        say("page", [i.metadata.name for i in page.items], page.metadata.remaining_item_count)
        rest = await core.list_namespaced_config_map(NAMESPACE, _continue=page.metadata._continue, label_selector="a")
        say("rest", [i.metadata.name for i in rest.items], rest.metadata._continue)
        say("bad token", *(await refused(core.list_namespaced_config_map(NAMESPACE, _continue="x"))))
        say(
            "bad limit",
            *(
                await refused(
                    api.call_api(
                        f"/api/v1/namespaces/{NAMESPACE}/configmaps",
                        "GET",
                        {},
                        [("limit", "x")],
                        auth_settings=["BearerToken"],
                    )
                )
            ),
        )
        say("again", *(await refused(core.create_namespaced_config_map(NAMESPACE, maps[0]))))
        say(
            "dry",
            (
                await core.create_namespaced_config_map(NAMESPACE, {"metadata": {"generateName": "x-"}}, dry_run="All")
            ).metadata.name[:2],
        )
        say(
            "strict",
            *(
                await refused(
                    core.create_namespaced_config_map(
                        NAMESPACE, {"metadata": {"name": "s"}, "dta": {}}, field_validation="Strict"
                    )
                )
            ),
        )
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"a": "1"}}
        applied = await core.patch_namespaced_config_map(
            "applied", NAMESPACE, body, field_manager="one", force=True, _content_type="application/apply-patch+yaml"
        )
        say("applied", applied.data, [(f.manager, f.operation) for f in applied.metadata.managed_fields])
        patch = [{"op": "add", "path": "/data/b", "value": "2"}]
        say("json patch", (await core.patch_namespaced_config_map("applied", NAMESPACE, patch)).data)
        merged = await core.patch_namespaced_config_map(
            "applied", NAMESPACE, {"data": {"a": None}}, _content_type="application/merge-patch+json"
        )
        say("merge patch", merged.data)
        say(
            "no patch",
            *(
                await refused(
                    core.patch_namespaced_config_map("applied", NAMESPACE, {"data": {}}, _content_type="text/plain")
                )
            ),
        )

        version = (await core.list_namespaced_config_map(NAMESPACE)).metadata.resource_version
        async with watch.Watch().stream(
            core.list_namespaced_config_map,
            NAMESPACE,
            resource_version=version,
            timeout_seconds=20,
            label_selector="a=3",
        ) as stream:
            following = asyncio.create_task(seen_by(stream, lambda event: event["type"] == "DELETED"))
            await core.patch_namespaced_config_map("map-3", NAMESPACE, {"metadata": {"labels": {"b": "1"}}})
            await core.patch_namespaced_config_map("map-3", NAMESPACE, {"metadata": {"labels": {"a": "4"}}})
            say("watched", await following)
        async with watch.Watch().stream(
            core.list_namespaced_config_map, NAMESPACE, timeout_seconds=1, label_selector="a in (0,1)"
        ) as stream:
            say("from the beginning", await seen_by(stream, lambda event: False))
        say(
            "deleted many",
            (await core.delete_collection_namespaced_config_map(NAMESPACE, label_selector="a in (0,1)")).status,
        )

        await client.ApiextensionsV1Api(api).create_custom_resource_definition(definition_of("async.test", "Train"))
        words = ("async.test", "v1", NAMESPACE, "trains")
        train = {"apiVersion": "async.test/v1", "kind": "Train", "metadata": {"name": "one"}, "spec": {"words": ["a"]}}
        for _ in range(100):
            try:
                made = await custom.create_namespaced_custom_object(*words, train)
                break
            except ApiException:
                await asyncio.sleep(0.1)
        say("custom", made["spec"], sorted(made), sorted(made["metadata"]))
        listed = await custom.list_namespaced_custom_object(*words)
        say("custom list", sorted(listed), sorted(listed["metadata"]), listed["kind"])
        say("custom page", sorted((await custom.list_namespaced_custom_object(*words, limit=1))["metadata"]))
        await custom.create_namespaced_custom_object(*words, {**train, "metadata": {"name": "two"}})
        listed = await custom.list_namespaced_custom_object(*words, limit=1)
        say("custom first page", listed["metadata"]["continue"] != "", listed["metadata"]["remainingItemCount"])
        listed = await custom.list_namespaced_custom_object(*words, limit=1, _continue=listed["metadata"]["continue"])
        say(
            "custom last page",
            listed["metadata"]["continue"] if "continue" in listed["metadata"] else None,
            [i["metadata"]["name"] for i in listed["items"]],
        )
        scaled = await custom.patch_namespaced_custom_object_scale(
            *words, "one", {"spec": {"replicas": 6}}, _content_type="application/merge-patch+json"
        )
        say("custom scale", scaled["spec"], scaled["kind"])
        status = await custom.patch_namespaced_custom_object_status(
            *words, "one", [{"op": "add", "path": "/status", "value": {"x": 1.5}}]
        )
        say("custom status", status["status"], status["metadata"]["generation"])
        say(
            "custom refused",
            *(await refused(custom.replace_namespaced_custom_object(*words, "one", {**train, "spec": {"size": -1}}))),
        )
        say("custom absent", *(await refused(custom.get_namespaced_custom_object(*words, "three"))))
        say("custom kind absent", *(await refused(custom.list_cluster_custom_object("async.test", "v2", "trains"))))
        async with watch.Watch().stream(custom.list_namespaced_custom_object, *words, timeout_seconds=1) as stream:
            say("custom watched", await seen_by(stream, lambda event: False))
        say("custom deleted", sorted(await custom.delete_namespaced_custom_object(*words, "one")))

        dynamic = await DynamicClient(api)
        trains = await dynamic.resources.get(api_version="async.test/v1", kind="Train")
        say("dynamic", [i.metadata.name for i in (await trains.get(namespace=NAMESPACE)).items], trains.namespaced)
        pods = await dynamic.resources.get(api_version="v1", kind="Pod")
        say("dynamic pods", sorted(pods.subresources), pods.verbs)
        applied = await dynamic.server_side_apply(
            trains,
            body={**train, "metadata": {"name": "two"}, "spec": {"size": 2}},
            namespace=NAMESPACE,
            name="two",
            field_manager="dyn",
            force_conflicts=True,
        )
        say("dynamic apply", applied.spec.to_dict())
        say("dynamic absent", *(await refused(trains.get(name="absent", namespace=NAMESPACE))))
        say("dynamic no kind", *(await refused(dynamic.resources.get(api_version="v1", kind="Rocket"))))
        await client.ApiextensionsV1Api(api).delete_custom_resource_definition("trains.async.test")

        account = await core.create_namespaced_service_account(NAMESPACE, {"metadata": {"name": "robot"}})
        token = await core.create_namespaced_service_account_token(
            "robot", NAMESPACE, {"spec": {"expirationSeconds": 600}}
        )
        review = await client.AuthenticationV1Api(api).create_token_review({"spec": {"token": token.status.token}})
        say("token", review.status.user.username, review.status.authenticated, account.metadata.name)
        access = {
            "spec": {
                "user": review.status.user.username,
                "resourceAttributes": {"verb": "get", "resource": "pods", "namespace": NAMESPACE},
            }
        }
        say("access", (await client.AuthorizationV1Api(api).create_subject_access_review(access)).status.to_dict())
        await utils.create_from_dict(
            api, {"apiVersion": "v1", "kind": "List", "items": [service_of("a"), service_of("b")]}, namespace=NAMESPACE
        )
        say("created of a list", [s.metadata.name for s in (await core.list_namespaced_service(NAMESPACE)).items])
        event = {
            "metadata": {"generateName": "e-"},
            "involvedObject": {"kind": "Pod", "name": "p", "namespace": NAMESPACE, "apiVersion": "v1"},
            "reason": "Tried",
            "message": "words",
            "type": "Normal",
        }
        say("event", (await core.create_namespaced_event(NAMESPACE, event)).count)
        await core.delete_namespace(NAMESPACE)


async def leaders():
    await config.load_kube_config(KUBECONFIG)
    async with client.ApiClient() as api:
        await client.CoreV1Api(api).create_namespace({"metadata": {"name": NAMESPACE}})
        for lock in (LeaseLock, ConfigMapLock):
            order = []
            elections = []

            def election(name):
                async def leads():
                    order.append(f"{name} leads")
                    await asyncio.sleep(1000)

                async def stops():
                    order.append(f"{name} stops")

                held = lock("lock", NAMESPACE, name, api)
                return LeaderElection(Config(held, 4, 3, 1, leads, stops))

            first = asyncio.create_task(election("first").run())
            while not order:
                await asyncio.sleep(0.05)
            second = asyncio.create_task(election("second").run())
            await asyncio.sleep(2)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            while len(order) < 2:
                await asyncio.sleep(0.05)
            say(lock.__name__, order)
            second.cancel()
            await asyncio.gather(second, return_exceptions=True)
        lease = await client.CoordinationV1Api(api).read_namespaced_lease("lock", NAMESPACE)
        say("lease", lease.spec.holder_identity, lease.spec.lease_duration_seconds, lease.spec.lease_transitions)
        await client.CoreV1Api(api).delete_namespace(NAMESPACE)


async def pods():
    await config.load_kube_config(KUBECONFIG)
    async with client.ApiClient() as api, WsApiClient(heartbeat=1) as sockets:
        core, apps = client.CoreV1Api(api), client.AppsV1Api(api)
        streams = client.CoreV1Api(sockets)
        await core.create_namespace({"metadata": {"name": NAMESPACE}})
        await core.create_namespaced_pod(NAMESPACE, pod_of("web", f"echo one; echo two >&2; {PAGE}"))
        async with watch.Watch().stream(core.list_namespaced_pod, NAMESPACE, timeout_seconds=60) as stream:
            await seen_by(stream, lambda event: event["object"].status.phase == "Running")
        words = {"stdout": True, "stderr": True, "stdin": False, "tty": False}
        say(
            "exec",
            (
                await streams.connect_get_namespaced_pod_exec(
                    "web", NAMESPACE, command=["sh", "-c", "echo out; echo bad >&2"], **words
                )
            ).split("\n"),
        )
        say(
            "exec in no pod",
            *(await refused(streams.connect_get_namespaced_pod_exec("absent", NAMESPACE, command=["true"], **words))),
        )
        session = await streams.connect_get_namespaced_pod_exec(
            "web", NAMESPACE, command=["sh"], stdin=True, stdout=True, stderr=True, tty=True, _preload_content=False
        )
        got = ""
        async with session as socket:
            say("protocol", socket.protocol)
            await socket.send_bytes(b"\x04" + json.dumps({"Width": 77, "Height": 11}).encode())
            await asyncio.sleep(0.3)
            await socket.send_bytes(b"\x00stty size; sleep 3; exit 7\n")
            async for message in socket:
                if message.data[:1] == b"\x03":
                    say("terminal's exit", sockets.parse_error_data(message.data[1:]))
                else:
                    got += message.data[1:].decode()
        say("terminal", "11 77" in got)
        say("attached", *(await refused(attach(streams))))
        say("log", sorted((await core.read_namespaced_pod_log("web", NAMESPACE)).split()))
        answer = await core.read_namespaced_pod_log("web", NAMESPACE, follow=True, _preload_content=False)
        say("followed", (await answer.content.readline()).decode().strip())
        answer.close()
        lines = []
        await core.create_namespaced_pod(
            NAMESPACE, pod_of("short", "for i in 1 2 3; do echo $i; sleep 0.3; done", restartPolicy="Never")
        )
        async with watch.Watch().stream(
            core.list_namespaced_pod, NAMESPACE, field_selector="metadata.name=short", timeout_seconds=60
        ) as stream:
            await seen_by(stream, lambda event: event["object"].status.phase != "Pending")
        async with watch.Watch().stream(core.read_namespaced_pod_log, "short", NAMESPACE) as stream:
            async for line in stream:
                lines.append(line)
        say("log watched", lines)
        say(
            "proxied",
            (await core.connect_get_namespaced_pod_proxy_with_path("web:8080", NAMESPACE, "index.html")).strip(),
        )
        await apps.create_namespaced_deployment(NAMESPACE, deployment_of("many", PAGE, 2))
        async with watch.Watch().stream(apps.list_namespaced_deployment, NAMESPACE, timeout_seconds=60) as stream:
            await seen_by(stream, lambda event: event["object"].status.available_replicas == 2)
        scale = await apps.read_namespaced_deployment_scale("many", NAMESPACE)
        say("scale", scale.spec.replicas, scale.status.replicas, scale.status.selector)
        patch = {
            "spec": {
                "template": {"metadata": {"annotations": {"kubectl.kubernetes.io/restartedAt": str(uuid.UUID(int=0))}}}
            }
        }
        before = {p.metadata.name for p in (await core.list_namespaced_pod(NAMESPACE, label_selector="app=many")).items}
        await apps.patch_namespaced_deployment("many", NAMESPACE, patch)
        while True:
            now = (await core.list_namespaced_pod(NAMESPACE, label_selector="app=many")).items
            if len(now) == 2 and not before & {p.metadata.name for p in now}:
                break
            await asyncio.sleep(0.2)
        say("restarted", len(now))
        eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "web", "namespace": NAMESPACE}}
        await core.create_namespaced_pod_eviction("web", NAMESPACE, eviction)
        budget = {
            "metadata": {"name": "many"},
            "spec": {"minAvailable": 2, "selector": {"matchLabels": {"app": "many"}}},
        }
        await client.PolicyV1Api(api).create_namespaced_pod_disruption_budget(NAMESPACE, budget)
        while not (
            await client.PolicyV1Api(api).read_namespaced_pod_disruption_budget("many", NAMESPACE)
        ).status.expected_pods:
            await asyncio.sleep(0.1)
        name = now[0].metadata.name
        eviction["metadata"]["name"] = name
        say("eviction", *(await refused(core.create_namespaced_pod_eviction(name, NAMESPACE, eviction))))
        await core.delete_namespace(NAMESPACE)


async def attach(streams):
    session = await streams.connect_get_namespaced_pod_attach(
        "web", NAMESPACE, stdin=False, stdout=True, stderr=True, tty=False, _preload_content=False
    )
    async with session as socket:
        return socket.protocol


run({"objects": objects, "leaders": leaders, "pods": pods})
