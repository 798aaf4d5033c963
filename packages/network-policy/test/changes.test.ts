import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkPolicySpec } from '@wherry/kubeapi';
import fc from 'fast-check';
import { type PodWords, World } from './world.ts';

const app = (name: string) => ({ matchLabels: { app: name } });

test('a pod that comes is a few elements, whatever the number of pods and policies', () => {
  const world = new World();
  for (let at = 0; at < 200; at++) {
    world.pod(`default/${at}`, `10.0.1.${at}`, { labels: { app: String(at % 20) } });
    world.policy(String(at), {
      podSelector: app(String(at % 20)),
      ingress: [{ from: [{ podSelector: app(String((at + 1) % 20)) }] }],
    });
  }
  world.settle();
  const comes = world.pod('default/new', '10.0.2.1', { labels: { app: '3' } }).settle();
  assert.equal(comes, 4, 'ingress, egress, itself, one set of peers');
  assert.equal(world.pod('default/new', '10.0.2.1', { labels: { app: '3' } }).settle(), 0);
  world.plan.setPod('default/new', undefined);
  assert.equal(world.settle(), 4);
});

test('labels of pods and namespaces change who is allowed', () => {
  const world = new World({ blue: {} })
    .pod('default/web', '10.0.0.2', { labels: { app: 'web' } })
    .pod('blue/client', '10.0.0.3', { namespace: 'blue' })
    .policy('some', {
      podSelector: app('web'),
      ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'blue' } } }] }],
    });
  const passes = () => world.passes('10.0.0.3', '10.0.0.2');
  assert.ok(!passes());
  world.plan.setNamespace('blue', { team: 'blue' });
  assert.ok(passes());
  world.plan.setNamespace('blue', undefined);
  assert.ok(!passes());
  world.pod('default/web', '10.0.0.2', { labels: { app: 'other' } });
  assert.ok(passes());
});

const label = fc.constantFrom('a', 'b');
const selector = fc.oneof(
  fc.constant({}),
  label.map(app),
  label.map((value) => ({ matchExpressions: [{ key: 'app', operator: 'NotIn', values: [value] }] })),
);
const peer = fc.oneof(
  fc.record({ podSelector: selector }),
  fc.record({ namespaceSelector: selector }),
  fc.record({ podSelector: selector, namespaceSelector: selector }),
  fc.constantFrom('10.0.0.0/30', '0.0.0.0/0').map((cidr) => ({ ipBlock: { cidr } })),
);
const port = fc.oneof(
  fc.record({ port: fc.constantFrom<string | number>(80, 'http', 'dns') }),
  fc.constant({ port: 80, endPort: 90, protocol: 'UDP' }),
);
const rule = (word: 'from' | 'to') =>
  fc.record({ [word]: fc.array(peer, { maxLength: 3 }), ports: fc.array(port, { maxLength: 2 }) });
const spec: fc.Arbitrary<NetworkPolicySpec> = fc.record({
  podSelector: selector,
  policyTypes: fc.subarray(['Ingress', 'Egress'], { minLength: 1 }),
  ingress: fc.array(rule('from'), { maxLength: 2 }),
  egress: fc.array(rule('to'), { maxLength: 2 }),
});
const namespace = fc.constantFrom('default', 'blue');
const podWords: fc.Arbitrary<PodWords> = fc.record({
  labels: fc.oneof(
    fc.constant({}),
    label.map((value) => ({ app: value })),
  ),
  ports: fc.constantFrom<PodWords['ports']>([], [{ name: 'http', containerPort: 80 }]),
  nodeName: fc.constantFrom('here', 'there'),
  created: fc.constantFrom('1', '2'),
});
const change = fc.oneof(
  fc.record({ pod: fc.nat(4), namespace, address: fc.nat(4), words: fc.option(podWords) }),
  fc.record({ policy: fc.nat(3), namespace, spec: fc.option(spec) }),
  fc.record({ labelled: fc.constantFrom('default', 'blue', 'kube-system'), labels: fc.option(label) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function carryOut(world: World, each: Change): void {
  if ('labelled' in each) {
    world.plan.setNamespace(each.labelled, each.labels === null ? undefined : { app: each.labels });
  } else if ('policy' in each) {
    if (each.spec) world.policy(String(each.policy), each.spec, each.namespace);
    else world.withoutPolicy(`${each.policy}`, each.namespace);
  } else {
    const key = `${each.namespace}/${each.pod}`;
    if (each.words) world.pod(key, `10.0.0.${each.address}`, { ...each.words, namespace: each.namespace });
    else world.plan.setPod(key, undefined);
  }
}

const subjectOf = (each: Change) =>
  'labelled' in each
    ? `namespace ${each.labelled}`
    : 'policy' in each
      ? `policy ${each.namespace}/${each.policy}`
      : `pod ${each.namespace}/${each.pod}`;

test('whatever the changes and their order, the table is what the last state alone makes', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 25 }), fc.nat(3), (changes, pause) => {
      const world = new World();
      for (const [at, each] of changes.entries()) {
        carryOut(world, each);
        if (at % (pause + 1) === 0) world.settle();
      }
      world.settle();
      const fresh = new World();
      for (const each of new Map(changes.map((each) => [subjectOf(each), each])).values())
        carryOut(fresh, each);
      fresh.settle();
      world.same(fresh);
    }),
    { numRuns: 300 },
  );
});
