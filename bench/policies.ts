/**
 * What network policies cost with many of them: all at once, one change, and a connection's first packet.
 *
 *   unshare --net node bench/policies.ts [POLICIES] [PODS]
 *
 * Needs root. All happens in a network namespace of its own, whose loopback stands for the bridge: what arrives there
 * from a pod's address is judged as going out of that pod.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { NetworkPolicySpec, Pod } from '@wherry/kubeapi';
import { podFactsOf } from '../packages/network-policy/src/objects/pod-facts.ts';
import { policyFactsOf } from '../packages/network-policy/src/objects/policy-facts.ts';
import { PolicyPlan } from '../packages/network-policy/src/plan/policy-plan.ts';
import { KernelTable } from '../packages/network-policy/src/table/kernel-table.ts';
import { percentile } from './statistics.ts';

const [policies = 500, pods = 1_000] = process.argv.slice(2).map(Number);
const turns = 50;
const namespaces = 10;
const port = 8080;
const bridgeName = 'lo';

execFileSync('ip', ['link', 'set', 'lo', 'up']);
execFileSync('ip', ['address', 'add', '10.88.0.0/16', 'dev', 'lo']);
const server = createServer((socket) => socket.destroy()).listen(port, '0.0.0.0');
await once(server, 'listening');

const app = (number: number) => ({ matchLabels: { app: `app-${number}` } });
const addressOf = (index: number) => `10.88.${index >> 8}.${index & 0xff}`;
const namespaceOf = (number: number) => `space-${number % namespaces}`;
const apps = Math.max(1, Math.floor(pods / 2));
const pod = (index: number): Pod => ({
  metadata: {
    name: `${index}`,
    namespace: namespaceOf(index % apps),
    labels: { app: `app-${index % apps}` },
  },
  spec: { nodeName: 'bench', containers: [{ name: 'main', ports: [{ name: 'http', containerPort: port }] }] },
  status: { phase: 'Running', podIP: addressOf(index + 1) },
});
/** Two neighbours by label, a namespace and a block come in; the same go out. */
const specOf = (number: number, podSelector: object): NetworkPolicySpec => {
  const peers = [
    { podSelector: app((number + namespaces) % apps) },
    { podSelector: app((number + 2 * namespaces) % apps) },
    { namespaceSelector: { matchLabels: { team: `team-${number % 3}` } } },
    { ipBlock: { cidr: '10.88.0.0/16', except: [`10.88.${number & 0x7f}.0/30`] } },
  ];
  const ports = [{ port }, { port: 'http' }, { port: 9000, endPort: 9100 }];
  return {
    podSelector,
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: peers, ports }],
    egress: [{ to: peers, ports }],
  };
};

/** A plan and the kernel's table that follows it. */
class Bench {
  readonly #plan = new PolicyPlan({ family: 'ip', bridgeName, dns: undefined });
  readonly #table: KernelTable;

  constructor(table: string) {
    this.#table = new KernelTable({ family: 'ip', table, bridgeName, dns: undefined });
    for (let at = 0; at < namespaces; at++) this.namespace(at, at % 3);
  }

  async open(): Promise<void> {
    this.#plan.wanted.assume(await this.#table.settle());
  }

  namespace(number: number, team: number): void {
    this.#plan.setNamespace(namespaceOf(number), { team: `team-${team}` });
  }

  pod(index: number, isThere = true): void {
    this.#plan.setPod(`${index}`, isThere ? podFactsOf(pod(index), 'bench', 'ip') : undefined);
  }

  policy(number: number, podSelector: object | undefined, rules = number): void {
    const metadata = { name: `policy-${number}`, namespace: namespaceOf(number) };
    const spec = podSelector && specOf(rules, podSelector);
    this.#plan.setPolicy(`${number}`, spec && policyFactsOf({ metadata, spec }, 'ip'));
  }

  /** Milliseconds from what `change` says to the kernel's rules. */
  measure(change: () => void): number {
    const startedMs = performance.now();
    change();
    this.#plan.settle();
    this.#table.apply(this.#plan.wanted);
    return performance.now() - startedMs;
  }

  /** The median of many. */
  often(change: (turn: number) => void): number {
    return percentile(
      Array.from({ length: turns }, (_, turn) => this.measure(() => change(turn))),
      0.5,
    );
  }
}

async function connectMs(from: number, to: number): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < turns * 8; turn++) {
    const startedMs = performance.now();
    const socket = connect({ host: addressOf(to + 1), port, localAddress: addressOf(from + 1) });
    await once(socket, 'connect');
    times.push(performance.now() - startedMs);
    socket.destroy();
  }
  return percentile(times, 0.5);
}

const show = (what: string, ms: number) => console.log(`| ${what} | ${ms.toFixed(2)} ms |`);
const neighbour = namespaces % apps;

async function scene(name: string, selectorOf: (number: number) => object): Promise<void> {
  const table = 'policies-bench';
  const bench = new Bench(table);
  await bench.open();
  console.log(`\n| ${policies} policies, ${pods} pods: ${name} | median |\n| --- | --- |`);
  show(
    'the pods, without policies',
    bench.measure(() => {
      for (let index = 0; index < pods; index++) bench.pod(index);
    }),
  );
  show('a connection without policies', await connectMs(0, neighbour));
  bench.measure(() => bench.policy(0, selectorOf(0)));
  show('a connection under one policy', await connectMs(0, neighbour));
  show(
    'all policies at once',
    bench.measure(() => {
      for (let number = 1; number < policies; number++) bench.policy(number, selectorOf(number));
    }),
  );
  show('a connection under all', await connectMs(0, neighbour));
  show(
    'a pod comes or goes',
    bench.often((turn) => bench.pod(pods, turn % 2 === 0)),
  );
  show(
    'a policy comes or goes',
    bench.often((turn) => bench.policy(policies, turn % 2 === 0 ? selectorOf(policies) : undefined)),
  );
  show(
    'a policy allows something else',
    bench.often((turn) => bench.policy(1, selectorOf(1), turn % 2)),
  );
  show(
    'a namespace has other labels',
    bench.often((turn) => bench.namespace(1, turn % 3)),
  );
  const again = new Bench(table);
  for (let index = 0; index < pods; index++) again.pod(index);
  for (let number = 0; number < policies; number++) again.policy(number, selectorOf(number));
  const startedMs = performance.now();
  await again.open();
  again.measure(() => {});
  show('another process takes the table over', performance.now() - startedMs);
  execFileSync('nft', ['delete', 'table', 'ip', table]);
}

await scene('each selects two pods', (number) => app(number));
await scene('each selects all of its namespace', () => ({}));
server.close();
