import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { FakeClock, systemClock } from '@wherry/clock';
import { ContainerState } from '@wherry/cri';
import { silentLogger } from '@wherry/telemetry';
import { container, containerStatus, pod } from '../../test/builders.ts';
import { LogLinks } from '../execution/container/log-links.ts';
import { GarbageCollector } from '../execution/upkeep/garbage-collector.ts';
import type { Ground } from '../ground/ground.ts';
import type { NodePaths } from '../ground/node-paths.ts';
import { terminationMessage } from '../observation/termination-message.ts';
import { containerAnnotations, containerLabels } from '../pod/labels.ts';
import { makeLogFolder } from './log-folder.ts';
import { LogRotator } from './log-rotator.ts';
import { readContainerLog } from './read-log.ts';

let node = '';
let logs = '';
let folder = '';
let log = '';
const line = (text: string) => `2026-01-01T00:00:00.000000000Z stdout F ${text}\n`;
const secret = line('root:x:0:0');

beforeEach(() => {
  node = mkdtempSync(join(tmpdir(), 'kubelet-logs-'));
  logs = join(node, 'logs');
  folder = join(logs, 'default_p_uid-1/a');
  log = join(folder, '0.log');
  mkdirSync(folder, { recursive: true });
  writeFileSync(log, line('hello'));
  mkdirSync(join(node, 'host'));
  writeFileSync(join(node, 'host/0.log'), secret);
});
afterEach(() => rmSync(node, { recursive: true, force: true }));

async function read(options: { tailLines?: number } = {}): Promise<string> {
  let shown = '';
  const write = async (bytes: Uint8Array) => {
    shown += Buffer.from(bytes).toString();
  };
  const signal = AbortSignal.timeout(10_000);
  const follow = { clock: systemClock, isRunning: async () => false, write, signal };
  await readContainerLog(log, { follow: false, timestamps: false, ...options }, follow);
  return shown;
}

/** What somebody who can write to the log folders puts there. */
const swaps: [what: string, swap: () => void][] = [
  [
    'its file',
    () => {
      rmSync(log);
      symlinkSync(join(node, 'host/0.log'), log);
    },
  ],
  [
    "its container's folder",
    () => {
      rmSync(folder, { recursive: true });
      symlinkSync(join(node, 'host'), folder);
    },
  ],
  [
    "its pod's folder",
    () => {
      renameSync(folder, join(node, 'host/a'));
      writeFileSync(join(node, 'host/a/0.log'), secret);
      rmSync(join(logs, 'default_p_uid-1'), { recursive: true });
      symlinkSync(join(node, 'host'), join(logs, 'default_p_uid-1'));
    },
  ],
];

for (const [what, swap] of swaps) {
  describe(`a log of which ${what} is swapped for a link`, () => {
    test('is not read', async () => {
      assert.equal(await read(), 'hello\n');
      swap();
      await assert.rejects(read(), { code: 'log-file-refused' });
    });

    test('tells nothing as a termination message', async () => {
      swap();
      assert.equal(await messageFromLog(), '');
    });

    test('is neither rotated nor removed elsewhere', async () => {
      swap();
      const before = readdirSync(join(node, 'host'), { recursive: true }).sort();
      await rotatorOf(1).rotateAll();
      await collectorOf().collect(() => true);
      assert.deepEqual(readdirSync(join(node, 'host'), { recursive: true }).sort(), before);
    });
  });
}

test('a message that is taken from the log ends as the output did: without a newline of ours', async () => {
  writeFileSync(log, '2024-01-01T00:00:00Z stdout F one\n2024-01-01T00:00:00Z stdout P DO\n');
  appendFileSync(log, '2024-01-01T00:00:00Z stdout P NE\n');
  assert.equal(await messageFromLog(), 'one\nDONE');
  appendFileSync(log, '2024-01-01T00:00:00Z stdout F !\n');
  assert.equal(await messageFromLog(), 'one\nDONE!\n');
});

test('a message that is taken from the log is the end of a line that is longer than a message', async () => {
  writeFileSync(log, `2024-01-01T00:00:00Z stderr F ${'x'.repeat(16_000)}end\n`);
  const message = await messageFromLog();
  assert.equal(message.length, 2048);
  assert.ok(message.endsWith('xend\n'));
});

function messageFromLog(): Promise<string> {
  const of = pod({ containers: [container('a')] });
  const status = containerStatus(of, { name: 'a', state: 'exited', exitCode: 1 });
  const policy = { [containerAnnotations.terminationMessagePolicy]: 'FallbackToLogsOnError' };
  const annotations = { ...status.annotations, ...policy };
  const facts = { podLogDir: join(logs, 'default_p_uid-1'), podsDir: node, containersInPod: 1 };
  return terminationMessage({ ...status, annotations, logPath: log }, facts);
}

const runtimeStatus = () => ({
  ...containerStatus(pod({ containers: [container('a')] }), { name: 'a', state: 'exited' }),
  logPath: log,
});

function rotatorOf(maxBytes: number): LogRotator {
  const status = { ...runtimeStatus(), state: ContainerState.CONTAINER_RUNNING };
  const runtime = {
    listContainers: async () => ({ containers: [status] }),
    containerStatus: async () => ({ status }),
    reopenContainerLog: async () => ({}),
  };
  const configuration = { containerLogMaxSize: maxBytes, containerLogMaxFiles: 3, containerLogMaxWorkers: 1 };
  const clock = new FakeClock();
  const ground = { cri: { runtime }, clock, logger: silentLogger, configuration } as unknown as Ground;
  return new LogRotator({ ground });
}

/** A collector that finds two dead instances of the container, the older of which it is to remove. */
function collectorOf(): GarbageCollector {
  const labels = { [containerLabels.podUid]: 'uid-1', [containerLabels.containerName]: 'a' };
  const containers = [2n, 1n].map((createdAt) => ({
    ...runtimeStatus(),
    id: String(createdAt),
    createdAt,
    labels,
  }));
  const runtime = {
    listPodSandbox: async () => ({ items: [] }),
    listContainers: async () => ({ containers }),
    containerStatus: async () => ({ status: runtimeStatus() }),
    removeContainer: async () => ({}),
  };
  return new GarbageCollector({
    runtime,
    podLogsDir: logs,
    links: new LogLinks({
      paths: { containerLogsDir: join(node, 'links') } as NodePaths,
      logger: silentLogger,
    }),
    clock: new FakeClock(),
    logger: silentLogger,
  } as unknown as ConstructorParameters<typeof GarbageCollector>[0]);
}

test('rotation writes through no link that stands where the compressed file goes', async () => {
  writeFileSync(join(folder, '0.log.19600101-000000'), line('old'));
  symlinkSync(join(node, 'host/made'), join(folder, '0.log.19600101-000000.tmp'));
  await rotatorOf(1).rotateAll();
  assert.equal(existsSync(join(node, 'host/made')), false);
  assert.ok(existsSync(join(folder, '0.log.19600101-000000.gz')));
  writeFileSync(log, line('new'));
  assert.equal(await read(), 'old\nhello\nnew\n');
});

test('a rotated file that is a link is not read', async () => {
  symlinkSync(join(node, 'host/0.log'), join(folder, '0.log.19600101-000000'));
  await assert.rejects(read(), { code: 'log-file-refused' });
  await assert.rejects(read({ tailLines: 5 }), { code: 'log-file-refused' });
});

test('a log that is a FIFO holds nobody up', async () => {
  rmSync(log);
  execFileSync('mkfifo', [log]);
  await assert.rejects(read(), { code: 'log-file-refused' });
});

test('the folder of a log is not made behind a link', () => {
  symlinkSync(join(node, 'host'), join(logs, 'default_q_uid-2'));
  assert.throws(() => makeLogFolder(logs, join(logs, 'default_q_uid-2/a')), { code: 'log-file-refused' });
  assert.deepEqual(readdirSync(join(node, 'host')), ['0.log']);
  makeLogFolder(logs, join(logs, 'default_r_uid-3/a'));
  assert.ok(existsSync(join(logs, 'default_r_uid-3/a')));
});

test('the logs of a pod that is gone are removed, and nothing that they link to', async () => {
  symlinkSync(join(node, 'host'), join(folder, 'away'));
  await collectorOf().collect(() => false);
  assert.deepEqual(readdirSync(logs), []);
  assert.equal(readFileSync(join(node, 'host/0.log'), 'utf8'), secret);
});

test('a termination message is not read through a link, whoever owns its file', async () => {
  const of = pod({ containers: [container('a')] });
  const status = containerStatus(of, { name: 'a', state: 'exited', exitCode: 1 });
  const messageAt = (hostPath: string, asked = '/message') => {
    const annotations = { ...status.annotations, [containerAnnotations.terminationMessagePath]: asked };
    const mounts = [{ containerPath: '/message', hostPath }] as never;
    const facts = { podLogDir: logs, podsDir: join(node, 'pods'), containersInPod: 1 };
    return terminationMessage({ ...status, annotations, mounts }, facts);
  };
  mkdirSync(join(node, 'data/sub'), { recursive: true });
  mkdirSync(join(node, 'pods/uid-1'), { recursive: true });
  for (const path of [join(node, 'data/sub/message'), join(node, 'pods/uid-1/message')]) {
    writeFileSync(path, 'mine');
    assert.equal(await messageAt(path), 'mine');
    assert.equal(await messageAt(path, 'message'), 'mine', 'below the root of its container');
    rmSync(path);
    symlinkSync(join(node, 'host/0.log'), path);
    assert.equal(await messageAt(path), '');
  }
  rmSync(join(node, 'data/sub'), { recursive: true });
  symlinkSync(join(node, 'host'), join(node, 'data/sub'));
  assert.equal(await messageAt(join(node, 'data/sub/0.log')), '');
});
