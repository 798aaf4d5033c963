/** What the parts of a node take at rest, and what they keep of a busy while, once it is over: little. */
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
/**
 * MiB of PSS of each part on a fresh node with one pod. Measured in November 2026 for the demo's three pods: API server 56,
 * controllers 49, kubelet 48, runtime 41, network 33 and monitor 29 to 34; the rest is room for another machine's pages.
 */
const mebibytesMax = new Map([
  ['apiserver', 62],
  ['controllers', 56],
  ['kubelet', 54],
  ['runtime', 48],
  ['network', 42],
  ['monitor', 38],
]);
const allMebibytesMax = 280;
/** Connections at rest are kept for two minutes: eight by each client, sixteen by the API server to the kubelet. */
const fileGrowthMax = 48;
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
    assert.deepEqual([...before.keys()].sort(), [...mebibytesMax.keys()].sort());
    for (const [role, mebibytes] of before) {
      const most = mebibytesMax.get(role) ?? 0;
      assert.ok(
        mebibytes <= most,
        `${role} takes ${mebibytes.toFixed(1)} MiB on a fresh node, more than ${most}`,
      );
    }
    assert.ok(
      totalOf(before) <= allMebibytesMax,
      `the parts take ${totalOf(before).toFixed(0)} MiB together`,
    );
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
