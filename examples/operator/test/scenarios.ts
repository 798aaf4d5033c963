/** What the operator must do, told once; each runner has a file that calls it. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigMap } from '@wherry/client';
import { startApiServer, startNode } from '@wherry/testing';
import { sharedLabel, startOperator } from '../src/operator.ts';

const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const shared = (data: Record<string, string>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'colours', namespace: 'default', labels: { [sharedLabel]: 'true' } },
  data,
});
const inTeam = { kind: 'ConfigMap', name: 'colours', namespace: 'team' } as const;

/** Copies follow their source; what somebody changed or left behind is put right. Against an API server: no root. */
export async function followsItsSource(): Promise<void> {
  const begunMs = performance.now();
  await using server = await startApiServer({ manifests: [namespace('team')] });
  console.log(`API server ready after ${Math.round(performance.now() - begunMs)} ms`);
  const { client } = server;
  const operator = startOperator(client);
  try {
    await server.apply(shared({ sky: 'blue' }));
    await server.waitFor(inTeam, ({ data }) => data?.sky === 'blue');
    const before = await server.snapshot();

    await client.patch(inTeam, { data: { sky: 'green' } });
    await server.waitFor(inTeam, ({ data }) => data?.sky === 'blue');
    await server.apply(shared({ sky: 'grey' }));
    await server.waitFor(inTeam, ({ data }) => data?.sky === 'grey');
    await client.delete(shared({}));
    await server.waitFor(inTeam, 'delete');

    await server.restore(before);
    await server.waitFor(inTeam, ({ data }) => data?.sky === 'blue');
  } finally {
    await operator.close();
  }
}

/** A pod in a namespace made later finds the copy. On a node: needs root. */
export async function reachesPods(): Promise<void> {
  const image = mkdtempSync(join(tmpdir(), 'operator-image-'));
  try {
    mkdirSync(join(image, 'bin'));
    cpSync('/bin/busybox', join(image, 'bin/sh'), { dereference: true });
    const begunMs = performance.now();
    await using node = await startNode({ images: [{ name: 'shell:test', from: image }] });
    console.log(`node ready after ${Math.round(performance.now() - begunMs)} ms`);
    const operator = startOperator(node.client);
    try {
      await node.apply([shared({ sky: 'blue' }), namespace('team')]);
      await node.waitFor(inTeam, 'create');
      await node.apply({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'painter', namespace: 'team' },
        spec: {
          terminationGracePeriodSeconds: 0,
          containers: [
            {
              name: 'main',
              image: 'shell:test',
              command: ['sh', '-c', 'exec sleep 1000'],
              envFrom: [{ configMapRef: { name: 'colours' } }],
            },
          ],
        },
      });
      const pod = await node.waitFor({ kind: 'Pod', name: 'painter', namespace: 'team' }, 'Ready');
      const { stdout } = await node.exec(pod, ['sh', '-c', 'echo "the sky is $sky"']);
      assert.equal(stdout, 'the sky is blue\n');
    } finally {
      await operator.close();
    }
  } finally {
    rmSync(image, { recursive: true, force: true });
  }
}

/** Without root there is an API server, and no node. */
export const needsRoot = process.geteuid?.() === 0 ? false : 'a node needs root';
