/** What a node costs while nothing happens: memory (PSS) and processor time of its processes. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './figure.ts';
import { type MeasuredNode, type NodeProcess, podManifest } from './node.ts';
import { processorShares, sharesText } from './processor-time.ts';

const settleMs = 5_000;
const intervalMs = 30_000;

function pssKib(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
}

const sum = (processes: NodeProcess[], of: (pid: number) => number) =>
  processes.reduce((total, { pid }) => total + of(pid), 0);

async function restingCost(node: MeasuredNode): Promise<{ memory: string; cpu: string; mebibytes: number }> {
  await sleep(settleMs);
  const processes = await node.processes();
  const shares = await processorShares(processes, intervalMs);
  const mebibytes = sum(processes, pssKib) / 1024;
  const each = processes.map(({ role, pid }) => `${role} ${(pssKib(pid) / 1024).toFixed(0)}`).join(', ');
  return {
    memory: `${mebibytes.toFixed(0)} MiB (${each})`,
    cpu: sharesText(shares),
    mebibytes,
  };
}

export async function measureRest(node: MeasuredNode): Promise<Figure[]> {
  const idle = await restingCost(node);
  const names = Array.from({ length: 100 }, (_, index) => `idle-${index}`);
  const pods = '/api/v1/namespaces/default/pods';
  await Promise.all(names.map((name) => node.request('POST', pods, podManifest(name))));
  await node.kubectl(['wait', '--for=condition=Ready', 'pods', '--all', '--timeout=120s']);
  const busy = await restingCost(node);
  const perPod = ((busy.mebibytes - idle.mebibytes) / names.length).toFixed(2);
  await node.kubectl(['delete', 'pods', '--all', '--grace-period=0', '--force']);
  return [
    {
      name: 'memory of all parts at rest (PSS)',
      value: idle.memory,
      upstream: '677 MiB (apiserver 286, kcm 118, kubelet 90, scheduler 67, containerd 67, etcd 50)',
      aim: '≤ 150 MiB',
    },
    { name: 'CPU of all parts at rest, no pods', value: idle.cpu, upstream: '3.3 % of a core', aim: '≤ 1 %' },
    {
      name: 'the same with 100 idle pods',
      value: `${busy.cpu}; ${busy.memory}, ${perPod} MiB per pod`,
      upstream: '15.3 %; 883 MiB and 5.3 MiB more per pod for its shim',
      aim: '≤ 2 %; < 1 MiB per pod',
    },
  ];
}
