import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { systemClock } from '@wherry/clock';
import { FakeLogind, withoutLogind } from '../../../test/fake-logind.ts';
import { LogindTools } from './logind-tools.ts';

describe('logind by its tools', { skip: withoutLogind() }, () => {
  const signal = new AbortController().signal;

  it('holds a lock until it is released, and tells of shutdowns that logind itself announces', async () => {
    await using logind = await FakeLogind.start({ delaySeconds: 5 });
    const tools = new LogindTools({ clock: systemClock, environment: logind.environment });
    const stop = new AbortController();
    const announcements = (await tools.watch(stop.signal))[Symbol.asyncIterator]();
    const lock = await tools.inhibit(signal);
    assert.ok(logind.lines.includes('locked shutdown kubelet delay'));
    const emit = [
      'emit',
      '/org/freedesktop/login1',
      'org.freedesktop.login1.Manager',
      'PrepareForShutdown',
      'b',
    ];
    execFileSync('busctl', ['--system', ...emit, 'false'], { env: logind.environment });
    assert.equal(await tools.isShuttingDown(signal), false);
    logind.announce('shutdown');
    assert.deepEqual(await announcements.next(), { done: false, value: true });
    assert.equal(await tools.isShuttingDown(signal), true);
    logind.announce('cancel');
    assert.deepEqual(await announcements.next(), { done: false, value: false });
    lock.release();
    await Promise.all([lock.gone, logind.said(/^released, 0 left$/)]);
    stop.abort();
    assert.equal((await announcements.next()).done, true);
  });

  it('has logind allow a longer delay by a file of its configuration', async () => {
    await using logind = await FakeLogind.start({ delaySeconds: 5 });
    const tools = new LogindTools({
      clock: systemClock,
      environment: logind.environment,
      configDir: logind.folder,
    });
    assert.equal(await tools.inhibitDelayMs(signal), 5_000);
    await tools.raiseInhibitDelay(30_000, signal);
    assert.equal(await tools.inhibitDelayMs(signal), 30_000);
    assert.ok(logind.lines.includes('reload systemd-logind.service all'));
    assert.match(await readFile(join(logind.folder, '99-kubelet.conf'), 'utf8'), /^\[Login\]\nInhibitDelay/m);
  });

  it('says what it misses where there is no bus', async () => {
    const environment = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nowhere/bus' };
    const tools = new LogindTools({ clock: systemClock, environment });
    await assert.rejects(tools.inhibitDelayMs(signal), /busctl.*No such file or directory/s);
    await assert.rejects(tools.inhibit(signal), /systemd-inhibit ended with exit code 1: .*No such file/s);
    await assert.rejects(tools.watch(signal), /busctl ended with exit code 1: .*No such file/s);
  });
});
