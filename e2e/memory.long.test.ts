/** What the parts of a node keep of a busy while, once it is over: little. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKubeClient } from '@wherry/client';
import { type Footprint, footprintOf, openFilesOf, totalOf } from '../bench/memory/footprint.ts';
import { putLoad } from '../bench/memory/load.ts';
import { podOf, TestNode } from './node.ts';

const load = { sessions: 300, pods: 60, gigabytes: 1 };
const restMs = 30_000;
const ratioMax = 1.3;
const fileGrowthMax = 20;
const timeoutMs = 840_000;
const pod = 'target';

it('a node at rest after much work uses about what it used before', { timeout: timeoutMs }, async (t) => {
  const node = await TestNode.start('memory');
  const client = createKubeClient({ kubeconfig: node.kubeconfig });
  const show = (what: string, footprint: Footprint) => {
    const each = [...footprint].map(([role, mebibytes]) => `${role} ${mebibytes.toFixed(0)}`).join(', ');
    t.diagnostic(`${what}: ${totalOf(footprint).toFixed(0)} MiB (${each})`);
    return footprint;
  };
  try {
    await node.apply(podOf(pod));
    const processes = (await node.status()).processes.map(({ role, pid }) => ({ role, pid: pid ?? 0 }));
    await sleep(restMs);
    const files = openFilesOf(processes);
    const before = show('before', footprintOf(processes));
    await putLoad({ client, pod, manifest: (name) => podOf(name) }, load, (what) =>
      show(what, footprintOf(processes)),
    );
    await sleep(restMs);
    const after = show('after a rest', footprintOf(processes));
    const ratio = totalOf(after) / totalOf(before);
    assert.ok(ratio <= ratioMax, `memory at rest is ${ratio.toFixed(2)} times what it was`);
    for (const [role, count] of openFilesOf(processes)) {
      const growth = count - (files.get(role) ?? 0);
      assert.ok(growth <= fileGrowthMax, `${role} holds ${growth} more files open`);
    }
  } finally {
    client.close();
    await node.remove();
  }
});
