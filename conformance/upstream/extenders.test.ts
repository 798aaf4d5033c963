/** A scheduler extender in Go beside kube-scheduler and beside ours, on one API server: what it is asked, and what becomes of pods by it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { eventually, wherryEntry } from '../../e2e/node.ts';
import { kinds } from '../../packages/client/src/index.ts';
import type { Pod } from '../../packages/kubeapi/src/index.ts';
import { startApiServer, type TestCluster } from '../../packages/testing/src/index.ts';
import { buildUpstream } from './build.ts';

interface Asked {
  verb: string;
  request: Record<string, unknown>;
}

/** What becomes of pods, and the questions about each, by their names. */
interface Outcome {
  nodes: Record<string, string>;
  messages: Record<string, string>;
  questions: Record<string, string[]>;
}

const folder = mkdtempSync(join(tmpdir(), 'wherry-extenders-'));
const nodeNames = ['n0', 'n1', 'n2', 'n3'];
let cluster: TestCluster;
let kubeScheduler: string;
let extender: string;

const resource = (type: (typeof kinds)[keyof typeof kinds]) =>
  cluster.client.resource(type as never) as never as {
    create(object: object, options?: object): Promise<unknown>;
    delete(options: object): Promise<unknown>;
  };

before(async () => {
  [kubeScheduler, extender] = await Promise.all([
    buildUpstream('kube-scheduler'),
    buildUpstream('scheduler-extender'),
  ]);
  const controllers = [
    '*',
    '-kube-scheduler',
    '-node-lifecycle-controller',
    '-pod-garbage-collector-controller',
  ];
  cluster = await startApiServer({ controllers });
  for (const name of nodeNames) {
    const metadata = { name, labels: { 'kubernetes.io/hostname': name } };
    await resource(kinds.nodes).create({ apiVersion: 'v1', kind: 'Node', metadata, spec: {} });
    const conditions = [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Made',
        message: '',
        lastHeartbeatTime: null,
        lastTransitionTime: null,
      },
    ];
    const amounts = { cpu: '4', memory: '8Gi', pods: '110' };
    const status = { conditions, allocatable: amounts, capacity: amounts };
    await cluster.client
      .resource(kinds.nodes)
      .patch({ name, type: 'merge', subresource: 'status', patch: { status } });
    // Who has told nothing of itself is given taints at first.
    await cluster.client
      .resource(kinds.nodes)
      .patch({ name, type: 'merge', patch: { spec: { taints: null } } });
  }
  await resource(kinds.priorityClasses).create({
    ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' },
    ...{ metadata: { name: 'urgent' }, value: 1000 },
  });
});
after(async () => {
  await cluster?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that is ended with the test. */
function running(command: string, words: string[]) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-20_000);
  });
  return {
    child: child as ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> },
    said: () => said,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** Pods by the labels that the extender goes by, one after the other; a pod that is there already comes before. */
const stories: Record<string, { labels: Record<string, string>; spec?: object }> = {
  liked: { labels: { like: 'n2' } },
  avoiding: { labels: { avoid: 'n0.n1', like: 'n3' } },
  'left-out': { labels: { avoid: 'n0.n1', never: 'n2.n3' } },
  hopeless: { labels: { never: 'n0.n1.n2.n3' } },
  'filter-fails': { labels: { break: 'filter' } },
  'filter-tells': { labels: { told: 'no-more-today' } },
  'ranking-fails': { labels: { break: 'prioritize', avoid: 'n0.n1.n2' } },
  'binding-fails': { labels: { break: 'bind', like: 'n1' } },
  urgent: {
    labels: { room: 'n1', like: 'n1' },
    spec: {
      priorityClassName: 'urgent',
      containers: [{ name: 'main', image: 'none', resources: { requests: { cpu: '3500m' } } }],
    },
  },
};
const bound = ['liked', 'avoiding', 'ranking-fails', 'urgent'];

function podOf(name: string, namespace: string, labels: Record<string, string>, spec: object): object {
  const container = { name: 'main', image: 'none', resources: { requests: { cpu: '10m', memory: '1Mi' } } };
  const metadata = { name, namespace, labels };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { containers: [container], terminationGracePeriodSeconds: 0, ...spec },
  };
}

async function tell(by: 'upstream' | 'ours', nodeCacheCapable: boolean): Promise<Outcome> {
  const namespace = `${by}-${nodeCacheCapable}`;
  await resource(kinds.namespaces).create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  const kubeconfig = cluster.kubeconfig.path;
  await using served = running(extender, [kubeconfig]);
  const lines = createInterface({ input: served.child.stdout });
  const asked: Asked[] = [];
  const address = Promise.withResolvers<string>();
  lines.on('line', (line) => (line.startsWith('{') ? asked.push(JSON.parse(line)) : address.resolve(line)));
  const config = join(folder, `${namespace}.yaml`);
  const verbs = {
    filterVerb: 'filter',
    prioritizeVerb: 'prioritize',
    preemptVerb: 'preempt',
    bindVerb: 'bind',
  };
  const configuration = {
    ...{ apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration', parallelism: 1 },
    ...{ leaderElection: { leaderElect: false }, clientConnection: { kubeconfig } },
    podInitialBackoffSeconds: 1,
    podMaxBackoffSeconds: 1,
    extenders: [{ urlPrefix: `http://${await address.promise}/x/`, weight: 100, nodeCacheCapable, ...verbs }],
  };
  writeFileSync(config, JSON.stringify(configuration));
  await eventually('the account of the namespace', () =>
    cluster.client.resource(kinds.serviceAccounts).get({ name: 'default', namespace }),
  );
  const low = { containers: [{ name: 'main', image: 'none', resources: { requests: { cpu: '1' } } }] };
  for (const nodeName of nodeNames)
    await resource(kinds.pods).create(podOf(`there-${nodeName}`, namespace, {}, { ...low, nodeName }), {
      namespace,
    });
  const words = ['--config', config];
  await using scheduler =
    by === 'upstream'
      ? running(kubeScheduler, [...words, '--secure-port=0', '--authentication-skip-lookup=true'])
      : running(process.execPath, [wherryEntry, 'scheduler', ...words, '--secure-port=0']);
  const outcome: Outcome = { nodes: {}, messages: {}, questions: {} };
  for (const [name, { labels, spec = {} }] of Object.entries(stories)) {
    await resource(kinds.pods).create(podOf(name, namespace, labels, spec), { namespace });
    const pod = await eventually(
      `${name} of ${namespace} to be decided (${scheduler.said().slice(-2000)})`,
      async () => {
        const found: Pod = await cluster.client.resource(kinds.pods).get({ name, namespace });
        const refusal = found.status?.conditions?.find(({ type }) => type === 'PodScheduled');
        const isDone = found.spec?.nodeName !== undefined || (!bound.includes(name) && refusal?.message);
        return isDone ? found : undefined;
      },
    );
    outcome.nodes[name] = pod.spec?.nodeName ?? '';
    const refusal = pod.status?.conditions?.find(
      ({ type, status }) => type === 'PodScheduled' && status === 'False',
    );
    outcome.messages[name] = plain(refusal ? `${refusal.reason}: ${refusal.message}` : '');
  }
  for (const name of Object.keys(stories)) outcome.questions[name] = questionsAbout(name, asked);
  const { items } = await cluster.client.resource(kinds.pods).list({ namespace });
  for (const { metadata } of items) await resource(kinds.pods).delete({ name: metadata.name, namespace });
  return outcome;
}

/** Without what differs from run to run. */
const plain = (text: string) =>
  text
    .replaceAll(/(upstream|ours)-(true|false)/g, 'NAMESPACE')
    .replaceAll(/kube-api-access-\w+/g, 'kube-api-access')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID');

/** The first of each verb: how often a pod is tried again is a matter of time. */
function questionsAbout(name: string, asked: readonly Asked[]): string[] {
  const first = new Map<string, string>();
  for (const { verb, request } of asked) {
    const about = (request['Pod'] as Pod | undefined)?.metadata.name ?? request['PodName'];
    if (about === name && !first.has(verb)) first.set(verb, plain(JSON.stringify(canonical(request))));
  }
  return [...first].map(([verb, text]) => `${verb} ${text}`).sort();
}

const untold = new Set(['resourceVersion', 'creationTimestamp', 'generation', 'status']);

/** Keys in their order, nodes by their names, and nothing of what changes by itself. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) {
    const all = value.map(canonical);
    return all.every((each) => typeof each === 'string')
      ? all.sort()
      : all.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, inner]) => !untold.has(key) && inner !== undefined);
  return Object.fromEntries(
    kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, canonical(inner)]),
  );
}

const nameOf = (value: unknown) => JSON.stringify((value as Pod).metadata?.name ?? value);

describe('a scheduler extender', () => {
  for (const nodeCacheCapable of [true, false])
    it(`is asked the same by both, and the same becomes of pods, ${nodeCacheCapable ? 'by names' : 'with whole nodes'}`, async () => {
      const theirs = await tell('upstream', nodeCacheCapable);
      const mine = await tell('ours', nodeCacheCapable);
      assert.deepEqual(mine.nodes, theirs.nodes);
      assert.deepEqual(mine.messages, theirs.messages);
      assert.deepEqual(mine.questions, theirs.questions);
      assert.equal(theirs.nodes['liked'], 'n2');
      assert.equal(theirs.nodes['urgent'], 'n1');
      assert.deepEqual(
        theirs.questions['urgent']?.map((each) => each.split(' ', 1)[0]),
        ['bind', 'filter', 'preempt'],
      );
    });
});
