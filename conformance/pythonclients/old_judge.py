"""Sessions by an old client, which waits for the socket before it reads a frame."""

import time

from kubernetes import client, config
from kubernetes.stream import stream

from judging import KUBECONFIG, pod_of, run, say

NAMESPACE = "old"


def sessions():
    config.load_kube_config(KUBECONFIG)
    core = client.CoreV1Api()
    core.create_namespace({"metadata": {"name": NAMESPACE}})
    core.create_namespaced_pod(NAMESPACE, pod_of("main", "sleep 1000"))
    while core.read_namespaced_pod("main", NAMESPACE).status.phase != "Running":
        pass

    def execute(script: str, **words):
        options = {"stdin": False, "stdout": True, "stderr": True, "tty": False, **words}
        return stream(core.connect_get_namespaced_pod_exec, "main", NAMESPACE, command=["sh", "-c", script], **options)

    for at in range(5):
        start = time.monotonic()
        got = sorted(execute(f"echo {at}; echo error >&2").split())
        say("at once", got, time.monotonic() - start < 10)
    session = execute("echo out; exit 4", _preload_content=False)
    session.run_forever(timeout=20)
    say("exit", session.returncode, session.read_stdout().strip())
    session = execute("cat > /tmp/put; echo whole >> /tmp/put", stdin=True, _preload_content=False)
    session.write_stdin("words\n")
    session.close()
    while (got := execute("cat /tmp/put 2>/dev/null || true")) != "words\nwhole\n":
        pass
    say("put", got.split())
    core.delete_namespace(NAMESPACE)


run({"sessions": sessions})
