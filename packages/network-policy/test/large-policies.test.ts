import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkPolicyIngressRule } from '@wherry/kubeapi';
import { boundedFacts } from '../src/objects/policy-bounds.ts';
import { policyChains } from '../src/table/policy-chains.ts';
import { World } from './world.ts';

const many = <T>(length: number, each: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => each(index));
const selectors = (count: number) => many(count, (at) => ({ podSelector: { matchLabels: { at: `${at}` } } }));
const ports = (count: number) => many(count, (at) => ({ port: at + 1 }));
const read = (...ingress: NetworkPolicyIngressRule[]) =>
  boundedFacts({ metadata: { namespace: 'blue', name: 'large' }, spec: { podSelector: {}, ingress } }, 'ip');

test('a policy costs by its peers and its ports, not by one times the other', () => {
  const { facts } = read({ from: selectors(900), ports: ports(9_000) });
  const options = { family: 'ip', rules: facts.ingress ?? [], hasDns: () => false } as const;
  const began = performance.now();
  const { chains } = policyChains(facts, 'ingress', options);
  const tookMs = performance.now() - began;
  assert.deepEqual(
    chains.map(({ rules }) => rules.length).sort((one, other) => one - other),
    [900, 9_000],
  );
  assert.ok(tookMs < 5_000, `${tookMs} ms, where each of the peers with each of the ports takes minutes`);
});

test('a policy that would hold up the rules of all others allows nothing, and it is said what it has too much of', () => {
  assert.equal(read({ from: selectors(1_000), ports: ports(9_999) }).excess, undefined);
  const words = 'selectors, rules with blocks and names of ports, where one policy may have 1000';
  assert.equal(read({ from: selectors(1_000), ports: [{ port: 'http' }] }).excess, `1001 ${words}`);
  const blocks = many(1_001, () => ({ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }));
  assert.equal(read(...blocks).excess, `1001 ${words}`);
  assert.match(read({ ports: ports(10_000) }).excess ?? '', /^10001 rules and ports, /);
  const worldWith = (count: number) =>
    new World()
      .pod('default/web', '10.0.0.2', { labels: { app: 'web' } })
      .pod('default/client', '10.0.0.3', { labels: { at: '0' } })
      .policy('large', {
        podSelector: { matchLabels: { app: 'web' } },
        ingress: [{ from: selectors(count) }],
      });
  assert.ok(worldWith(1_000).passes('10.0.0.3', '10.0.0.2'));
  assert.ok(!worldWith(1_001).passes('10.0.0.3', '10.0.0.2'));
  assert.ok(worldWith(1_001).passes('10.0.0.2', '10.0.0.3'));
});

test('of the policies of one namespace the latest that are too many allow nothing until there is room, those of others as ever', () => {
  const world = new World({ red: {} });
  const [web, client] = ['10.0.0.2', '10.0.0.3'];
  for (const namespace of ['default', 'red']) {
    const last = namespace === 'red' ? '1' : '';
    world.pod(`${namespace}/web`, `${web}${last}`, { namespace, labels: { app: 'web' } });
    world.pod(`${namespace}/client`, `${client}${last}`, { namespace, labels: { at: '0' } });
  }
  const selected = { matchLabels: { app: 'web' } };
  const large = (name: string, namespace = 'default') =>
    world.policy(name, { podSelector: selected, ingress: [{ from: selectors(900) }] }, namespace);
  const other = { podSelector: { matchLabels: { app: 'none' } }, ingress: [{ from: selectors(900) }] };
  world.policy('a', other).policy('b', other);
  large('c');
  assert.ok(!world.passes(client, web), 'the third of a namespace is too much');
  large('c', 'red');
  assert.ok(world.passes(`${client}1`, `${web}1`));
  world.withoutPolicy('a');
  assert.ok(world.passes(client, web));
  // Whichever comes first, those that are older go before it.
  world.policy('a', other);
  assert.ok(!world.passes(client, web));
});
