import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { detectCgroups, foldersAt, processesOf } from '@wherry/linux';
import type { CheckpointFolders } from '@wherry/monitor-api';
import { checkpointProblem } from '../../linux/test/needs.ts';
import { runningKeepers } from '../src/keeper/strays.ts';
import { processOf } from './bundle.ts';
import { Harness, type TestContainer, until } from './harness.ts';
import { HeldOciRuntime } from './held-oci-runtime.ts';
import { connect, textOf } from './session.ts';
import { type KillableProcess, spawnMonitor } from './spawn-monitor.ts';
import { streams } from './streams.ts';

const skip = checkpointProblem();
const harness = new Harness();
const oci = new HeldOciRuntime(harness.folder);
let monitor: KillableProcess;
const startMonitor = () =>
  spawnMonitor({ dataDir: harness.dataDir, socketPath: harness.socketPath, ociRuntime: oci.program });

before(async () => {
  monitor = await startMonitor();
});
afterEach(async () => {
  const { containers } = await harness.client.call('container.list', {});
  for (const { id } of containers) await harness.client.call('container.delete', { id, force: true });
  await until(() => runningKeepers(join(harness.dataDir, 'keeper')).length === 0);
  assert.deepEqual(readdirSync(join(harness.dataDir, 'containers')), []);
});
after(async () => {
  await harness.stop();
  await monitor.kill();
});

const counter = ['sh', '-c', 'i=0; while sleep 0.1; do i=$((i+1)); echo $i; echo e$i >&2; done'];
let checkpoints = 0;

function newFolders(): CheckpointFolders {
  const folder = join(harness.folder, `checkpoint-${checkpoints++}`);
  const [imagePath, workPath] = [join(folder, 'images'), join(folder, 'work')];
  for (const path of [imagePath, workPath]) mkdirSync(path, { recursive: true });
  return { imagePath, workPath };
}

/** Checkpoints a container, which stands still while `meanwhile` runs. */
async function checkpoint(id: string, meanwhile: () => unknown = () => {}): Promise<CheckpointFolders> {
  const folders = newFolders();
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const call = harness.client.call('container.checkpoint', { id, ...folders }, { notice: () => resolve() });
  await Promise.race([written, call]);
  await meanwhile();
  await harness.client.call('container.resume', { id });
  await call;
  return folders;
}

/** Brings the processes of a checkpoint back in a container of their own. */
function restore(folders: CheckpointFolders, options: TestContainer = {}) {
  const work = newFolders().workPath;
  const request = { ...harness.request(['none'], options), checkpoint: { ...folders, workPath: work } };
  return harness.client.call('container.create', request);
}

const lines = (id: string, stream = 'stdout') =>
  harness.log(id).flatMap((entry) => (entry.stream === stream ? [entry.content] : []));
const numbers = (id: string) => lines(id).map(Number);
const processes = (id: string) => processesOf(foldersAt(detectCgroups(), `${harness.cgroup}/${id}`));

describe('a container is checkpointed', { skip }, () => {
  test('and goes on; what is restored counts on from there, in its own log, by both streams', async () => {
    const { id } = await harness.run(counter);
    await until(() => lines(id).length > 3);
    let count = 0;
    const folders = await checkpoint(id, async () => {
      await delay(200);
      count = numbers(id).at(-1) ?? 0;
      await delay(300);
      assert.equal(numbers(id).at(-1), count, 'it stands still');
    });
    await until(() => numbers(id).at(-1)! > count);
    await harness.client.call('container.delete', { id, force: true });

    const restored = await restore(folders);
    await until(() => lines(restored.id).length > 3 && lines(restored.id, 'stderr').length > 3);
    const [first = 0, ...rest] = numbers(restored.id);
    assert.ok(first >= count && first <= count + 1, `${first} after ${count}`);
    assert.deepEqual(
      rest,
      rest.map((_, at) => first + 1 + at),
    );
    assert.ok(processes(restored.id).includes(restored.pid), 'in its own control group');
    assert.equal(restored.state, 'running');
  });

  test('with its input: who attaches to the restored one writes to it and reads it, and its exit code is seen', async () => {
    const script = 'echo ready; while read line; do echo "got $line"; [ "$line" = end ] && exit 7; done';
    const { id } = await harness.run(['sh', '-c', script], { stdin: true });
    await until(() => lines(id).length === 1);
    const folders = await checkpoint(id);
    const restored = await restore(folders, { stdin: true });
    const chosen = streams({ stdin: true });
    const { url } = await harness.client.call('stream.attach', { containerId: restored.id, ...chosen });
    const session = await connect(url, chosen, 'websocket');
    const output = textOf(session.stdout);
    session.stdin?.write(Buffer.from('one\nend\n'));
    const { exitCode } = await harness.client.call('container.wait', { id: restored.id });
    assert.equal(exitCode, 7);
    assert.equal(await output, 'got one\ngot end\n');
    assert.deepEqual(lines(restored.id), ['got one', 'got end']);
  });

  test('with a terminal: the restored one has a new one', async () => {
    const script = 'tty; while read line; do echo "got $line"; done';
    const { id } = await harness.run(['sh', '-c', script], { terminal: true, stdin: true });
    await until(() => lines(id).length === 1);
    const restored = await restore(await checkpoint(id), { terminal: true, stdin: true });
    const chosen = streams({ stdin: true, tty: true });
    const { url } = await harness.client.call('stream.attach', { containerId: restored.id, ...chosen });
    const session = await connect(url, chosen, 'websocket');
    session.stdin?.write(Buffer.from('one\n'));
    await until(() => lines(restored.id).some((line) => line.startsWith('got one')));
  });

  test('a restored one survives the end of its monitor: log, exec and exit code', async () => {
    const { id } = await harness.run([
      'sh',
      '-c',
      'trap "exit 9" TERM; i=0; while sleep 0.1; do echo $((i+=1)); done',
    ]);
    await until(() => lines(id).length > 2);
    const { id: restored } = await restore(await checkpoint(id));
    await until(() => lines(restored).length > 0);
    await monitor.kill();
    await delay(300);
    monitor = await startMonitor();
    const before = lines(restored).length;
    await until(() => lines(restored).length > before + 2);
    const counted = numbers(restored);
    assert.deepEqual(
      counted,
      counted.map((_, at) => counted[0]! + at),
    );
    const { stdout } = await harness.client.call('exec.sync', {
      ...{ containerId: restored, timeoutMs: 5_000 },
      process: processOf(['echo', 'inside']),
    });
    assert.equal(Buffer.from(stdout).toString(), 'inside\n');
    await harness.client.call('container.kill', { id: restored, signal: 15 });
    assert.equal((await harness.client.call('container.wait', { id: restored })).exitCode, 9);
  });

  for (const at of ['before', 'after'] as const) {
    test(`killed ${at} the OCI runtime's checkpoint: the container goes on`, async () => {
      const { id } = await harness.run(counter);
      await until(() => lines(id).length > 2);
      oci.hold('checkpoint', at);
      const call = harness.client.call('container.checkpoint', { id, ...newFolders() });
      const lost = assert.rejects(call, { code: 'UNAVAILABLE' });
      await oci.reached('checkpoint', at);
      await monitor.kill();
      await lost;
      const next = startMonitor();
      await delay(300);
      oci.release('checkpoint', at);
      monitor = await next;
      const count = numbers(id).at(-1)!;
      await until(() => numbers(id).at(-1)! > count + 2, 10_000);
      await checkpoint(id);
    });

    test(`killed ${at} the OCI runtime's restore: the container is there, and its exit code`, async () => {
      const { id } = await harness.run(counter);
      await until(() => lines(id).length > 2);
      const folders = await checkpoint(id);
      oci.hold('restore', at);
      const request = {
        ...harness.request(['none']),
        checkpoint: { ...folders, workPath: newFolders().workPath },
      };
      const lost = assert.rejects(harness.client.call('container.create', request), { code: 'UNAVAILABLE' });
      await oci.reached('restore', at);
      await monitor.kill();
      await lost;
      const next = startMonitor();
      await delay(300);
      oci.release('restore', at);
      monitor = await next;
      await until(() => lines(request.id).length > 2);
      await harness.client.call('container.kill', { id: request.id, signal: 9 });
      assert.equal((await harness.client.call('container.wait', { id: request.id })).exitCode, 137);
    });
  }

  test('who asked and went leaves it going on, and a second one at once is refused', async () => {
    const { id } = await harness.run(counter);
    const { promise: written, resolve } = Promise.withResolvers<void>();
    const asking = new AbortController();
    const call = harness.client.call(
      'container.checkpoint',
      { id, ...newFolders() },
      { notice: () => resolve(), signal: asking.signal },
    );
    const gone = assert.rejects(call, /enough/);
    await written;
    await assert.rejects(harness.client.call('container.checkpoint', { id, ...newFolders() }), {
      code: 'FAILED_PRECONDITION',
      message: /is being checkpointed already/,
    });
    const count = lines(id).length;
    asking.abort(new Error('enough'));
    await gone;
    await until(() => lines(id).length > count + 2);
  });

  test('a restore that CRIU refuses says why, and leaves nothing', async () => {
    const { id } = await harness.run(counter);
    const folders = await checkpoint(id);
    rmSync(join(folders.imagePath, 'files.img'));
    writeFileSync(join(folders.imagePath, 'core-1.img'), 'no image');
    await assert.rejects(restore(folders), {
      code: 'UNKNOWN',
      message: /restore: criu failed.*CRIU says: .*core-1/s,
    });
    const { containers } = await harness.client.call('container.list', {});
    assert.deepEqual(
      containers.map((container) => container.id),
      [id],
    );
    const { controllers, unified } = foldersAt(detectCgroups(), harness.cgroup);
    const groups = [...controllers.values(), ...(unified === null ? [] : [unified])];
    const left = groups.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
    assert.ok(left.includes(id));
    assert.deepEqual(
      left.filter((name) => /^c\d+$/.test(name) && name !== id),
      [],
    );
  });

  test('by another monitor, which gives containers pipes: the restored one has ours, and is logged', async () => {
    const { id, bundle } = harness.request(counter);
    const runc = ['--root', join(harness.folder, 'runc')];
    const output = join(harness.folder, 'other.log');
    const other = spawn('sh', [
      '-c',
      'runc "$@" 2>&1 | cat >"$0"',
      output,
      ...runc,
      'run',
      '--bundle',
      bundle,
      id,
    ]);
    const ended = once(other, 'close');
    await until(() => existsSync(output) && readFileSync(output, 'utf8').split('\n').length > 6);
    const folders = newFolders();
    const paths = ['--image-path', folders.imagePath, '--work-path', folders.workPath];
    execFileSync('runc', [...runc, 'checkpoint', ...paths, id]);
    await ended;
    const counted = readFileSync(output, 'utf8')
      .split('\n')
      .filter((line) => /^\d+$/.test(line));
    const count = Number(counted.at(-1));
    const restored = await restore(folders);
    await until(() => lines(restored.id).length > 3 && lines(restored.id, 'stderr').length > 3);
    assert.equal(numbers(restored.id)[0], count + 1);
  });

  test('of the streams that a checkpoint names only pipes and FIFOs of stdio are believed', async () => {
    const { id } = await harness.run(counter);
    const folders = await checkpoint(id);
    const path = join(folders.imagePath, 'descriptors.json');
    const [, stdout, stderr] = JSON.parse(readFileSync(path, 'utf8')) as string[];
    const evil = ['x\naction-script /evil', stdout, stderr, 'pipe:[3]', 'pipe:[4]'];
    writeFileSync(path, JSON.stringify(evil));
    const restored = await restore(folders);
    await until(() => lines(restored.id).length > 1);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), ['', '', '']);
  });
});

test('without CRIU a checkpoint is refused, in the words that Kubernetes’ test knows', async () => {
  await using bare = new Harness();
  const path = process.env['PATH'];
  const { id } = await (async () => {
    await bare.start();
    return bare.run(counter);
  })();
  process.env['PATH'] = '/nonexistent';
  try {
    const refusal = {
      code: 'UNKNOWN',
      message: /^CRIU binary not found or too old \(<31600\)\. Failed to checkpoint container/,
    };
    await assert.rejects(bare.client.call('container.checkpoint', { id, ...newFolders() }), refusal);
  } finally {
    process.env['PATH'] = path;
  }
});
