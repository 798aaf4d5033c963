"""Airflow's operators for pods: tasks that are pods, followed by their logs, and commands in pods that run. Results come by exec."""

import os
import sys
import tempfile
import threading
import time
from types import SimpleNamespace
from unittest.mock import MagicMock

from judging import IMAGE, KUBECONFIG, pod_of, run, say

home = tempfile.TemporaryDirectory(prefix="wherry-airflow-")
os.environ["AIRFLOW_HOME"] = home.name

import structlog  # noqa: E402
from airflow.providers.cncf.kubernetes.callbacks import KubernetesPodOperatorCallback  # noqa: E402
from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator  # noqa: E402
from airflow.providers.cncf.kubernetes.operators.pod_exec import KubernetesPodExecOperator  # noqa: E402
from airflow.providers.cncf.kubernetes.utils.xcom_sidecar import PodDefaults  # noqa: E402
from airflow.sdk.bases.operator import ExecutorSafeguard  # noqa: E402
from kubernetes import client, config  # noqa: E402

structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
# There is no scheduler: what it would start is called here.
ExecutorSafeguard.test_mode = True
# The container that holds results has an image of this node's.
PodDefaults.SIDECAR_CONTAINER.image = IMAGE
PodDefaults.SIDECAR_CONTAINER.image_pull_policy = "Never"

NAMESPACE = "airflow"
CONNECTION = {"config_file": KUBECONFIG, "kubernetes_conn_id": None, "in_cluster": False, "namespace": NAMESPACE}


class Lines(KubernetesPodOperatorCallback):
    """Keeps what pods say, as the operator reads it."""

    said: list[str] = []

    @staticmethod
    def progress_callback(*, line: str, **words) -> None:
        Lines.said.append(line.strip())


def task(name: str, script: str, **words) -> KubernetesPodOperator:
    return KubernetesPodOperator(
        task_id=name,
        name=name,
        image=IMAGE,
        image_pull_policy="Never",
        cmds=["sh", "-c", script],
        termination_grace_period=0,
        base_container_status_polling_interval=0.2,
        callbacks=Lines,
        **CONNECTION,
        **words,
    )


def command(name: str, script: str) -> KubernetesPodExecOperator:
    words = {"do_xcom_push": True, "max_xcom_output_size": 1 << 20}
    return KubernetesPodExecOperator(task_id=name, pod_name="main", command=["sh", "-c", script], **CONNECTION, **words)


def attempt(operator):
    """What a task returns, or how it fails. Its run is told as far as it is asked for."""
    ti = MagicMock(dag_id="judge", task_id=operator.task_id, run_id="run", map_index=-1, try_number=1)
    of_run = SimpleNamespace(run_id="run", logical_date=None)
    context = {"ti": ti, "task_instance": ti, "dag": None, "dag_run": of_run, "run_id": "run", "task": operator}
    try:
        return operator.execute(context)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0].split(' returned')[0]}"


def killed(operator, begun) -> object:
    """What comes of a task that is killed once it has begun."""
    outcomes = []
    running = threading.Thread(target=lambda: outcomes.append(attempt(operator)))
    running.start()
    while not begun():
        time.sleep(0.1)
    operator.on_kill()
    running.join(60)
    return outcomes


def api() -> client.CoreV1Api:
    config.load_kube_config(KUBECONFIG)
    return client.CoreV1Api()


def numbers(lines: list[str]) -> list[int]:
    return [int(line) for line in lines if line.isdigit()]


def tasks():
    core = api()
    core.create_namespace({"metadata": {"name": NAMESPACE}})
    result = f"{PodDefaults.XCOM_MOUNT_PATH}/return.json"
    say("returns", attempt(task("returns", f'echo \'{{"answer": 42}}\' > {result}', do_xcom_push=True)))
    many = f'(echo "[0"; seq 1 50000 | sed "s/^/,/"; echo "]") > {result}'
    say("returns much", attempt(task("much", many, do_xcom_push=True)) == list(range(50001)))
    Lines.said.clear()
    attempt(task("talks", "seq 1 5000"))
    say("talks", numbers(Lines.said) == list(range(1, 5001)))
    say("fails", attempt(task("fails", "exit 3")).split(":")[0])
    Lines.said.clear()
    # A line is read once the next one is there.
    outcomes = killed(task("killed", "echo 1; echo 2; sleep 1000"), lambda: Lines.said)
    say("killed", len(outcomes))
    while core.list_namespaced_pod(NAMESPACE).items:
        time.sleep(0.2)
    say("left", 0)
    core.delete_namespace(NAMESPACE)


def commands():
    core = api()
    core.create_namespace({"metadata": {"name": NAMESPACE}})
    core.create_namespaced_pod(NAMESPACE, pod_of("main", "sleep 1000"))
    while core.read_namespaced_pod("main", NAMESPACE).status.phase != "Running":
        time.sleep(0.2)
    say("output", numbers(attempt(command("output", "seq 1 20000")).split()) == list(range(1, 20001)))
    say("both", attempt(command("both", "echo out; echo error >&2")).split())
    say("code", attempt(command("code", "echo out; exit 7")))
    outcomes = killed(
        command("stopped", "touch /tmp/begun; sleep 1000"),
        lambda: "yes" in attempt(command("looks", "test -e /tmp/begun && echo yes || true")),
    )
    say("stopped", len(outcomes))
    core.delete_namespace(NAMESPACE)


run({"tasks": tasks, "commands": commands})
