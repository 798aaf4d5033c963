/** `wherry service install` under a real systemd: from the first start to the last trace. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually, podOf } from '../node.ts';
import { SystemdMachine } from './machine.ts';

const roles = ['apiserver', 'controllers', 'kubelet', 'monitor', 'network', 'runtime'];
const counting = 'trap exit TERM; i=0; while :; do i=$((i+1)); echo $i; sleep 0.05; done';
const endTimeoutMs = 120_000;
let machine: SystemdMachine;

before(async () => {
  machine = await SystemdMachine.boot();
});
after(() => machine?.[Symbol.asyncDispose]());

const kubectl = (words: readonly string[], stdin?: string) =>
  machine.said(
    ['kubectl', '--kubeconfig', '/var/lib/wherry/kubeconfig', ...words],
    stdin === undefined ? {} : { stdin },
  );
const property = async (name: string) =>
  (await machine.said(['systemctl', 'show', '--value', '--property', name, 'wherry'])).trim();
const isActive = async () => (await machine.run(['systemctl', 'is-active', 'wherry'])).stdout.trim();

interface Status {
  processes: { role: string; pid: number; state: 'running' | 'dead' }[];
}

/** Pids by role, as far as they run. */
async function pids(): Promise<Map<string, number>> {
  const { processes } = JSON.parse(await machine.wherry('status', '-o', 'json')) as Status;
  return new Map(
    processes.flatMap(({ role, pid, state }) => (state === 'running' ? [[role, pid] as const] : [])),
  );
}

/** Waits until every process runs, with other pids than these, and the node is Ready. */
async function standsAgain(gone: readonly number[] = []): Promise<void> {
  await eventually(
    'every process of the node',
    async () => {
      const now = await pids().catch(() => new Map<string, number>());
      return roles.every((role) => now.has(role)) && gone.every((pid) => ![...now.values()].includes(pid));
    },
    endTimeoutMs,
  );
  await eventually(
    'the node to answer',
    async () => {
      const { code } = await machine.run([
        'kubectl',
        '--kubeconfig',
        '/var/lib/wherry/kubeconfig',
        'wait',
        '--for=condition=Ready',
        'node',
        '--all',
        '--timeout=5s',
      ]);
      return code === 0;
    },
    endTimeoutMs,
  );
}

/** The pod that counts has been the same since it began, counts on, and no line of its log is missing or doubled. */
async function countsOn(): Promise<void> {
  const status = await kubectl([
    'get',
    'pod',
    'counter',
    '-o',
    'jsonpath={.status.containerStatuses[0].restartCount}',
  ]);
  assert.equal(status, '0');
  const lines = async () => (await kubectl(['logs', 'counter'])).trim().split('\n').map(Number);
  // A kubelet that is on its way does not answer yet.
  const before = await eventually('the log', () => lines().catch(() => undefined), endTimeoutMs);
  assert.deepEqual(
    before,
    before.map((_, index) => index + 1),
  );
  await eventually('more lines', async () => (await lines()).length > before.length);
}

test('installing starts a node, and returns when it is Ready', async () => {
  const said = await machine.wherry('service', 'install');
  assert.match(said, /service wherry installed: \/etc\/systemd\/system\/wherry\.service/);
  assert.equal(await isActive(), 'active');
  assert.equal((await machine.said(['systemctl', 'is-enabled', 'wherry'])).trim(), 'enabled');
  assert.match(await kubectl(['get', 'nodes']), / Ready /);
  const journal = await machine.said(['journalctl', '--unit', 'wherry', '--output', 'cat', '--no-pager']);
  assert.match(journal, /^ready in [\d.]+ s$/m);
  assert.match(journal, /^ {2}✓ apiserver {2,}[\d.]+ s {2}started, pid \d+$/m);
  const busybox = await machine.said([
    'sh',
    '-c',
    'rm -rf /tmp/tree; mkdir -p /tmp/tree/bin; cp "$(command -v busybox)" /tmp/tree/bin/; for word in sh sleep; do ln -s busybox /tmp/tree/bin/$word; done; echo /tmp/tree',
  ]);
  await machine.wherry('image', 'build', 'wherry-test', '--from', busybox.trim());
  await kubectl(['apply', '-f', '-'], JSON.stringify(podOf('counter', { command: ['sh', '-c', counting] })));
  await kubectl(['wait', '--for=condition=Ready', 'pod/counter', '--timeout=60s']);
  await countsOn();
});

test('a process that is killed comes back under the same service; the container counts on', async () => {
  const main = await property('MainPID');
  for (const role of roles) {
    const pid = (await pids()).get(role);
    assert.ok(pid, role);
    await machine.said(['kill', '-KILL', `${pid}`]);
    await standsAgain([pid]);
    await countsOn();
  }
  assert.equal(await property('MainPID'), main);
  assert.equal(await property('NRestarts'), '0');
});

test('the service itself is killed, then all of its processes at once: systemd starts it again', async () => {
  const isStartedAgain = async (restarts: string) => {
    await eventually('the restart', async () => (await property('NRestarts')) === restarts, endTimeoutMs);
    await eventually('the service', async () => (await isActive()) === 'active', endTimeoutMs);
  };
  const before = [...(await pids()).values()];
  await machine.said(['kill', '-KILL', await property('MainPID')]);
  await isStartedAgain('1');
  assert.deepEqual([...(await pids()).values()], before);
  await countsOn();
  // Held meanwhile, so that it does not see some of them alone, and bring those back.
  const main = await property('MainPID');
  await machine.said(['kill', '-STOP', main]);
  await machine.said(['kill', '-KILL', ...before.map(String)]);
  await eventually('their end', async () => (await pids()).size === 0, endTimeoutMs);
  await machine.said(['kill', '-CONT', main]);
  await isStartedAgain('2');
  await standsAgain(before);
  await countsOn();
});

test('a restart finds the container as it was', async () => {
  const before = [...(await pids()).values()];
  await machine.said(['systemctl', 'restart', 'wherry'], { timeoutMs: 120_000 });
  await standsAgain(before);
  await countsOn();
});

test('a stop leaves the container alone, and the next start has all that it said meanwhile', async () => {
  await machine.said(['systemctl', 'stop', 'wherry'], { timeoutMs: 120_000 });
  assert.equal(await isActive(), 'inactive');
  assert.equal((await pids()).size, 0);
  assert.match(await machine.said(['ps', '-eo', 'args']), /sh -c trap exit TERM; i=0/);
  await machine.said(['sleep', '2']);
  await machine.said(['systemctl', 'start', 'wherry'], { timeoutMs: 120_000 });
  await standsAgain();
  await countsOn();
});

test('wherry down ends the pods, and systemd takes that for an end that was wanted', async () => {
  await machine.wherry('down');
  await eventually('the end of the service', async () => (await isActive()) === 'inactive', endTimeoutMs);
  assert.doesNotMatch(await machine.said(['ps', '-eo', 'args']), /sh -c trap exit TERM; i=0/);
  await machine.said(['systemctl', 'start', 'wherry'], { timeoutMs: 120_000 });
  await standsAgain();
});

test('uninstalling takes the unit, and a purge the node', async () => {
  await eventually(
    'the pod',
    async () => /sh -c trap exit TERM; i=0/.test(await machine.said(['ps', '-eo', 'args'])),
    endTimeoutMs,
  );
  assert.match(await machine.wherry('service', 'uninstall'), /service wherry removed; its pods run on/);
  assert.equal(await isActive(), 'inactive');
  assert.match((await machine.run(['systemctl', 'cat', 'wherry'])).stderr, /No files found/);
  assert.match(await machine.said(['ps', '-eo', 'args']), /sh -c trap exit TERM; i=0/);
  await machine.wherry('down', '--purge');
  assert.doesNotMatch(await machine.said(['ps', '-eo', 'args']), /trap exit|wherry/);
  assert.equal(await machine.said(['nft', 'list', 'tables']), '');
  assert.deepEqual((await machine.said(['ls', '-A', '/var/lib/wherry'])).trim(), '');
});
