"""What the programs share: they are called with GROUP KUBECONFIG IMAGE, and print a line for each step: NAME, tab, outcome."""

import asyncio
import sys

GROUP, KUBECONFIG, IMAGE = sys.argv[1:4]


def say(name: str, *outcome: object) -> None:
    print("\t".join([name, *(str(sorted_keys(each)) for each in outcome)]), flush=True)


def sorted_keys(value: object) -> object:
    """The value with its keys in order: servers have orders of their own."""
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    if type(value) in (list, tuple):
        return type(value)(sorted_keys(each) for each in value)
    return value


def pod_of(name: str, script: str, **spec) -> dict:
    """A pod of one container that runs a shell script."""
    container = {"name": "main", "image": IMAGE, "imagePullPolicy": "Never", "command": ["sh", "-c", script]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "labels": {"app": name}},
        "spec": {"containers": [container], "terminationGracePeriodSeconds": 0, **spec},
    }


def deployment_of(name: str, script: str, replicas: int = 1) -> dict:
    pod = pod_of(name, script)
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "labels": {"app": name}},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": pod["spec"]},
        },
    }


def service_of(name: str, port: int = 80, target: int = 8080) -> dict:
    ports = [{"name": "http", "port": port, "targetPort": target}]
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name},
        "spec": {"selector": {"app": name}, "ports": ports},
    }


def definition_of(group: str, kind: str, status: bool = True) -> dict:
    """The definition of a kind with a size in its spec."""
    plural = kind.lower() + "s"
    size = {"type": "integer", "minimum": 1, "default": 3}
    spec = {"type": "object", "properties": {"size": size, "words": {"type": "array", "items": {"type": "string"}}}}
    state = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = {"type": "object", "properties": {"spec": spec, "status": state}}
    scale = {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    if status:
        version["subresources"] = {"status": {}, "scale": scale}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": kind + "List"},
            "versions": [version],
        },
    }


PAGE = "mkdir /www; echo page > /www/index.html; exec httpd -f -p 8080 -h /www"


def run(groups: dict) -> None:
    """Runs the group that was asked for."""
    outcome = groups[GROUP]()
    if asyncio.iscoroutine(outcome):
        asyncio.run(outcome)
