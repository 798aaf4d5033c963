import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { createCriClient, createCriServer } from '@wherry/cri';
import { RuntimeHealth } from './runtime-health.ts';

test('a runtime that talks much of itself has a bounded part of the node’s status', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'runtime-health-'));
  const endless = 'no'.repeat(1_000_000);
  const failing = (type: string) => ({ type, status: false, reason: endless, message: endless });
  const server = createCriServer({
    runtime: {
      version: async () => ({ runtimeName: endless, runtimeVersion: endless }),
      status: async () => ({
        status: {
          conditions: [
            ...Array(50_000).fill({ type: 'Other' }),
            failing('RuntimeReady'),
            failing('NetworkReady'),
          ],
        },
      }),
    },
    images: {},
  });
  await server.listen(join(folder, 'cri.sock'));
  const client = createCriClient(join(folder, 'cri.sock'));
  const changed = Promise.withResolvers<void>();
  const health = new RuntimeHealth({
    runtime: client.runtime,
    clock: systemClock,
    onChanged: changed.resolve,
  });
  t.after(async () => {
    health.close();
    client.close();
    await server.close(0);
    rmSync(folder, { recursive: true });
  });
  health.start();
  await changed.promise;
  const start = 'container runtime not ready: RuntimeReady=false reason:nono';
  assert.ok(health.problem?.startsWith(start), health.problem?.slice(0, 200));
  assert.match(
    health.networkProblem ?? '',
    /^container runtime network not ready: NetworkReady=false reason:nono/,
  );
  for (const words of [health.problem, health.networkProblem]) {
    assert.match(words ?? '', / message:(?:no)+n?… \(clipped: 2000000 characters\)$/);
    assert.ok((words ?? '').length < 8_400);
  }
  assert.equal(health.view.name.length, 4_096);
  assert.equal(health.view.version.length, 4_096);
});
