import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { FakeClock, systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { NetworkPages } from './network-pages.ts';

async function takenPort(t: TestContext) {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    free: () => new Promise((done) => server.close(done)),
  };
}

async function freePort(t: TestContext): Promise<number> {
  const { port, free } = await takenPort(t);
  await free();
  return port;
}

const health = { lastUpdated: 'now', currentTime: 'now', healthy: true, status: {} };

/** Asks until somebody answers. */
async function ask(url: string): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await fetch(url);
    } catch (error) {
      if (attempt > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

test('kube-proxy’s pages are served at its two addresses', async (t) => {
  const pages = new NetworkPages({ clock: systemClock, logger: silentLogger });
  t.after(() => pages.close());
  const [healthPort, metricsPort] = [await freePort(t), await freePort(t)];
  const now = { isHealthy: true, isEligible: true };
  pages.serve(
    {
      ...{ healthzBindAddress: `127.0.0.1:${healthPort}`, metricsBindAddress: `127.0.0.1:${metricsPort}` },
      flags: { 'hostname-override': 'play' },
    },
    { health: () => ({ ...health, healthy: now.isHealthy }), isNodeEligible: () => now.isEligible },
  );
  const at = (path: string) => ask(`http://127.0.0.1:${healthPort}${path}`);
  const codes = async () => [(await at('/healthz')).status, (await at('/livez')).status];
  assert.deepEqual(await codes(), [200, 200]);
  assert.deepEqual(await (await at('/healthz')).json(), { ...health, nodeEligible: true });
  assert.deepEqual(await (await at('/livez')).json(), health);
  now.isEligible = false;
  assert.deepEqual(await codes(), [503, 200], 'a node that an autoscaler takes away');
  now.isHealthy = false;
  assert.deepEqual(await codes(), [503, 503]);
  assert.equal((await at('/metrics')).status, 404);
  const told = async (path: string) => (await ask(`http://127.0.0.1:${metricsPort}${path}`)).text();
  assert.equal(await told('/proxyMode'), 'nftables');
  assert.equal(await told('/healthz'), 'ok');
  assert.match(await told('/flagz'), /\nkube-proxy flagz\n.*\nhostname-override=play\n/s);
  assert.match(await told('/statusz'), /kube-proxy statusz/);
  const odd = await fetch(`http://127.0.0.1:${metricsPort}/statusz`, { headers: { accept: 'image/png' } });
  assert.equal(odd.status, 406);
  const metrics = await told('/metrics');
  assert.match(metrics, /\nkubeproxy_proxy_healthz_total\{code="503"\} 2\n/);
  assert.match(metrics, /\nkubeproxy_proxy_livez_total\{code="200"\} 3\n/);
});

test('an address that somebody else has is tried again until it is free', async (t) => {
  const clock = new FakeClock();
  const pages = new NetworkPages({ clock, logger: silentLogger });
  t.after(() => pages.close());
  const { port, free } = await takenPort(t);
  pages.serve(
    { healthzBindAddress: `127.0.0.1:${port}`, metricsBindAddress: '' },
    { health: () => health, isNodeEligible: () => true },
  );
  assert.equal(
    await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(200) }).catch(
      () => undefined,
    ),
    undefined,
  );
  await free();
  await clock.advanceAsync(5_000);
  assert.equal((await ask(`http://127.0.0.1:${port}/healthz`)).status, 200);
});

test('with bindAddressHardFail an address that somebody else has is the end', async (t) => {
  const pages = new NetworkPages({ clock: systemClock, logger: silentLogger });
  t.after(() => pages.close());
  const { port } = await takenPort(t);
  pages.serve(
    { healthzBindAddress: `127.0.0.1:${port}`, bindAddressHardFail: true },
    { health: () => health, isNodeEligible: () => true },
  );
  assert.match((await pages.failed).message, new RegExp(`^127\\.0\\.0\\.1:${port} cannot be had$`));
});
