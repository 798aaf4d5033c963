import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isAlive } from '@wherry/linux';
import { MonitorClient } from '@wherry/monitor-api';
import { Harness, until } from './harness.ts';
import { connect, textOf } from './session.ts';
import { type KillableProcess, spawnMonitor } from './spawn-monitor.ts';
import { streams } from './streams.ts';

const harness = new Harness();
let monitor: KillableProcess;

async function startMonitorProcess(): Promise<void> {
  monitor = await spawnMonitor(harness);
}
const killMonitor = () => monitor.kill();

/** The parent of a container's first process: its keeper, which outlives monitors. */
const keeperOf = (pid: number) =>
  Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

before(startMonitorProcess);
after(async () => {
  await harness.stop();
  await killMonitor();
});

test('kill -9 of the monitor, four times under load: the container lives, no line is lost or doubled, its exit code is found', async () => {
  const count = 200_000;
  const script = `i=0; while [ $i -lt ${count} ]; do echo line $i; i=$((i+1)); done; exit 5`;
  const { id, pid } = await harness.run(['sh', '-c', script]);
  for (let round = 0; round < 4; round++) {
    await delay(100);
    await killMonitor();
    process.kill(pid, 0);
    await startMonitorProcess();
  }
  assert.equal((await harness.client.call('container.wait', { id })).exitCode, 5);
  const log = harness.log(id);
  assert.equal(log.length, count);
  assert.equal(
    log.findIndex(({ content, tag }, index) => content !== `line ${index}` || tag !== 'F'),
    -1,
  );
});

test('a container that ends while no monitor is there has its true exit code and its last lines', async () => {
  const { id, pid } = await harness.run(['sh', '-c', 'sleep 0.3; echo last words; exit 42']);
  const before = BigInt(Date.now()) * 1_000_000n;
  await killMonitor();
  await until(() => !isAlive(identifyProcess(pid)!));
  const after = BigInt(Date.now() + 1000) * 1_000_000n;
  await delay(1_000);
  await startMonitorProcess();
  const status = await harness.client.call('container.wait', { id });
  assert.deepEqual([status.state, status.exitCode, status.reason], ['exited', 42, 'Error']);
  assert.ok(
    status.finishedAtNs > before && status.finishedAtNs < after,
    'the time of its end, not of the finding',
  );
  assert.deepEqual(harness.log(id), [{ stream: 'stdout', tag: 'F', content: 'last words' }]);
});

test('a terminal outlives its monitor, with output and input', async () => {
  const { id } = await harness.run(['sh', '-c', 'echo one; read x; echo got $x; exit 6'], {
    terminal: true,
    stdin: true,
  });
  await until(() => harness.log(id).length === 1);
  await killMonitor();
  await startMonitorProcess();
  const chosen = streams({ stdin: true, tty: true });
  const { url } = await harness.client.call('stream.attach', { containerId: id, ...chosen });
  const client = await connect(url, chosen, 'spdy');
  await delay(100);
  client.stdin?.write(Buffer.from('it\n'));
  assert.match(await textOf(client.stdout), /got it/);
  assert.equal((await harness.client.call('container.wait', { id })).exitCode, 6);
});

test('stdin stays open across monitors until the client that closes it', async () => {
  const { id } = await harness.run(['sh', '-c', 'cat; exit 8'], { stdin: true, stdinOnce: true });
  await killMonitor();
  await startMonitorProcess();
  const chosen = streams({ stdin: true });
  const { url } = await harness.client.call('stream.attach', { containerId: id, ...chosen });
  const client = await connect(url, chosen, 'spdy');
  client.stdin?.write(Buffer.from('through\n'));
  client.stdin?.end();
  assert.match(await textOf(client.stdout), /through/);
  assert.equal((await harness.client.call('container.wait', { id })).exitCode, 8);
});

test('a container that nobody could watch to its end is unknown, with a message, and never running', async () => {
  const { id, pid } = await harness.run(['sleep', '1000']);
  process.kill(keeperOf(pid), 'SIGKILL');
  await killMonitor();
  process.kill(pid, 'SIGKILL');
  await until(() => !existsSync(`/proc/${pid}`), 10_000);
  await startMonitorProcess();
  const status = await harness.client.call('container.wait', { id });
  assert.deepEqual([status.state, status.exitCode, status.reason], ['unknown', 255, 'Unknown']);
  assert.match(status.message, /no monitor and no keeper/);
});

test('without a keeper, what a container writes and reads waits for the next monitor', async () => {
  const lines = 'i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i+1)); sleep 0.05; done';
  const script = `echo begin; sleep 1; ${lines}; read x; echo got $x; exit 3`;
  const { id, pid } = await harness.run(['sh', '-c', script], { stdin: true });
  // Killed while nothing is on its way: what is between pipe and log at that moment is kept by the keeper alone.
  await until(() => harness.log(id).length === 1);
  process.kill(keeperOf(pid), 'SIGKILL');
  await killMonitor();
  await delay(1_500);
  await startMonitorProcess();
  const chosen = streams({ stdin: true });
  const { url } = await harness.client.call('stream.attach', { containerId: id, ...chosen });
  const client = await connect(url, chosen, 'spdy');
  const seen = textOf(client.stdout);
  client.stdin?.write(Buffer.from('word\n'));
  assert.equal((await harness.client.call('container.wait', { id })).exitCode, 3);
  await seen;
  const expected = ['begin', ...Array.from({ length: 40 }, (_, index) => `line ${index}`), 'got word'];
  assert.deepEqual(
    harness.log(id).map(({ content }) => content),
    expected,
  );
});

test('a session lives on when the process that asked for it dies', async () => {
  const { id } = await harness.run(['sleep', '1000']);
  const asker = new MonitorClient({ socketPath: harness.socketPath });
  const chosen = streams({ stdin: true });
  const process = { user: { uid: 0, gid: 0 }, args: ['cat'], cwd: '/', env: ['PATH=/bin'] };
  const { url } = await asker.call('stream.exec', { containerId: id, process, ...chosen });
  const session = await connect(url, chosen, 'spdy');
  await asker.close();
  session.stdin?.write(Buffer.from('still here'));
  session.stdin?.end();
  assert.equal(await textOf(session.stdout), 'still here');
  assert.equal(await session.exitCode, 0);
});
