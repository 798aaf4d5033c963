import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, FakeClock, systemClock } from '@wherry/clock';
import { TestServer } from '../../test/test-server.ts';

const path = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
const halfHourMs = 1_800_000;

describe('the config map that says since when tokens in secrets are tracked', { concurrency: false }, () => {
  const tracked = new FakeClock({ nowMs: Date.now() });
  // All else goes by the machine's time.
  const clock: Clock = {
    nowMs: () => systemClock.nowMs(),
    monotonicMs: () => tracked.monotonicMs(),
    after: (delayMs, call) =>
      delayMs > halfHourMs / 2 && delayMs <= halfHourMs
        ? tracked.after(delayMs, call)
        : systemClock.after(delayMs, call),
  };
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ clock });
  });
  after(() => server.close());

  const since = async (): Promise<string | undefined> =>
    (await server.request('GET', path)).body?.data?.since;
  const today = () => new Date().toISOString().slice(0, 10);
  async function becomes(wanted: () => string | undefined): Promise<void> {
    const deadlineMs = performance.now() + 20_000;
    while ((await since()) !== wanted()) {
      if (performance.now() > deadlineMs) assert.equal(await since(), wanted());
      await delay(20);
    }
  }
  const patch = (data: object) =>
    server.request('PATCH', path, { body: { data }, type: 'application/merge-patch+json' });

  it('is there from the start', async () => {
    assert.equal(await since(), today());
  });

  it('keeps a day that is there, and gets one where none is said', async () => {
    await patch({ since: '2024-02-29' });
    await delay(100);
    assert.equal(await since(), '2024-02-29');
    await patch({ since: '2025-02-29', kept: 'x' });
    await becomes(today);
    assert.equal((await server.request('GET', path)).body.data.kept, 'x');
    await patch({ since: null });
    await becomes(today);
  });

  it('is made again when it was deleted, but not twice in half an hour', async () => {
    await server.request('DELETE', path);
    await delay(200);
    assert.equal(await since(), undefined);
    tracked.advance(halfHourMs);
    await becomes(today);
  });
});
