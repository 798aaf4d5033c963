/** The monitor is killed in the middle of each step of a container's life; the next one must find the truth. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { detectCgroups, foldersAt, processesOf } from '@wherry/linux';
import { runningKeepers } from '../src/keeper/strays.ts';
import { processOf } from './bundle.ts';
import { Harness, type TestContainer, until } from './harness.ts';
import { type HeldAt, HeldOciRuntime } from './held-oci-runtime.ts';
import { type KillableProcess, spawnMonitor } from './spawn-monitor.ts';

const harness = new Harness();
const oci = new HeldOciRuntime(harness.folder);
let monitor: KillableProcess;
const startMonitor = () =>
  spawnMonitor({ dataDir: harness.dataDir, socketPath: harness.socketPath, ociRuntime: oci.program });
const keepers = () => runningKeepers(join(harness.dataDir, 'keeper'));
const processes = (id: string) => processesOf(foldersAt(detectCgroups(), `${harness.cgroup}/${id}`));
const folders = () => readdirSync(join(harness.dataDir, 'containers'));

before(async () => {
  monitor = await startMonitor();
});
afterEach(async () => {
  const { containers } = await harness.client.call('container.list', {});
  for (const { id } of containers) await harness.client.call('container.delete', { id, force: true });
  await until(() => keepers().length === 0);
  assert.deepEqual(folders(), []);
});
after(async () => {
  await harness.stop();
  await monitor.kill();
});

/** Kills the monitor while `call` is held in the OCI runtime's `verb`; a new one starts before that goes on. */
async function killDuring(verb: string, at: HeldAt, call: () => Promise<unknown>): Promise<void> {
  oci.hold(verb, at);
  const lost = assert.rejects(call(), { code: 'UNAVAILABLE' });
  await oci.reached(verb, at);
  await monitor.kill();
  await lost;
  const next = startMonitor();
  await delay(300);
  oci.release(verb, at);
  monitor = await next;
}

const statusOf = async (id: string) =>
  (await harness.client.call('container.list', {})).containers.find((container) => container.id === id);

for (const at of ['before', 'after'] as const) {
  for (const start of [true, false]) {
    const verb = start ? 'run' : 'create';
    test(`killed ${at} the OCI runtime's ${verb}: the container is there, with its output and its exit code`, async () => {
      const script = 'echo begin; read x; echo end; exit 5';
      const request = { ...harness.request(['sh', '-c', script], { stdin: true, stdinOnce: true }), start };
      const { id } = request;
      await killDuring(verb, at, () => harness.client.call('container.create', request));
      assert.equal((await statusOf(id))?.state, start ? 'running' : 'created');
      assert.equal(processes(id).length, 1);
      if (!start) await harness.client.call('container.start', { id });
      await until(() => harness.log(id).length === 1);
      await harness.client.call('container.kill', { id, signal: 9 });
      assert.equal((await harness.client.call('container.wait', { id })).exitCode, 137);
    });
  }

  test(`killed ${at} the OCI runtime's start: the container runs`, async () => {
    const request = { ...harness.request(['sh', '-c', 'echo begin; sleep 1; exit 6']), start: false };
    const { id } = await harness.client.call('container.create', request);
    await killDuring('start', at, () => harness.client.call('container.start', { id }));
    const { exitCode, startedAtNs } = await harness.client.call('container.wait', { id });
    assert.equal(exitCode, 6);
    assert.ok(startedAtNs > 0n);
    assert.deepEqual(
      harness.log(id).map(({ content }) => content),
      ['begin'],
    );
  });

  test(`killed ${at} the OCI runtime's start, with a container that ends before another monitor comes: it ran, and when is said`, async () => {
    const request = { ...harness.request(['sh', '-c', 'echo begin; exit 6']), start: false };
    const { id } = await harness.client.call('container.create', request);
    const created = await statusOf(id);
    oci.hold('start', at);
    const lost = assert.rejects(harness.client.call('container.start', { id }), { code: 'UNAVAILABLE' });
    await oci.reached('start', at);
    assert.equal((await statusOf(id))?.startedAtNs, 0n);
    await monitor.kill();
    await lost;
    oci.release('start', at);
    await until(() => processes(id).length === 0);
    monitor = await startMonitor();
    const { exitCode, startedAtNs, finishedAtNs } = await harness.client.call('container.wait', { id });
    assert.equal(exitCode, 6);
    assert.ok(startedAtNs > created!.createdAtNs, `${startedAtNs}`);
    assert.ok(finishedAtNs >= startedAtNs);
  });

  const failures: [string, string[], TestContainer][] = [
    ['that fails', ['/no/such/program'], {}],
    ['whose terminal went with the monitor', ['sleep', '1000'], { terminal: true }],
  ];
  for (const [which, args, options] of failures) {
    test(`killed ${at} the OCI runtime's run of a container ${which}: nothing of it is left`, async () => {
      const request = harness.request(args, options);
      await killDuring('run', at, () => harness.client.call('container.create', request));
      assert.equal(await statusOf(request.id), undefined);
      await until(() => processes(request.id).length === 0);
    });
  }

  test(`killed ${at} the OCI runtime's delete: the container is ended, and goes at the next try`, async () => {
    const { id } = await harness.run(['sh', '-c', 'exit 3']);
    await harness.client.call('container.wait', { id });
    await killDuring('delete', at, () => harness.client.call('container.delete', { id }));
    const status = await statusOf(id);
    assert.deepEqual([status?.state, status?.exitCode], ['exited', 3]);
  });

  test(`killed ${at} the OCI runtime's exec: no process of it is left`, async () => {
    const { id } = await harness.run(['sleep', '1000']);
    const exec = { containerId: id, process: processOf(['sleep', '2000']), timeoutMs: 0 };
    await killDuring('exec', at, () => harness.client.call('exec.sync', exec));
    await until(() => processes(id).length === 1, 20_000);
    assert.equal((await statusOf(id))?.state, 'running');
    await until(() => readdirSync(join(harness.dataDir, 'exec')).length === 0, 20_000);
  });
}

test('a container whose exec processes outlive their monitor is rid of them when another comes', async () => {
  const { id } = await harness.run(['sleep', '1000']);
  const exec = { containerId: id, process: processOf(['sleep', '3000']), timeoutMs: 0 };
  const lost = assert.rejects(harness.client.call('exec.sync', exec), { code: 'UNAVAILABLE' });
  await until(() => processes(id).length === 2);
  await monitor.kill();
  await lost;
  monitor = await startMonitor();
  await until(() => processes(id).length === 1);
  assert.equal((await statusOf(id))?.state, 'running');
});

test('a container whose record was destroyed is ended, and leaves no process', async () => {
  const { id } = await harness.run(['sleep', '1000']);
  await monitor.kill();
  const record = join(harness.dataDir, 'containers', id, 'record.json');
  writeFileSync(record, '{"request":');
  monitor = await startMonitor();
  assert.equal(await statusOf(id), undefined);
  await until(() => processes(id).length === 0);
});

test('a container that cannot be taken on is unknown and says why, and its processes are ended', async () => {
  const { id } = await harness.run(['sh', '-c', 'sleep 1000 & sleep 1000']);
  await until(() => processes(id).length === 2);
  await monitor.kill();
  rmSync(join(harness.dataDir, 'containers', id, 'stdout'));
  monitor = await startMonitor();
  const status = await statusOf(id);
  assert.deepEqual([status?.state, status?.exitCode, status?.reason], ['unknown', 255, 'Unknown']);
  assert.match(status?.message ?? '', /could not be taken on.*stdout/);
  await until(() => processes(id).length === 0);
});
