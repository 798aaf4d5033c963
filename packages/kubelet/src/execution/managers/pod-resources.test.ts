import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type GrpcConnection, openConnection } from '@wherry/cri/grpc';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import type { PodResourcesListerMethods } from '../../generated/pod-resources.ts';
import type * as old from '../../generated/pod-resources-v1alpha1.ts';
import { podResourcesRate } from '../../limits.ts';
import {
  oldSchema,
  type PodResourcesOptions,
  PodResourcesServer,
  podResourcesSchema,
} from './pod-resources.ts';
import { podResourcesFigures } from './pod-resources-figures.ts';

/** A server of these pods, and what a program on the machine asks it. */
async function serve(
  options: Partial<PodResourcesOptions>,
  ask: (connection: GrpcConnection) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pod-resources-'));
  const socketPath = join(folder, 'kubelet.sock');
  const server = new PodResourcesServer({
    ...{ socketPath, clock: new FakeClock(), figures: podResourcesFigures(new MetricsRegistry()) },
    devices: { allocatable: [], grantsOf: () => [] },
    cpus: { allocatable: new Set(), exclusiveOf: () => undefined },
    memory: { allocatable: [], blocksOf: () => [] },
    claims: { dynamicResourcesOf: () => [] },
    ...{ listsActive: true, allPods: () => [], activePods: () => [], find: () => undefined },
    ...options,
  } as unknown as PodResourcesOptions);
  await server.start();
  const connection = openConnection(socketPath, 'kubelet');
  try {
    await ask(connection);
  } finally {
    connection.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

test('calls of the pod-resources API are counted together and by method, failures by method, refused ones not', async () => {
  const metrics = new MetricsRegistry();
  await serve({ figures: podResourcesFigures(metrics) }, async (connection) => {
    const service = connection.service<PodResourcesListerMethods>(podResourcesSchema, 'PodResourcesLister');
    await service.getAllocatableResources({});
    await assert.rejects(service.get({ podName: 'none', podNamespace: 'default' }), /not found/);
    for (let call = 3; call < podResourcesRate.burst; call += 1) await service.list({});
    await connection.service<old.PodResourcesListerMethods>(oldSchema, 'PodResourcesLister').list({});
    await assert.rejects(service.list({}), /rejected by rate limit/);
  });
  const lists = podResourcesRate.burst - 3;
  const counted = metrics.render().match(/(?<=^kubelet_pod_resources_endpoint_).*\{.*$/gm);
  const v1 = '{server_api_version="v1"}';
  assert.deepEqual(counted, [
    `requests_total${v1} ${podResourcesRate.burst - 1}`,
    'requests_total{server_api_version="v1alpha1"} 1',
    `requests_list${v1} ${lists}`,
    `requests_get${v1} 1`,
    `errors_get${v1} 1`,
    `requests_get_allocatable${v1} 1`,
  ]);
});

test('lists tell of active pods, those of v1alpha1 of all, and v1 too once its gate is switched off', async () => {
  const sidecar = { ...container('s'), restartPolicy: 'Always' as const };
  const [ended, active] = ['ended', 'active'].map((name) => ({
    ...pod({ containers: [container('a')], initContainers: [sidecar] }),
    metadata: { name, namespace: 'default', uid: name },
  }));
  assert.ok(ended && active);
  for (const listsActive of [true, false])
    await serve(
      { listsActive, allPods: () => [ended, active], activePods: () => [active] },
      async (connection) => {
        const names = async (schema: typeof podResourcesSchema) => {
          const service = connection.service<old.PodResourcesListerMethods>(schema, 'PodResourcesLister');
          const { podResources } = await service.list({});
          return podResources.map(({ name, containers }) => [name, ...containers.map(({ name }) => name)]);
        };
        const inV1 = ['ended', 'active'].map((name) => [name, 's', 'a']);
        assert.deepEqual(await names(podResourcesSchema), listsActive ? inV1.slice(1) : inV1);
        assert.deepEqual(await names(oldSchema), [
          ['ended', 'a'],
          ['active', 'a'],
        ]);
      },
    );
});
