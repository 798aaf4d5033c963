import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import type { Logind } from '../../observation/node-shutdown/logind.ts';
import { ShutdownRecord } from '../../observation/node-shutdown/shutdown-record.ts';
import { NodeShutdown } from './node-shutdown.ts';
import { ShutdownWatch } from './shutdown-watch.ts';

/** What logind is asked and told, with the answers that a test gives. */
class ObedientLogind implements Logind {
  allowedMs = 0;
  isShutting = false;
  /** Locks taken so far, and those that are held. */
  taken = 0;
  readonly held = new Set<object>();
  #streams: ReadableStreamDefaultController<boolean>[] = [];
  readonly raised: number[] = [];

  async inhibitDelayMs() {
    return this.allowedMs;
  }

  async raiseInhibitDelay(delayMs: number) {
    this.raised.push(delayMs);
  }

  async isShuttingDown() {
    return this.isShutting;
  }

  async inhibit() {
    const gone = Promise.withResolvers<void>();
    const lock = {
      gone: gone.promise,
      release: () => {
        this.held.delete(lock);
        gone.resolve();
      },
    };
    this.taken += 1;
    this.held.add(lock);
    return lock;
  }

  async watch(signal: AbortSignal) {
    const start = (stream: ReadableStreamDefaultController<boolean>) => {
      this.#streams.push(stream);
      const isLast = () => this.#streams.includes(stream);
      signal.addEventListener('abort', () => isLast() && stream.close());
    };
    return new ReadableStream<boolean>({ start });
  }

  announce(isComing: boolean): void {
    this.isShutting = isComing;
    this.#streams.at(-1)?.enqueue(isComing);
  }

  /** The watch ends, as where the bus goes away. */
  breakOff(): void {
    this.#streams.pop()?.error(new Error('the bus is gone'));
  }
}

const podOf = (name: string, priority: number) =>
  pod({ containers: [container('a')], priority }, { name, uid: name });

/** A node with three pods in two groups of 20 and 10 s. */
function scene(t: TestContext, { allowedMs = 60_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'kubelet-shutdown-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const path = join(folder, 'graceful_node_shutdown_state');
  const record = new ShutdownRecord({ path, clock, logger: silentLogger, metrics });
  const killed: [uid: string, atMs: number, graceSeconds: number | undefined][] = [];
  const gone = new Set<string>();
  const told: string[] = [];
  const logind = new ObedientLogind();
  logind.allowedMs = allowedMs;
  const shutdown = new NodeShutdown({
    graces: [
      { priority: 0, shutdownGracePeriodSeconds: 20 },
      { priority: 2_000_000_000, shutdownGracePeriodSeconds: 10 },
    ],
    record,
    clock,
    logger: silentLogger,
    recorder: {
      record: ({ reason, message }) => {
        assert.equal(reason, 'Shutdown');
        told.push(message);
      },
    },
    nodeName: 'n1',
    activePods: () => [podOf('critical', 2_000_001_000), podOf('one', 0), podOf('two', 7)],
    kill: (uid, { graceSeconds, verdict }) => {
      killed.push([uid, clock.monotonicMs(), graceSeconds]);
      assert.equal(verdict?.reason, 'Terminated');
    },
    isGone: (uid) => gone.has(uid),
    onChanged: () => told.push(record.isUnderWay ? 'not ready' : 'ready'),
  });
  const watch = new ShutdownWatch({
    logind,
    clock,
    logger: silentLogger,
    delayMs: 30_000,
    onShutdown: (signal) => shutdown.begin(signal),
    onCancelled: () => shutdown.cancel(),
  });
  t.after(() => watch.close());
  watch.start();
  const stored = () => JSON.parse(readFileSync(path, 'utf8')) as { startTime: string; endTime: string };
  const pass = (durationMs: number) => clock.advanceAsync(durationMs);
  return { clock, logind, killed, gone, told, watch, stored, metrics, path, pass };
}

describe('a shutdown of the machine', () => {
  it('waits for one group after the other, goes on when all pods are gone, and notes when that was', async (t) => {
    const { logind, killed, gone, told, stored, metrics, path, clock, pass } = scene(t);
    await pass(0);
    assert.equal(logind.held.size, 1);
    logind.announce(true);
    await pass(3_000);
    assert.deepEqual(killed, [
      ['one', 0, 20],
      ['two', 0, 20],
    ]);
    assert.deepEqual(told, ['Shutdown manager detected shutdown event', 'not ready']);
    assert.deepEqual(stored(), { startTime: '2023-11-14T22:13:20.000Z', endTime: '0001-01-01T00:00:00Z' });
    for (const uid of ['one', 'two']) gone.add(uid);
    await pass(250);
    assert.deepEqual(killed[2], ['critical', 3_250, 10]);
    assert.equal(logind.held.size, 1);
    gone.add('critical');
    await pass(250);
    assert.equal(logind.held.size, 0);
    assert.equal(stored().endTime, '2023-11-14T22:13:23.500Z');
    assert.match(metrics.render(), /^kubelet_graceful_shutdown_end_time_seconds 1700000003$/m);
    const next = new MetricsRegistry();
    new ShutdownRecord({ path, clock, logger: silentLogger, metrics: next });
    assert.match(next.render(), /^kubelet_graceful_shutdown_start_time_seconds 1700000000$/m);
  });

  it('waits no longer than the grace of each group', async (t) => {
    const { logind, killed, pass } = scene(t);
    await pass(0);
    logind.announce(true);
    await pass(29_900);
    assert.deepEqual(killed[2], ['critical', 20_000, 10]);
    assert.equal(logind.held.size, 1);
    await pass(100);
    assert.equal(logind.held.size, 0);
  });

  it('that is cancelled leaves the groups that had not begun, and the next one waits again', async (t) => {
    const { logind, killed, told, pass } = scene(t);
    await pass(0);
    logind.announce(true);
    await pass(1_000);
    logind.announce(false);
    await pass(60_000);
    assert.equal(killed.length, 2);
    assert.deepEqual(told.slice(2), ['Shutdown manager detected shutdown cancellation', 'ready']);
    assert.deepEqual([logind.held.size, logind.taken], [1, 2]);
  });

  it('is waited for although its watch breaks off, and one that was cancelled meanwhile is noticed', async (t) => {
    const { logind, told, pass } = scene(t);
    await pass(0);
    logind.announce(true);
    await pass(0);
    logind.breakOff();
    await pass(5_000);
    assert.deepEqual([logind.held.size, logind.taken], [1, 1]);
    logind.breakOff();
    logind.isShutting = false;
    await pass(5_000);
    assert.equal(told.at(-1), 'ready');
    assert.deepEqual([logind.held.size, logind.taken], [1, 2]);
  });
});

describe('the lock that makes shutdowns wait', () => {
  it('is taken once logind allows as long a delay as the pods may need', async (t) => {
    const { logind, pass } = scene(t, { allowedMs: 5_000 });
    await pass(500);
    assert.deepEqual(logind.raised, [30_000]);
    assert.equal(logind.taken, 0);
    logind.allowedMs = 30_000;
    await pass(500);
    assert.equal(logind.held.size, 1);
  });

  it('is taken anew when it is lost, and let go with the kubelet', async (t) => {
    const { logind, watch, pass } = scene(t);
    await pass(0);
    for (const lock of [...logind.held]) (lock as { release(): void }).release();
    await pass(5_000);
    assert.deepEqual([logind.held.size, logind.taken], [1, 2]);
    watch.close();
    assert.equal(logind.held.size, 0);
  });
});
