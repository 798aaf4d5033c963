/** Processes of a node that end while its containers run on, as they do when a service is stopped. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { start } from './command.ts';
import { eventually, podOf, TestNode, wherry, wherryEntry } from './node.ts';
import { stretched } from './slowness.ts';

let node: TestNode;

before(async () => {
  node = await TestNode.start('kept');
  await node.apply(podOf('web'));
});
after(() => node?.remove());

/** Which container it is, since when it runs, and how often it was started again. */
const container = () =>
  node.kubectlOk([
    'get',
    'pod',
    'web',
    '-o',
    'jsonpath={.status.containerStatuses[0].containerID} {.status.containerStatuses[0].state.running.startedAt} {.status.containerStatuses[0].restartCount}',
  ]);

const living = async () =>
  (await node.status()).processes.filter(({ state }) => state === 'running').map(({ role }) => role);

test('down --keep-pods ends the processes alone, and the next up finds the same container running', async () => {
  const before = await container();
  const down = await wherry(['down', '--data-dir', node.dataDir, '--keep-pods']);
  assert.equal(down.code, 0, down.stderr);
  assert.deepEqual(await living(), []);
  await node.up();
  assert.equal(await container(), before);
  assert.equal(await node.kubectlOk(['exec', 'web', '--', 'echo', 'here']), 'here\n');
});

test('up --keep-pods in the foreground ends the processes alone when it is told to end', async () => {
  const before = await container();
  const up = start(process.execPath, [wherryEntry, 'up', '--keep-pods', '--data-dir', node.dataDir]);
  let stderr = '';
  up.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(up, 'close', { signal: AbortSignal.timeout(stretched(60_000)) });
  await eventually('the node is up', () => /ready in/.test(stderr));
  up.kill('SIGTERM');
  const [code] = await ended;
  assert.equal(code, 0, stderr);
  assert.match(stderr, /its containers run on/);
  assert.deepEqual(await living(), []);
  await node.up();
  assert.equal(await container(), before);
});

test('a purge that should keep pods is refused', async () => {
  const { code, stderr } = await wherry(['down', '--data-dir', node.dataDir, '--purge', '--keep-pods']);
  assert.equal(code, 1);
  assert.match(stderr, /a node that is purged cannot keep its pods/);
});
