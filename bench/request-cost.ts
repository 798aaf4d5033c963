/**
 * What requests cost the API server of this tree and of another, in processor time, turn by turn:
 *
 *   node bench/request-cost.ts TREE [--turns N]
 *
 * Processor time moves less than wall time with what else the machine does; the ratio is the median of the pairs.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TestServer } from '../packages/apiserver/test/test-server.ts';

const collection = '/api/v1/namespaces/default/configmaps';
const parallel = 16;
const callsPerTurn = 320;
const warmUpTurns = 3;
const mergePatch = 'application/merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';

interface Access {
  url: string;
  ca: string;
  cert: string;
  key: string;
}

const configMap = (name: string, note = '') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { group: '1' }, ...(note ? { annotations: { note } } : {}) },
  data: { padding: 'x'.repeat(900) },
});

/** The server of one tree, in a process of its own. */
class Peer {
  readonly tree: string;
  readonly #child: ChildProcess;
  #access!: Access;
  #agent!: Agent;

  constructor(tree: string) {
    this.tree = tree;
    this.#child = fork(import.meta.filename, ['serve', tree]);
  }

  async ready(): Promise<this> {
    [this.#access] = (await once(this.#child, 'message')) as [Access];
    const { ca, cert, key } = this.#access;
    this.#agent = new Agent({ ca, cert, key, keepAlive: true, maxSockets: parallel });
    return this;
  }

  async processorMs(): Promise<number> {
    this.#child.send('cost');
    const [ms] = (await once(this.#child, 'message')) as [number];
    return ms;
  }

  async call(method: string, path: string, body?: object, type = 'application/json'): Promise<void> {
    const payload = body && JSON.stringify(body);
    const headers = payload ? { 'content-type': type, 'content-length': Buffer.byteLength(payload) } : {};
    const { promise, resolve: done, reject } = Promise.withResolvers<void>();
    request(`${this.#access.url}${path}`, { method, agent: this.#agent, headers }, (response) => {
      const { statusCode = 500 } = response;
      response.resume();
      response.once('end', () =>
        statusCode < 300 ? done() : reject(new Error(`${method} ${path}: ${statusCode}`)),
      );
    })
      .on('error', reject)
      .end(payload);
    return promise;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }
}

type Measure = (peer: Peer, turn: number, index: number) => Promise<void>;

const measures: Readonly<Record<string, Measure>> = {
  create: (peer, turn, index) => peer.call('POST', collection, configMap(`o-${turn}-${index}`)),
  'merge patch': (peer, turn, index) =>
    peer.call(
      'PATCH',
      `${collection}/o-${turn}-${index}`,
      { metadata: { annotations: { round: String(turn) } } },
      mergePatch,
    ),
  update: (peer, turn, index) =>
    peer.call('PUT', `${collection}/o-${turn}-${index}`, configMap(`o-${turn}-${index}`, 'put')),
  apply: (peer, turn, index) =>
    peer.call(
      'PATCH',
      `${collection}/o-${turn}-${index}?fieldManager=bench&force=true`,
      configMap(`o-${turn}-${index}`, 'applied'),
      applyPatch,
    ),
  get: (peer, turn, index) => peer.call('GET', `${collection}/o-${turn}-${index}`),
  delete: (peer, turn, index) => peer.call('DELETE', `${collection}/o-${turn}-${index}`),
};

/** Microseconds of processor time of one call. */
async function costOf(peer: Peer, measure: Measure, turn: number): Promise<number> {
  const before = await peer.processorMs();
  let next = 0;
  const work = async () => {
    while (next < callsPerTurn) await measure(peer, turn, next++);
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return (((await peer.processorMs()) - before) * 1_000) / callsPerTurn;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

async function serve(tree: string): Promise<void> {
  const { TestServer: Server } = (await import(join(tree, 'packages/apiserver/test/test-server.ts'))) as {
    TestServer: { start(): Promise<TestServer> };
  };
  const server = await Server.start();
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1_000);
  });
  const { authority, admin, apiserver } = server;
  process.send?.({ url: apiserver.url, ca: authority.cert, ...admin } satisfies Access);
  await once(process, 'disconnect');
  await server.close();
}

async function compare(trees: readonly string[], turns: number): Promise<void> {
  const peers = await Promise.all(trees.map((tree) => new Peer(tree).ready()));
  const costs = new Map(Object.keys(measures).map((name) => [name, peers.map((): number[] => [])]));
  for (let turn = 0; turn < turns + warmUpTurns; turn += 1) {
    for (const [name, measure] of Object.entries(measures)) {
      const order = turn % 2 === 0 ? peers : peers.toReversed();
      for (const peer of order) {
        const cost = await costOf(peer, measure, turn);
        if (turn >= warmUpTurns) costs.get(name)![peers.indexOf(peer)]!.push(cost);
      }
    }
  }
  console.log(`| processor time of one request | ${trees.join(' | ')} | ratio: median (least–greatest) |`);
  console.log(`| --- |${' --- |'.repeat(trees.length + 1)}`);
  for (const [name, [theirs = [], ours = []]] of costs) {
    const ratios = ours.map((cost, at) => cost / theirs[at]!).toSorted((a, b) => a - b);
    const shown = [theirs, ours].map((all) => `${median(all).toFixed(0)} µs`);
    const spread = `${ratios[0]!.toFixed(2)}–${ratios.at(-1)!.toFixed(2)}`;
    console.log(`| ${name} | ${shown.join(' | ')} | ${median(ratios).toFixed(2)} (${spread}) |`);
  }
  for (const peer of peers) await peer.close();
}

const { positionals, values } = parseArgs({
  options: { turns: { type: 'string', default: '7' } },
  allowPositionals: true,
});
if (positionals[0] === 'serve') await serve(positionals[1]!);
else {
  const [other] = positionals;
  if (other === undefined)
    throw new Error('name the folder of the other tree: node bench/request-cost.ts TREE');
  await compare([resolve(other), join(import.meta.dirname, '..')], Number(values.turns));
}
