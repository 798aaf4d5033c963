import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { start } from './command.ts';
import { eventually, scriptPod, TestNode, wherryEntry } from './node.ts';
import { stretched } from './slowness.ts';

/** A numbered line each 10 ms or so, and the shell's own pid first. */
const writer = 'i=0; while true; do i=$((i+1)); echo "line $i"; usleep 10000; done';
const exitCodeOfPod = 42;

let node: TestNode;

before(async () => {
  node = await TestNode.start();
  await node.apply(scriptPod('writer', writer));
});
after(() => node?.remove());

async function containerStart(): Promise<string> {
  const path = '{.status.containerStatuses[0].containerID} {.status.containerStatuses[0].restartCount}';
  const identity = await node.kubectlOk(['get', 'pod', 'writer', '-o', `jsonpath=${path}`]);
  const started = await node.kubectlOk([
    'exec',
    'writer',
    '--',
    'cut',
    '-d',
    ' ',
    '-f',
    '22',
    '/proc/1/stat',
  ]);
  return `${identity} ${started.trim()}`;
}

async function checkLines(): Promise<number> {
  const text = await node.kubectlOk(['logs', 'writer']);
  const lines = text.trimEnd().split('\n');
  const wrong = lines.findIndex((line, index) => line !== `line ${index + 1}`);
  assert.equal(wrong, -1, `line ${wrong + 1} is "${lines[wrong]}"`);
  return lines.length;
}

for (const role of ['apiserver', 'controllers', 'network', 'kubelet', 'runtime', 'monitor']) {
  test(`kill -9 of the ${role}: the container lives on, and no line of its log is lost`, {
    timeout: 120_000,
  }, async () => {
    const before = await containerStart();
    const linesBefore = await checkLines();
    process.kill(await node.pidOf(role), 'SIGKILL');
    await delay(1_500);
    await node.up();
    assert.equal(await containerStart(), before);
    await eventually('new lines', async () => (await checkLines()) > linesBefore + 100);
    const { code, stdout } = await node.kubectl(['exec', 'writer', '--', 'echo', 'works']);
    assert.deepEqual({ code, stdout }, { code: 0, stdout: 'works\n' });
  });
}

/** A command that answers each line, and ends with 5 at "end". */
const echoing = ['sh', '-c', 'while read line; do [ "$line" = end ] && exit 5; echo "heard $line"; done'];

test('a session lives through the death of the runtime: by kubectl, and at the streaming URL itself', {
  timeout: stretched(120_000),
}, async () => {
  const path = '{.status.containerStatuses[0].containerID}';
  const id = (await node.kubectlOk(['get', 'pod', 'writer', '-o', `jsonpath=${path}`])).split('//')[1] ?? '';
  const criWords = ['cri', 'exec', '-i', '--data-dir', node.dataDir, id, '--', ...echoing];
  const sessions = [
    node.startKubectl(['exec', '-i', 'writer', '--', ...echoing]),
    start(process.execPath, [wherryEntry, ...criWords]),
  ].map((child) => {
    const session = { child, heard: '', ended: once(child, 'close') };
    child.stdout.on('data', (chunk: Buffer) => {
      session.heard += chunk;
    });
    return session;
  });
  const sayToAll = async (line: string) => {
    for (const { child } of sessions) child.stdin.write(`${line}\n`);
    await eventually(`"${line}" to be heard`, () =>
      sessions.every(({ heard }) => heard.endsWith(`heard ${line}\n`)),
    );
  };
  await sayToAll('before');
  process.kill(await node.pidOf('runtime'), 'SIGKILL');
  await delay(500);
  await sayToAll('while it is dead');
  await node.up();
  await sayToAll('when it is back');
  for (const { child } of sessions) child.stdin.write('end\n');
  for (const { ended } of sessions) assert.deepEqual(await ended, [5, null]);
});

test('all killed at once: up brings them back around the living container', {
  timeout: 120_000,
}, async () => {
  const before = await containerStart();
  const { processes } = await node.status();
  for (const { pid } of processes) if (pid) process.kill(pid, 'SIGKILL');
  await eventually('all to be dead', async () =>
    (await node.status()).processes.every(({ state }) => state === 'dead'),
  );
  await delay(1_000);
  await node.up();
  assert.equal(await containerStart(), before);
  await checkLines();
});

test('an exit while the monitor is dead keeps its code and its last line', {
  timeout: stretched(120_000),
}, async () => {
  const script = `echo begin; sleep 4; echo end; exit ${exitCodeOfPod}`;
  await node.apply(scriptPod('mortal', script, { restartPolicy: 'Never' }));
  process.kill(await node.pidOf('monitor'), 'SIGKILL');
  await delay(5_000);
  await node.up();
  const path = '{.status.containerStatuses[0].state.terminated.exitCode}';
  const code = await eventually(
    'the exit code',
    async () => (await node.kubectlOk(['get', 'pod', 'mortal', '-o', `jsonpath=${path}`])) || undefined,
  );
  assert.equal(code, String(exitCodeOfPod));
  assert.equal(await node.kubectlOk(['logs', 'mortal']), 'begin\nend\n');
});

test('kill -9 of the controllers loses nothing: a standby goes on with what was asked for meanwhile', {
  timeout: stretched(120_000),
}, async () => {
  const namespaces = async () => (await node.kubectlOk(['get', 'namespaces', '-o', 'name'])).split('\n');
  await node.kubectlOk(['create', 'namespace', 'emptied']);
  await node.kubectlOk(['create', 'configmap', 'content', '-n', 'emptied']);
  process.kill(await node.pidOf('controllers'), 'SIGKILL');
  await node.kubectlOk(['delete', 'namespace', 'emptied', '--wait=false']);
  await node.kubectlOk(['create', 'namespace', 'filled']);
  const folder = join(node.dataDir, 'controllers');
  const standby = start(process.execPath, [
    ...[wherryEntry, 'controllers', `--kubeconfig=${folder}/controller-manager.kubeconfig`],
    `--scheduler-kubeconfig=${folder}/scheduler.kubeconfig`,
    `--root-ca-file=${join(node.dataDir, 'pki/ca.crt')}`,
  ]);
  try {
    await eventually('the namespace to go', async () => !(await namespaces()).includes('namespace/emptied'));
    await eventually('a service account', async () => {
      return (await node.kubectl(['get', 'serviceaccount', 'default', '-n', 'filled'])).code === 0;
    });
    await node.apply(scriptPod('scheduled-by-the-standby', 'sleep 1000'));
    await node.up();
  } finally {
    standby.kill('SIGTERM');
    await once(standby, 'close');
  }
});
