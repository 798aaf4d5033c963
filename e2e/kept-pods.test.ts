/** Processes of a node that end while its containers run on, as they do when a service is stopped. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
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

test('up takes processes of another version of wherry for missing, and containers run on', async () => {
  const before = await container();
  const pids = async () => (await node.status()).processes.map(({ pid }) => pid);
  const first = await pids();
  await node.up();
  assert.deepEqual(await pids(), first);
  const recordFile = join(node.dataDir, 'node.json');
  const record = JSON.parse(readFileSync(recordFile, 'utf8'));
  for (const process of Object.values(record.processes) as { program?: string }[])
    process.program = 'another';
  writeFileSync(recordFile, JSON.stringify(record));
  await node.up();
  const second = await pids();
  assert.deepEqual(
    second.filter((pid) => first.includes(pid)),
    [],
  );
  assert.equal(second.length, first.length);
  assert.equal(await container(), before);
  assert.equal(await node.kubectlOk(['exec', 'web', '--', 'echo', 'here']), 'here\n');
});

test('who is told that a node is up makes a pod at once: its service account is there', async () => {
  const controllers = await node.pidOf('controllers');
  process.kill(controllers, 'SIGSTOP');
  // The API server itself waits a second for the account.
  const goOn = delay(6_000).then(() => process.kill(controllers, 'SIGCONT'));
  try {
    await node.kubectlOk(['delete', 'serviceaccount', 'default']);
    await node.up();
    await node.create(podOf('at-once'));
  } finally {
    await goOn;
  }
});

test('a purge that should keep pods is refused', async () => {
  const { code, stderr } = await wherry(['down', '--data-dir', node.dataDir, '--purge', '--keep-pods']);
  assert.equal(code, 1);
  assert.match(stderr, /a node that is purged cannot keep its pods/);
});
