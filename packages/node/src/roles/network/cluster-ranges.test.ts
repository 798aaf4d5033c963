import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createKubeClient, type KubeClient, kinds } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { runApiServer } from '../../in-process/run-api-server.ts';
import { nodeRanges, serviceRanges } from './cluster-ranges.ts';

const folder = mkdtempSync(join(tmpdir(), 'cluster-ranges-'));
let server: Awaited<ReturnType<typeof runApiServer>>;
let client: KubeClient;
before(async () => {
  server = await runApiServer({ folder, name: 'ranges', controllers: [] });
  client = createKubeClient({ kubeconfig: server.kubeconfig });
});
after(async () => {
  client?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the ranges of services are those of the server’s own ServiceCIDR, whatever was added', async () => {
  const spec = { cidrs: ['10.11.0.0/24'] };
  await client.resource(kinds.serviceCIDRs).create({ metadata: { name: 'added' }, spec });
  const asking = { client, clock: systemClock, logger: silentLogger };
  assert.deepEqual(await serviceRanges(asking), ['10.96.0.0/16']);
});

test('the ranges of a node’s pods are waited for until it has some', { timeout: 30_000 }, async () => {
  const nodes = client.resource(kinds.nodes);
  const found = nodeRanges({ client, clock: systemClock, logger: silentLogger }, 'late');
  await nodes.create({ metadata: { name: 'late' } });
  const spec = { podCIDR: '10.244.3.0/24', podCIDRs: ['10.244.3.0/24'] };
  await nodes.patch({ name: 'late', type: 'merge', patch: { spec } });
  assert.deepEqual(await found, ['10.244.3.0/24']);
  const given = nodeRanges(
    { client, clock: systemClock, logger: silentLogger, signal: AbortSignal.timeout(100) },
    'never',
  );
  await assert.rejects(given, { name: 'TimeoutError' });
});
