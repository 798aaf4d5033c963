import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { mount, unmount } from '@wherry/linux';
import { tracesOf } from './machine.ts';
import { podOf, scriptPod, TestNode, wherry } from './node.ts';
import { stretched, timeoutFlag } from './slowness.ts';

async function startBusyNode(): Promise<TestNode> {
  const node = await TestNode.start();
  const emptyDir = { volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }] };
  await node.apply(
    podOf('one', emptyDir, { volumes: [{ name: 'scratch', emptyDir: {} }] }),
    scriptPod('two', 'trap "" TERM; while true; do sleep 1; done'),
  );
  return node;
}

const idOf = (node: TestNode): string => {
  const record: unknown = JSON.parse(readFileSync(join(node.dataDir, 'node.json'), 'utf8'));
  return (record as { cgroupRoot: string }).cgroupRoot.replace('/wherry-', '');
};

for (const [title, wound] of [
  ['of a healthy node', async () => {}],
  [
    'of a node whose runtime and kubelet were killed',
    async (node: TestNode) => {
      for (const role of ['runtime', 'kubelet']) process.kill(await node.pidOf(role), 'SIGKILL');
    },
  ],
  [
    'of a node of which nothing lives but its containers',
    async (node: TestNode) => {
      for (const { pid } of (await node.status()).processes) if (pid) process.kill(pid, 'SIGKILL');
    },
  ],
] as const) {
  test(`down --purge ${title} leaves nothing on the machine`, { timeout: stretched(120_000) }, async () => {
    const node = await startBusyNode();
    const markers = [node.dataDir, idOf(node)];
    const during = await tracesOf(markers);
    assert.ok(during.processes.length >= 5);
    assert.ok(during.interfaces.length >= 3, 'the bridge and an interface for each pod');
    for (const kind of [during.mounts, during.cgroups, during.tables]) assert.ok(kind.length > 0);
    await wound(node);
    const { code, stderr } = await wherry(['down', '--data-dir', node.dataDir, '--purge']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await tracesOf([...markers, ...during.interfaces]), {
      processes: [],
      mounts: [],
      cgroups: [],
      interfaces: [],
      tables: [],
      runFiles: [],
    });
    assert.ok(!existsSync(node.dataDir));
  });
}

test('down without --purge ends processes and pods, and up brings the pods back, at the address that the machine has by then', {
  timeout: 120_000,
}, async () => {
  const node = await startBusyNode();
  try {
    assert.equal((await wherry(['down', '--data-dir', node.dataDir])).code, 0);
    const left = await tracesOf([node.dataDir]);
    assert.deepEqual(left.processes, []);
    const record = join(node.dataDir, 'node.json');
    // As after another lease, or in a container that starts again.
    const earlier = { ...JSON.parse(readFileSync(record, 'utf8')), nodeIp: '192.0.2.200' };
    writeFileSync(record, JSON.stringify(earlier), { mode: 0o600 });
    await node.up();
    await node.kubectlOk(['wait', '--for=condition=Ready', 'pod/one', timeoutFlag(60)]);
    assert.equal((await node.kubectl(['exec', 'one', '--', 'echo', 'back'])).stdout, 'back\n');
  } finally {
    await node.remove();
  }
});

test('down of what is no node, or was never there, removes nothing', async () => {
  const absent = await wherry(['down', '--purge', '--data-dir', '/nonexistent/wherry']);
  assert.equal(absent.code, 0);
  const strange = await wherry(['down', '--purge', '--data-dir', import.meta.dirname]);
  assert.equal(strange.code, 1);
  assert.match(strange.stderr, /holds no node/);
  assert.ok(existsSync(import.meta.filename));
});

test('a folder that is a mount, as a container’s volume is, is emptied and stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-mounted-'));
  mount({ target: folder, source: 'tmpfs', type: 'tmpfs' });
  try {
    mkdirSync(join(folder, 'monitor'));
    const { code, stderr } = await wherry(['down', '--purge', '--data-dir', folder]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(readdirSync(folder), []);
  } finally {
    unmount(folder);
    rmdirSync(folder);
  }
});
