import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestNode } from '../../node.ts';
import { makeRoles, type Role } from './roles.ts';
import { besiege } from './siege.ts';
import { apiTemplates, kubeletTemplates } from './templates.ts';

/** How much is sent. */
export interface SiegeSize {
  apiRequests: number;
  kubeletRequests: number;
  seed: number;
}

const settleMs = 20_000;
const pollMs = 500;
/** What stays of a siege: compiled code, and a heap that V8 gives back late. */
const growthMax = 1.5;
const growthMebibytesMax = 60;

/** What no role may change. */
async function protectedState(node: TestNode): Promise<string> {
  const parts = [
    [
      'get',
      'clusterroles,clusterrolebindings,namespaces',
      '-o',
      'jsonpath={range .items[*]}{.kind}/{.metadata.name}/{.rules}{.roleRef}{.subjects}{"\\n"}{end}',
    ],
    [
      'get',
      'secrets,configmaps,pods,serviceaccounts',
      '-n',
      'victim',
      '-o',
      'jsonpath={range .items[*]}{.kind}/{.metadata.name}/{.data}{"\\n"}{end}',
    ],
    [
      'get',
      'roles,rolebindings',
      '-A',
      '-o',
      'jsonpath={range .items[?(@.metadata.namespace!="owned")]}{.kind}/{.metadata.namespace}/{.metadata.name}/{.rules}{.roleRef}{"\\n"}{end}',
    ],
    ['get', 'nodes', '-o', 'jsonpath={range .items[*]}{.metadata.name}{"\\n"}{end}'],
  ];
  return (await Promise.all(parts.map((words) => node.kubectlOk(words)))).join('\n');
}

function pssMebibytes(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
}

/** A running node, besieged; see {@link checkSiege}. */
export interface Besieged {
  node: TestNode;
  roles: Role[];
}

/** Prepares a node. */
export async function prepareSiege(node: TestNode): Promise<Besieged> {
  return { node, roles: await makeRoles(node) };
}

/** Besieges API server and kubelet; fails on a crash, a failure of our own, a rise, a change, or memory that stays. */
export async function checkSiege(
  { node, roles }: Besieged,
  size: SiegeSize,
  log: (line: string) => void,
): Promise<void> {
  const { processes, endpoints } = await node.status();
  const pidOf = (role: string) => processes.find((one) => one.role === role)?.pid ?? 0;
  const pids = { apiserver: pidOf('apiserver'), kubelet: pidOf('kubelet') };
  const before = await protectedState(node);
  // The first requests compile code, which is not given back.
  const shared = { roles, nodeName: node.name };
  const destinationOf = (url: string, authority: string) => {
    const { hostname: host, port } = new URL(url);
    return { host, port: Number(port), ca: readFileSync(join(node.dataDir, 'pki', authority)) };
  };
  const api = { ...shared, destination: destinationOf(endpoints.api, 'ca.crt'), templates: apiTemplates };
  const kubelet = {
    ...{
      ...shared,
      destination: destinationOf(endpoints.kubelet, 'kubelet-ca.crt'),
      templates: kubeletTemplates,
    },
    everythingIsRefused: true,
  };
  const warmUp = Math.min(2_000, size.apiRequests / 4);
  for (const siege of [api, kubelet]) await besiege({ ...siege, count: warmUp, seed: size.seed + 1 });
  const atStart = { apiserver: pssMebibytes(pids.apiserver), kubelet: pssMebibytes(pids.kubelet) };
  const outcomes = [
    await besiege({ ...api, count: size.apiRequests, seed: size.seed }),
    await besiege({ ...kubelet, count: size.kubeletRequests, seed: size.seed }),
  ];
  for (const { counts } of outcomes)
    log(
      [...counts]
        .sort()
        .map(([code, count]) => `${code}: ${count}`)
        .join(', '),
    );
  assert.deepEqual(
    outcomes.flatMap(({ findings }) => findings),
    [],
    `seed ${size.seed}`,
  );
  assert.deepEqual(
    (await node.status()).processes.map(({ pid }) => pid),
    processes.map(({ pid }) => pid),
  );
  assert.equal(await protectedState(node), before, `what no role may change was changed; seed ${size.seed}`);
  const settled = performance.now() + settleMs;
  for (const role of ['apiserver', 'kubelet'] as const) {
    const bound = Math.max(atStart[role] * growthMax, atStart[role] + growthMebibytesMax);
    const now = await memoryBelow(bound, pids[role], settled);
    log(`${role}: ${atStart[role].toFixed(0)} MiB before, ${now.toFixed(0)} MiB after`);
    assert.ok(now < bound, `${role} keeps ${now.toFixed(0)} MiB of ${atStart[role].toFixed(0)}`);
  }
}

/** What a process holds, in MiB, once that is below `bound`, or at the time `deadline`. */
async function memoryBelow(bound: number, pid: number, deadline: number): Promise<number> {
  for (;;) {
    const now = pssMebibytes(pid);
    if (now < bound || performance.now() > deadline) return now;
    await delay(pollMs);
  }
}

/** The seed of this run: named by WHERRY_TEST_SEED, or new; it is printed, so that a run can be repeated. */
export function chooseSeed(log: (line: string) => void): number {
  const seed = Number(process.env['WHERRY_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  log(`seed ${seed} (WHERRY_TEST_SEED=${seed} repeats it)`);
  return seed;
}
