"""What an operator made with kopf is told and does, from its start over its API server's death to its end."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from lightkube import ApiError, Client, codecs
from lightkube.config.kubeconfig import KubeConfig
from lightkube.generic_resource import create_global_resource, create_namespaced_resource
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.resources.admissionregistration_v1 import ValidatingWebhookConfiguration
from lightkube.resources.apiextensions_v1 import CustomResourceDefinition
from lightkube.resources.apps_v1 import Deployment
from lightkube.resources.core_v1 import ConfigMap, Event, Namespace
from lightkube.types import PatchType

from certificates import write_certificate
from judging import IMAGE, KUBECONFIG, run, say

FOLDER = pathlib.Path(__file__).parent
NAMESPACE = "guests"
LIVENESS = "http://127.0.0.1:18099/healthz"
Guestbook = create_namespaced_resource("example.test", "v1", "Guestbook", "guestbooks")
Peering = create_global_resource("kopf.dev", "v1", "ClusterKopfPeering", "clusterkopfpeerings")


class Operator:
    """An operator in a process of its own; what it was told is waited for."""

    def __init__(self, *words: str, **environment: str):
        program = [os.path.join(os.path.dirname(sys.executable), "kopf"), "run", "-A", "--verbose", *words]
        self.process = subprocess.Popen(
            [*program, str(FOLDER / "operators" / "guestbook.py")],
            env={**os.environ, "KUBECONFIG": KUBECONFIG, "IMAGE": IMAGE, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def told(self, name: str, outcome: str = "", since: int = 0) -> str:
        """The first line that tells so, as soon as it is there; or what was said instead."""
        wanted = re.compile(f"^told\t{name}\t.*{outcome}")
        return self.said(wanted, since).replace("told\t", "").replace("\t", " ")

    def said(self, wanted: re.Pattern, since: int = 0) -> str:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for line in self.lines[since:]:
                if wanted.search(line):
                    return line
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        print("\n".join(self.lines[-200:]), file=sys.stderr)
        raise SystemExit(f"the operator did not say {wanted.pattern}")

    def failures(self) -> list[str]:
        return [line for line in self.lines if "Failed to post an event" in line or "WatchingError" in line]

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(30)


def eventually(look):
    deadline = time.monotonic() + 60
    while True:
        found = look()
        if found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def connect() -> Client:
    client = Client(config=KubeConfig.from_file(KUBECONFIG), namespace=NAMESPACE, field_manager="judge")
    client.create(Namespace(metadata=ObjectMeta(name=NAMESPACE)))
    for item in codecs.load_all_yaml((FOLDER / "manifests" / "guestbooks.yaml").read_text()):
        if isinstance(item, CustomResourceDefinition):
            client.create(item)
            client.wait(CustomResourceDefinition, item.metadata.name, for_conditions=["Established"])
    eventually(lambda: made(lambda: client.create(Peering(metadata=ObjectMeta(name="guestbooks")))))
    return client


def made(create) -> bool:
    try:
        create()
        return True
    except ApiError:
        return False


def refusal(asked) -> tuple:
    try:
        asked()
        return ("not refused",)
    except ApiError as error:
        return (error.status.code, error.status.reason, error.status.message)


def handlers():
    client = connect()

    def book(name: str, **spec):
        return client.create(Guestbook(metadata=ObjectMeta(name=name), spec=spec))

    def change(name: str, patch: dict):
        return client.patch(Guestbook, name, patch, patch_type=PatchType.MERGE)

    labels = {"guestbook": "first"}
    client.create(ConfigMap(metadata=ObjectMeta(name="greeting", labels=labels), data={"greeting": "hello"}))
    with tempfile.TemporaryDirectory() as folder:
        write_certificate(pathlib.Path(folder))
        first = Operator(f"--liveness={LIVENESS}", WEBHOOKS=folder)
        excess = Guestbook(metadata=ObjectMeta(name="excess"), spec={"title": "t", "replicas": 5})
        eventually(lambda: refusal(lambda: client.create(excess, dry_run=True))[0] == 422)
        say("refused by its webhook", *refusal(lambda: client.create(excess)))
        say(
            "webhook's rules",
            [
                r.resources
                for r in client.get(ValidatingWebhookConfiguration, "guestbooks.example.test").webhooks[0].rules
            ],
        )
        with urllib.request.urlopen(LIVENESS) as answer:
            say("liveness", answer.status, answer.read().decode())
        made_by = book("first", title="hi", replicas=1)
        say("finalizer comes later", made_by.metadata.finalizers)
        say("created", first.told("created", "first"))
        ready = eventually(lambda: (client.get(Guestbook, "first").status or {}).get("ready"))
        state = client.get(Guestbook, "first")
        say("status", state.status["phase"], state.status["created"], ready, state.metadata.generation)
        say("finalizers", state.metadata.finalizers, state.metadata.annotations["example.test/greeting"])
        owner = client.get(Deployment, "first").metadata.ownerReferences[0]
        say("owner", owner.kind, owner.name, owner.controller, owner.blockOwnerDeletion)
        events = [e for e in client.list(Event) if e.involvedObject.name == "first" and e.reason == "Made"]
        say("event", [(e.type, e.message, e.source.component, e.reportingComponent) for e in events])
        untitled = client.create(Guestbook(metadata=ObjectMeta(name="untitled"), spec={}))
        say("mutated", untitled.spec, untitled.metadata.labels)
        book("stubborn", title="stubborn", replicas=1)
        say("tried again", first.told("created", "stubborn"))
        book("hopeless", title="hopeless", replicas=1)
        first.said(re.compile("Handler 'created' failed permanently: never"))
        book("ticking", title="ticking", replicas=1)
        say("timer", first.told("timer", "ticking"))
        book("haunted", title="haunted", replicas=1)
        say("daemon", first.told("daemon", "haunted starts"))

        change("first", {"spec": {"replicas": 2}})
        say("scaled", first.told("scaled", "first"))
        say("updated", first.told("updated", "first.*spec.replicas"))
        say("ready", eventually(lambda: client.get(Guestbook, "first").status.get("ready") == 2))
        change("first", {"metadata": {"labels": {"colour": "red"}}})
        say("labelled", first.told("coloured", "first None red"))
        say("too many", *refusal(lambda: change("first", {"spec": {"replicas": 7}})))
        client.patch(Namespace, NAMESPACE, {"metadata": {"annotations": {"guestbook": "yes"}}})
        say("namespace", first.told("namespace", "MODIFIED guests"))

        client.delete(Guestbook, "haunted")
        say("daemon ends", first.told("daemon", "haunted (?!starts)"))
        say("deleted", first.told("deleted", "haunted"))
        say("its deployment", first.told("gone", "haunted"))

        print("kill", file=sys.stderr, flush=True)
        sys.stdin.readline()
        at = len(first.lines)
        eventually(lambda: made(lambda: change("first", {"spec": {"replicas": 1}})))
        say("scaled after the death", first.told("scaled", "first 2 1", at))
        say("still served", refusal(lambda: client.create(excess))[0])

        first.process.kill()
        first.process.wait()
        say("without its webhook", refusal(lambda: change("first", {"spec": {"title": "hello"}}))[:2])
        again = Operator(WEBHOOKS=folder, STREAMED="yes")
        say("resumed", again.told("resumed", "first"))
        eventually(lambda: made(lambda: change("first", {"spec": {"title": "hello"}})))
        say("updated again", again.told("updated", "first.*spec.title"))
        higher = Operator("--priority=100", PEERING="guestbooks")
        say("gives way", re.sub(".*(Pausing operations).*", r"\1", again.said(re.compile("Pausing operations"))))
        say("takes over", higher.told("resumed", "first"))
        peers = client.get(Peering, "guestbooks").status
        say("peers", sorted(peer["priority"] for peer in peers.values()))
        say("ended", higher.stop())
        say("comes back", re.sub(".*(Resuming operations).*", r"\1", again.said(re.compile("Resuming operations"))))
        at = len(again.lines)
        client.delete(Guestbook, "first")
        say("deleted by the one that is back", again.told("deleted", "first", at))
        for name in ("untitled", "stubborn", "hopeless", "ticking"):
            client.delete(Guestbook, name)
        say("all gone", eventually(lambda: not list(client.list(Guestbook))))
        say("deployments gone", eventually(lambda: not list(client.list(Deployment))))
        say("ended", again.stop(), [w for w in client.list(ValidatingWebhookConfiguration) if w.webhooks])
        say("failures", first.failures() + again.failures() + higher.failures())


run({"handlers": handlers})
