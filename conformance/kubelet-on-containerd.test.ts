/** Our kubelet on upstream's runtime: Debian's containerd serves CRI and the streams, everything above it is ours. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { numberedBytes } from '../e2e/bytes.ts';
import { run, start } from '../e2e/command.ts';
import { eventually, podOf, TestNode, transports, wherryEntry } from '../e2e/node.ts';
import { talk } from '../e2e/talk.ts';
import { type Containerd, startContainerd } from './peers/containerd.ts';

const nodeName = 'contained';
const mebibyte = 1 << 20;
const ticker =
  '(while true; do nc -l -p 9000 -e cat; done) & i=0; while true; do i=$((i+1)); echo "tick $i"; sleep 0.1; done';

let node: TestNode;
let containerd: Containerd;
let folder: string;
let kubelet: ReturnType<typeof start>;

const kubeletConfiguration = (pki: string) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  port: 10_350,
  healthzPort: 0,
  tlsCertFile: join(pki, 'kubelet.crt'),
  tlsPrivateKeyFile: join(pki, 'kubelet.key'),
  authentication: { webhook: { enabled: true }, x509: { clientCAFile: join(pki, 'ca.crt') } },
  authorization: { mode: 'Webhook' },
  containerRuntimeEndpoint: `unix://${containerd.socketPath}`,
  podLogsDir: join(folder, 'pod-logs'),
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/contained-${process.pid}`,
  failSwapOn: false,
  failCgroupV1: false,
});

const onContainerd = (name: string, script: string) =>
  podOf(
    name,
    { image: containerd.image, imagePullPolicy: 'Never', command: ['sh', '-c', script] },
    { nodeName },
  );

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kubelet-on-containerd-'));
  [node, containerd] = await Promise.all([TestNode.start('upper'), startContainerd()]);
  const configuration = join(folder, 'config.json');
  writeFileSync(configuration, JSON.stringify(kubeletConfiguration(join(node.dataDir, 'pki'))));
  const flags = ['--config', configuration, '--kubeconfig', node.kubeconfig, '--root-dir', folder];
  kubelet = start(process.execPath, [wherryEntry, 'kubelet', ...flags, '--hostname-override', nodeName]);
  await eventually('the node', async () => {
    const { code } = await node.kubectl([
      'wait',
      '--for=condition=Ready',
      `node/${nodeName}`,
      '--timeout=5s',
    ]);
    return code === 0;
  });
  await node.apply(onContainerd('ticker', ticker));
});
after(async () => {
  await node?.kubectl(['delete', 'pod', '--all', '--wait', '--timeout=60s']);
  kubelet?.kill();
  await containerd?.close();
  await node?.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('the node tells which runtime it has, and the pod runs there', async () => {
  const runtime = '{.status.nodeInfo.containerRuntimeVersion}';
  const version = await node.kubectlOk(['get', 'node', nodeName, '-o', `jsonpath=${runtime}`]);
  assert.match(version, /^containerd:\/\/1\./);
  const { containers } = await containerd.client.runtime.listContainers();
  const id = '{.status.containerStatuses[0].containerID}';
  const containerId = await node.kubectlOk(['get', 'pod', 'ticker', '-o', `jsonpath=${id}`]);
  assert.deepEqual(
    containers.map((container) => `containerd://${container.id}`),
    [containerId],
  );
});

for (const { name, env } of transports) {
  describe(`kubectl over ${name}`, () => {
    test('exec gives back outputs and exit codes', async () => {
      for (const exitCode of [0, 1, 137, 255]) {
        const script = `echo out; echo err >&2; exit ${exitCode}`;
        const { stdout, stderr, code } = await node.kubectl(['exec', 'ticker', '--', 'sh', '-c', script], {
          env,
        });
        assert.deepEqual({ stdout, code }, { stdout: 'out\n', code: exitCode });
        assert.match(stderr, /^err\n/);
      }
    });

    test('exec takes 64 MiB in and brings them out, byte for byte', { timeout: 120_000 }, async () => {
      const { stream, sha256 } = numberedBytes(64 * mebibyte);
      const hash = createHash('sha256');
      const { code, stderr } = await node.kubectl(['exec', '-i', 'ticker', '--', 'cat'], {
        env,
        stdin: stream,
        onStdout: (chunk) => void hash.update(chunk),
        timeoutMs: 110_000,
      });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.equal(hash.digest('hex'), sha256);
    });

    test('attach hears the container', async () => {
      const attached = node.startKubectl(['attach', 'ticker'], env);
      let heard = '';
      attached.stdout.on('data', (chunk: Buffer) => {
        heard += chunk;
      });
      await eventually('five lines', () => /(tick \d+\n){5}/.test(heard));
      attached.kill('SIGINT');
    });

    test('port-forward reaches a server in the pod', async () => {
      const forward = node.startKubectl(['port-forward', 'ticker', ':9000'], env);
      let text = '';
      forward.stdout.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      try {
        const port = await eventually('a local port', () => /127\.0\.0\.1:(\d+) -> 9000/.exec(text)?.[1]);
        assert.equal(await talk(Number(port), 'hello'), 'hello');
      } finally {
        forward.kill('SIGKILL');
      }
    });
  });
}

test('logs are those of the container, and can be followed', async () => {
  assert.equal(await node.kubectlOk(['logs', 'ticker', '--limit-bytes=14']), 'tick 1\ntick 2\n');
  const followed = await run('timeout', ['-s', 'INT', '2', 'kubectl', 'logs', '-f', 'ticker'], {
    env: { KUBECONFIG: node.kubeconfig },
  });
  const lines = followed.stdout.trimEnd().split('\n');
  assert.deepEqual(
    lines,
    lines.map((_, index) => `tick ${index + 1}`),
  );
});

test('a container that ends is told with its exit code, and runs again', async () => {
  await node.apply(
    onContainerd('mortal', 'test -e /tmp/again && exec sleep 1000; touch /tmp/again; sleep 1; exit 7'),
  );
  const path = '{.status.containerStatuses[0].lastState.terminated.exitCode}';
  const exitCode = await eventually(
    'the restart',
    async () => (await node.kubectlOk(['get', 'pod', 'mortal', '-o', `jsonpath=${path}`])) || undefined,
  );
  assert.equal(exitCode, '7');
});

test('a deleted pod leaves nothing in containerd', async () => {
  await node.kubectlOk(['delete', 'pod', '--all', '--wait', '--timeout=60s']);
  await eventually('containerd to be empty', async () => {
    const { items } = await containerd.client.runtime.listPodSandbox();
    return items.length === 0;
  });
});
