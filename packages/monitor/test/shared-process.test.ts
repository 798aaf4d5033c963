/** A monitor inside a process that has other work: who embeds one starts children of his own there. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { startMonitor } from '../src/index.ts';
import { limits } from '../src/limits.ts';
import { until } from './harness.ts';

const isZombie = (pid: number) => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));

test('children that others start in its process are not reaped: their ends reach who waits for them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-monitor-'));
  const clock = new FakeClock();
  const places = { dataDir: join(folder, 'data'), socketPath: join(folder, 'monitor.sock') };
  const monitor = await startMonitor({ ...places, clock, logger: silentLogger });
  t.after(async () => {
    await monitor.close();
    rmSync(folder, { recursive: true });
  });
  const child = spawn('true', { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // The event loop stands still: the child has ended, and libuv has not looked yet.
  const deadlineMs = performance.now() + 10_000;
  while (!isZombie(child.pid!)) assert.ok(performance.now() < deadlineMs);
  clock.advance(limits.orphanSweepMs);
  assert.equal(await ended, 0);
  await until(() => child.exitCode === 0);
});
