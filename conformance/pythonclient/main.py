"""What programs do with Kubernetes' client for Python, in the order of the lines that are printed: NAME, tab, outcome."""

import sys

from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.rest import ApiException
from kubernetes.stream import portforward, stream

image = sys.argv[2]
config.load_kube_config(sys.argv[1])
core, apps, batch = client.CoreV1Api(), client.AppsV1Api(), client.BatchV1Api()
namespace = "python"


def say(name, outcome):
    print(f"{name}\t{outcome}", flush=True)


def template(command, **spec):
    container = client.V1Container(name="main", image=image, image_pull_policy="Never", command=command)
    return client.V1PodTemplateSpec(
        metadata=client.V1ObjectMeta(labels={"app": "web"}),
        spec=client.V1PodSpec(containers=[container], termination_grace_period_seconds=0, **spec),
    )


core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=namespace)))
serve = "echo up; mkdir /www; echo page > /www/index.html; exec httpd -f -p 8080 -h /www"
apps.create_namespaced_deployment(
    namespace,
    client.V1Deployment(
        metadata=client.V1ObjectMeta(name="web"),
        spec=client.V1DeploymentSpec(
            replicas=1,
            selector=client.V1LabelSelector(match_labels={"app": "web"}),
            template=template(["sh", "-c", serve]),
        ),
    ),
)
watching = watch.Watch()
for event in watching.stream(apps.list_namespaced_deployment, namespace, timeout_seconds=60):
    if (event["object"].status.ready_replicas or 0) == 1:
        say("watch", event["type"])
        watching.stop()

apps.patch_namespaced_deployment_scale("web", namespace, {"spec": {"replicas": 2}})
watching = watch.Watch()
for event in watching.stream(
    core.list_namespaced_pod, namespace, label_selector="app=web", timeout_seconds=60, allow_watch_bookmarks=True
):
    pods = core.list_namespaced_pod(namespace, field_selector="status.phase=Running").items
    if len(pods) == 2:
        say("scale", len(pods))
        watching.stop()

name = pods[0].metadata.name
say("log", core.read_namespaced_pod_log(name, namespace).strip())
session = stream(
    core.connect_get_namespaced_pod_exec,
    name,
    namespace,
    command=["sh", "-c", "read line; echo got $line; exit 3"],
    stdin=True,
    stdout=True,
    stderr=True,
    tty=False,
    _preload_content=False,
)
session.write_stdin("words\n")
session.run_forever(timeout=20)
say("exec", f"{session.read_stdout().strip()} {session.returncode}")

forward = portforward(core.connect_get_namespaced_pod_portforward, name, namespace, ports="8080")
connection = forward.socket(8080)
connection.setblocking(True)
connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
answer = b""
while chunk := connection.recv(65536):
    answer += chunk
connection.close()
say("port-forward", answer.split(b"\r\n\r\n")[1].decode().strip())

try:
    core.read_namespaced_secret("none", namespace)
except ApiException as error:
    say("missing", f"{error.status} {error.reason}")

page = core.list_namespaced_pod(namespace, limit=1)
rest = core.list_namespaced_pod(namespace, limit=1, _continue=page.metadata._continue)
say("pages", len({page.items[0].metadata.name, rest.items[0].metadata.name}))

job = client.V1Job(
    metadata=client.V1ObjectMeta(name="sum"),
    spec=client.V1JobSpec(template=template(["true"], restart_policy="Never")),
)
batch.create_namespaced_job(namespace, job)
watching = watch.Watch()
for event in watching.stream(batch.list_namespaced_job, namespace, timeout_seconds=60):
    if event["object"].status.succeeded == 1:
        say("job", "succeeded")
        watching.stop()

utils.create_from_dict(
    client.ApiClient(),
    {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "gadgets.python.wherry.dev"},
        "spec": {
            "group": "python.wherry.dev",
            "scope": "Namespaced",
            "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "properties": {"size": {"type": "integer", "default": 7}},
                        }
                    },
                }
            ],
        },
    },
)
definitions = client.ApiextensionsV1Api()
for event in watch.Watch().stream(definitions.list_custom_resource_definition, timeout_seconds=30):
    conditions = event["object"].status.conditions or []
    if any(each.type == "Established" and each.status == "True" for each in conditions):
        break
gadgets = dynamic.DynamicClient(client.ApiClient()).resources.get(api_version="python.wherry.dev/v1", kind="Gadget")
body = {"apiVersion": "python.wherry.dev/v1", "kind": "Gadget", "metadata": {"name": "one"}}
gadgets.server_side_apply(body=body, name="one", namespace=namespace, field_manager="python")
say("custom resource", gadgets.get(name="one", namespace=namespace).size)
definitions.delete_custom_resource_definition("gadgets.python.wherry.dev")
core.delete_namespace(namespace)
