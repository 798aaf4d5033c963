/** A container checkpointed through the API server, and brought back as another pod. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkpointProblem } from '../packages/linux/test/needs.ts';
import { makeCheckpointLayout } from '../packages/runtime/test/checkpoint-layout.ts';
import { eventually, podOf, scriptPod, TestNode, wherry } from './node.ts';

let folder = '';
let node: TestNode;
let archive = '';

const numbers = async (pod: string) =>
  (await node.kubectlOk(['logs', pod])).split('\n').slice(0, -1).map(Number);
const counts = (pod: string, above: number) =>
  eventually(`${pod} counts on`, async () => ((await numbers(pod)).at(-1) ?? 0) > above);
const post = (path: string) =>
  node.kubectl(['create', '--raw', `/api/v1/nodes/${node.name}/proxy/checkpoint/${path}`, '-f', '-'], {
    stdin: '{}',
  });

describe('a checkpoint', { skip: checkpointProblem() }, () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-checkpoint-'));
    const file = join(folder, 'node.yaml');
    writeFileSync(file, 'apiVersion: wherry/v1alpha1\nkind: Node\nrestoreCheckpointImages: true\n');
    node = await TestNode.start('checkpoints', ['--config', file]);
    const script = 'echo made > /made; i=0; while sleep 0.2; do i=$((i+1)); echo $i; done';
    await node.apply(scriptPod('counter', script), podOf('other'));
    await counts('counter', 3);
  });
  after(async () => {
    await node?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is asked for at a node, through the API server; the container goes on', async () => {
    const { code, stdout, stderr } = await post('default/counter/main?timeout=60');
    assert.equal(code, 0, stderr);
    const { items } = JSON.parse(stdout) as { items: string[] };
    archive = items[0] ?? '';
    assert.match(
      archive,
      /\/checkpoints\/checkpoint-counter_default-main-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\.tar$/,
    );
    assert.equal(statSync(archive).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(archive)).mode & 0o777, 0o700);
    const names = execFileSync('tar', ['-tf', archive], { encoding: 'utf8' }).split('\n');
    for (const name of ['spec.dump', 'config.dump', 'checkpoint/inventory.img'])
      assert.ok(names.includes(name), name);
    await counts('counter', (await numbers('counter')).at(-1)!);
    const metrics = await node.kubectlOk(['get', '--raw', `/api/v1/nodes/${node.name}/proxy/metrics`]);
    assert.match(metrics, /^kubelet_runtime_operations_total\{operation_type="checkpoint_container"\} 1$/m);
    assert.doesNotMatch(
      metrics,
      /^kubelet_runtime_operations_errors_total\{operation_type="checkpoint_container"\} [^0]/m,
    );
  });

  test('of what is not there is answered as upstream does', async () => {
    assert.match(
      (await post('default/counter/none')).stderr,
      /container none does not exist|NotFound|could not find/,
    );
    assert.match((await post('default/none/main')).stderr, /pod does not exist|NotFound|could not find/);
  });

  test('is an image that another pod goes on from, with its files, its log and its place in a network', async () => {
    const layout = makeCheckpointLayout(join(folder, 'layout'), archive, 'localhost/counter:1');
    const file = join(folder, 'image.tar');
    execFileSync('tar', ['-C', layout, '-cf', file, '.']);
    const loaded = await wherry(['image', 'load', file, '--data-dir', node.dataDir]);
    assert.equal(loaded.code, 0, loaded.stderr);
    const reached = (await numbers('counter')).at(-1)!;
    await node.kubectlOk(['delete', 'pod', 'counter', '--now']);
    await node.apply(podOf('back', { image: 'localhost/counter:1', command: undefined }));
    const first = await eventually('its log', async () => (await numbers('back')).at(0));
    assert.equal(first, 1, 'what it had logged is there');
    await counts('back', reached);
    assert.equal(await node.kubectlOk(['exec', 'back', '--', 'cat', '/made']), 'made\n');
    const address = await node.kubectlOk(['get', 'pod', 'back', '-o', 'jsonpath={.status.podIP}']);
    assert.match(
      await node.kubectlOk(['exec', 'back', '--', 'ip', 'address']),
      new RegExp(`inet ${address}/`),
    );
    const ping = ['exec', 'other', '--', 'ping', '-c', '1', '-W', '5', address];
    assert.match(await node.kubectlOk(ping), /1 packets received/);
  });
});
