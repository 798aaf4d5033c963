import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { openConnection } from '@wherry/cri/grpc';
import { MetricsRegistry } from '@wherry/telemetry';
import type { PodResourcesListerMethods } from '../../generated/pod-resources.ts';
import { podResourcesRate } from '../../limits.ts';
import { type PodResourcesOptions, PodResourcesServer, podResourcesSchema } from './pod-resources.ts';
import { podResourcesFigures } from './pod-resources-figures.ts';

test('calls of the pod-resources API are counted together and by method, failures by method, refused ones not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pod-resources-'));
  const socketPath = join(folder, 'kubelet.sock');
  const metrics = new MetricsRegistry();
  const server = new PodResourcesServer({
    ...{ socketPath, clock: new FakeClock(), figures: podResourcesFigures(metrics) },
    devices: { allocatable: [] },
    cpus: { allocatable: new Set() },
    memory: { allocatable: [] },
    activePods: () => [],
    find: () => undefined,
  } as unknown as PodResourcesOptions);
  await server.start();
  const connection = openConnection(socketPath, 'kubelet');
  const service = connection.service<PodResourcesListerMethods>(podResourcesSchema, 'PodResourcesLister');
  try {
    await service.getAllocatableResources({});
    await assert.rejects(service.get({ podName: 'none', podNamespace: 'default' }), /not found/);
    for (let call = 2; call < podResourcesRate.burst; call += 1) await service.list({});
    await assert.rejects(service.list({}), /rejected by rate limit/);
  } finally {
    connection.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
  const lists = podResourcesRate.burst - 2;
  const counted = metrics.render().match(/(?<=^kubelet_pod_resources_endpoint_).*\{.*$/gm);
  const v1 = '{server_api_version="v1"}';
  assert.deepEqual(counted, [
    `requests_total${v1} ${podResourcesRate.burst}`,
    `requests_list${v1} ${lists}`,
    `requests_get${v1} 1`,
    `errors_get${v1} 1`,
    `requests_get_allocatable${v1} 1`,
  ]);
});
