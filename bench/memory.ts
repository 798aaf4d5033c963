/**
 * What a node's parts keep of the work that they did, in PSS of their processes:
 *
 *   node bench/memory.ts [--sessions 2000] [--pods 1000] [--gigabytes 10] [--rest-seconds 30]
 *
 * Measured on a fresh node of its own after a rest, right after each kind of work, and after a rest again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createKubeClient } from '@wherry/client';
import { type Footprint, footprintOf, totalOf } from './memory/footprint.ts';
import { putLoad } from './memory/load.ts';
import { MeasuredNode, podManifest } from './node.ts';

const pod = 'target';
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '2000' },
    pods: { type: 'string', default: '1000' },
    gigabytes: { type: 'string', default: '10' },
    'rest-seconds': { type: 'string', default: '30' },
  },
});
const restMs = Number(values['rest-seconds']) * 1000;

const node = await MeasuredNode.start();
const client = createKubeClient({ kubeconfig: node.kubeconfig });
const processes = await node.processes();
const startedMs = performance.now();

function show(what: string): Footprint {
  const footprint = footprintOf(processes);
  const each = [...footprint].map(([role, mebibytes]) => `${role} ${mebibytes.toFixed(0)}`).join(', ');
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(`${seconds.padStart(5)} s  ${what}: ${totalOf(footprint).toFixed(0)} MiB (${each})`);
  return footprint;
}

try {
  await node.request('POST', '/api/v1/namespaces/default/pods', podManifest(pod));
  await node.kubectl(['wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=60s']);
  await sleep(restMs);
  const before = show('before');
  const load = {
    sessions: Number(values.sessions),
    pods: Number(values.pods),
    gigabytes: Number(values.gigabytes),
  };
  await putLoad({ client, pod, manifest: (name) => podManifest(name) }, load, show);
  await sleep(restMs);
  const after = show(`${values['rest-seconds']} s later`);
  console.log(`ratio: ${(totalOf(after) / totalOf(before)).toFixed(2)}`);
} finally {
  client.close();
  await node.close();
}
