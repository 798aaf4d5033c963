import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World } from './world.ts';

const [web, client, stranger, foreign, other] = ['10.0.0.2', '10.0.0.3', '10.0.0.4', '10.1.0.5', '10.0.0.6'];
const outside = '192.0.2.7';
const machine = '198.51.100.1';
const everyone = [client, stranger, foreign, other, outside];
const app = (name: string) => ({ matchLabels: { app: name } });
const team = (name: string) => ({ matchLabels: { team: name } });

/** Pods of two namespaces; one of them is of another node. */
const world = () =>
  new World({ blue: { team: 'blue' }, red: { team: 'red' } })
    .pod('default/web', web, { labels: { app: 'web' }, ports: [{ name: 'http', containerPort: 8080 }] })
    .pod('default/client', client, { labels: { app: 'client' } })
    .pod('default/stranger', stranger)
    .pod('blue/foreign', foreign, { namespace: 'blue', labels: { app: 'client' }, nodeName: 'there' })
    .pod('red/other', other, { namespace: 'red', labels: { app: 'client' } });

test('without policies all passes, also to an address that nobody knows', () => {
  assert.deepEqual(world().from(everyone, web), everyone);
  assert.ok(world().passes('10.0.0.99', web));
});

test('a policy without rules keeps all from its pods, and lets them reach others', () => {
  const all = world().policy('deny', { podSelector: {} });
  assert.deepEqual(all.from(everyone, web), []);
  assert.deepEqual(all.to(web, [other, outside, machine]), [other, outside, machine]);
  const one = world().policy('deny', { podSelector: app('web') });
  assert.deepEqual(one.from(everyone, client), everyone);
  assert.ok(!one.passes(client, web, 0, 'ICMP'));
});

test('a rule without peers and ports allows all', () => {
  assert.deepEqual(
    world()
      .policy('open', { podSelector: app('web'), ingress: [{}] })
      .from(everyone, web),
    everyone,
  );
});

test('peers are pods of the policy’s namespace, of namespaces by label, or both at once', () => {
  const from = (...peers: object[]) =>
    world()
      .policy('some', { podSelector: app('web'), ingress: [{ from: peers }] })
      .from(everyone, web);
  assert.deepEqual(from({ podSelector: app('client') }), [client]);
  assert.deepEqual(from({ podSelector: {} }), [client, stranger]);
  assert.deepEqual(from({ namespaceSelector: team('blue') }), [foreign]);
  assert.deepEqual(from({ namespaceSelector: {} }), [client, stranger, foreign, other]);
  assert.deepEqual(from({ namespaceSelector: team('red'), podSelector: app('web') }), []);
  assert.deepEqual(from({ namespaceSelector: team('red'), podSelector: app('client') }), [other]);
  assert.deepEqual(from({ namespaceSelector: team('red') }, { podSelector: app('client') }), [client, other]);
  const expression = { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['red'] }] };
  assert.deepEqual(from({ namespaceSelector: expression }), [client, stranger, foreign]);
});

test('blocks of addresses, without their exceptions', () => {
  const from = (...blocks: { cidr: string; except?: string[] }[]) =>
    world()
      .policy('some', {
        podSelector: app('web'),
        ingress: [{ from: blocks.map((ipBlock) => ({ ipBlock })) }],
      })
      .from([...everyone, '0.0.0.0', '255.255.255.255'], web);
  assert.deepEqual(from({ cidr: '192.0.2.0/24' }), [outside]);
  assert.deepEqual(from({ cidr: '192.0.2.0/24', except: ['192.0.2.0/29'] }), []);
  assert.deepEqual(from({ cidr: '192.0.2.0/24', except: ['192.0.2.0/29'] }, { cidr: '192.0.2.7/32' }), [
    outside,
  ]);
  assert.deepEqual(from({ cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '10.0.0.4/32'] }), [
    ...[outside, '0.0.0.0', '255.255.255.255'],
  ]);
  assert.deepEqual(from({ cidr: '0.0.0.0/0', except: ['0.0.0.0/1', '128.0.0.0/1'] }), []);
  assert.deepEqual(from({ cidr: '2001:db8::/32' }), []);
});

test('ports by number, as a range, by protocol and by the name that the receiving pod has for them', () => {
  const reached = (ports: object[]) =>
    (['TCP', 'UDP', 'SCTP'] as const).flatMap((protocol) =>
      [79, 80, 85, 90, 91, 8080]
        .filter((port) =>
          world()
            .policy('some', { podSelector: {}, ingress: [{ ports }] })
            .passes(client, web, port, protocol),
        )
        .map((port) => `${protocol} ${port}`),
    );
  assert.deepEqual(reached([{ port: 80 }]), ['TCP 80']);
  assert.deepEqual(reached([{ port: 80, endPort: 90, protocol: 'UDP' }]), ['UDP 80', 'UDP 85', 'UDP 90']);
  assert.deepEqual(
    reached([
      { port: 80, endPort: 80 },
      { port: 91, protocol: 'SCTP' },
    ]),
    ['TCP 80', 'SCTP 91'],
  );
  assert.equal(reached([{ protocol: 'SCTP' }]).length, 6);
  assert.deepEqual(reached([{ port: 'http' }]), ['TCP 8080']);
  assert.deepEqual(reached([{ port: 'http', protocol: 'UDP' }]), []);
  assert.deepEqual(reached([{ port: 'absent' }]), []);
});

test('several peers with several ports are each with each', () => {
  const from = [{ podSelector: app('client') }, { namespaceSelector: team('blue') }];
  const ports = [{ port: 80 }, { port: 'http' }];
  const both = world().policy('some', {
    podSelector: app('web'),
    ingress: [{ from, ports }, { ports: [{ port: 1 }] }],
  });
  assert.deepEqual(both.from(everyone, web, 80), [client, foreign]);
  assert.deepEqual(both.from(everyone, web, 8080), [client, foreign]);
  assert.deepEqual(both.from(everyone, web, 81), []);
  assert.deepEqual(both.from(everyone, web, 1), everyone);
});

test('what one of several policies allows is allowed', () => {
  const union = world()
    .policy('deny', { podSelector: {} })
    .policy('one', { podSelector: app('web'), ingress: [{ from: [{ podSelector: app('client') }] }] })
    .policy('two', { podSelector: app('web'), ingress: [{ from: [{ namespaceSelector: team('red') }] }] });
  assert.deepEqual(union.from(everyone, web), [client, other]);
});

test('types: without any, of incoming, and of outgoing where there are rules for it', () => {
  const to = (spec: object) =>
    [client, web]
      .map(
        (pod) =>
          world()
            .policy('some', { podSelector: {}, ...spec })
            .to(pod, [outside]).length,
      )
      .join('');
  const fromOutside = (spec: object) =>
    world()
      .policy('some', { podSelector: {}, ...spec })
      .passes(outside, web);
  assert.deepEqual([to({}), fromOutside({})], ['11', false]);
  assert.deepEqual([to({ policyTypes: ['Egress'] }), fromOutside({ policyTypes: ['Egress'] })], ['00', true]);
  const both = { egress: [{ to: [{ podSelector: {} }] }] };
  assert.deepEqual([to(both), fromOutside(both)], ['00', false]);
  const ignored = { policyTypes: ['Ingress'], egress: [{ to: [{ podSelector: {} }] }] };
  assert.deepEqual([to(ignored), fromOutside(ignored)], ['11', false]);
});

test('what goes out is held to peers and ports, the machine’s own addresses too', () => {
  const to = (...egress: object[]) =>
    world()
      .policy('some', { podSelector: app('client'), policyTypes: ['Egress'], egress })
      .to(client, [web, stranger, foreign, other, outside, machine], 8080);
  assert.deepEqual(to(), []);
  assert.deepEqual(to({ to: [{ podSelector: app('web') }] }), [web]);
  assert.deepEqual(to({ to: [{ namespaceSelector: {} }], ports: [{ port: 'http' }] }), [web]);
  assert.deepEqual(to({ ports: [{ port: 'http' }] }), [web]);
  assert.deepEqual(to({ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 'http' }] }), [web]);
  assert.deepEqual(to({ to: [{ ipBlock: { cidr: '198.51.100.0/24' } }] }), [machine]);
  assert.deepEqual(to({ ports: [{ port: 8080 }] }), [web, stranger, foreign, other, outside, machine]);
});

test('both ends are asked, each by its own policies', () => {
  const both = world()
    .policy('in', { podSelector: app('web'), ingress: [{ from: [{ podSelector: app('client') }] }] })
    .policy('out', {
      ...{ podSelector: app('client'), policyTypes: ['Egress'] },
      egress: [{ to: [{ podSelector: app('web') }], ports: [{ port: 80 }] }],
    });
  assert.ok(both.passes(client, web, 80));
  assert.ok(!both.passes(client, web, 81));
  assert.ok(!both.passes(stranger, web, 80));
});

test('no pod is kept from itself', () => {
  const alone = world().policy('deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  assert.ok(alone.passes(web, web));
  assert.ok(!alone.passes(web, client));
});

test('pods on the host’s network and those that are over are nobody to policies', () => {
  const some = world()
    .pod('default/host', machine, { labels: { app: 'client' }, hostNetwork: true })
    .pod('default/over', '10.0.0.9', { labels: { app: 'client' }, phase: 'Succeeded' })
    .policy('some', { podSelector: app('web'), ingress: [{ from: [{ podSelector: app('client') }] }] })
    .policy('host', { podSelector: app('client') });
  assert.deepEqual(some.from([client, machine, '10.0.0.9'], web), [client]);
  assert.ok(some.passes(web, machine));
});

test('while there are policies an address whose pod is not known has no connections', () => {
  const some = world().policy('deny', { podSelector: app('nobody') }, 'red');
  some.pod('default/new', '10.0.0.50');
  assert.ok(some.passes(client, '10.0.0.50'));
  some.plan.setPod('default/new', undefined);
  assert.ok(!some.passes(client, '10.0.0.50'));
  assert.ok(!some.passes('10.0.0.50', outside));
  some.withoutPolicy('deny', 'red');
  assert.ok(some.passes(client, '10.0.0.50'));
});

test('of two pods with one address the later one has it', () => {
  const some = world()
    .policy('deny', { podSelector: app('web') })
    .pod('default/next', web, { labels: { app: 'next' }, created: '2026-01-02T00:00:00Z' });
  assert.deepEqual(some.from(everyone, web), everyone);
  some.plan.setPod('default/next', undefined);
  assert.deepEqual(some.from(everyone, web), []);
});

test('the cluster’s DNS is allowed as the pod that it is elsewhere, its ports alone', () => {
  const asks = (...egress: object[]) => {
    const some = world().policy('some', { podSelector: app('client'), policyTypes: ['Egress'], egress });
    const doors = [
      [53, 'UDP'],
      [53, 'TCP'],
      [6443, 'TCP'],
    ] as const;
    return doors.filter(([port, protocol]) => some.passes(client, '10.0.0.1', port, protocol)).join(' ');
  };
  const system = { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } };
  const server = { matchLabels: { 'k8s-app': 'kube-dns' } };
  assert.equal(asks(), '');
  assert.equal(asks({ to: [{ podSelector: server }] }), '');
  assert.equal(asks({ to: [{ namespaceSelector: system, podSelector: server }] }), '53,UDP 53,TCP');
  assert.equal(asks({ to: [{ namespaceSelector: {} }], ports: [{ port: 53, protocol: 'UDP' }] }), '53,UDP');
  assert.equal(asks({ to: [{ namespaceSelector: system }], ports: [{ port: 'dns-tcp' }] }), '53,TCP');
  assert.equal(asks({ ports: [{ port: 'dns', protocol: 'UDP' }] }), '53,UDP');
  assert.equal(asks({ to: [{ namespaceSelector: team('red') }] }), '');
});

test('by IPv6 a pod is held to the same policies, and to blocks of IPv6 alone', () => {
  const [server, friend, alone] = ['fd00::2', 'fd00::3', 'fd00::4'];
  const both = (own: string) => `10.0.0.2 ${own}`;
  const world = (spec: object) =>
    new World({}, 'ip6')
      .pod('default/web', both(server), {
        labels: { app: 'web' },
        ports: [{ name: 'http', containerPort: 8080 }],
      })
      .pod('default/client', both(friend), { labels: { app: 'client' } })
      .pod('default/old', '10.0.0.9')
      .policy('some', { podSelector: app('web'), policyTypes: ['Ingress', 'Egress'], ...spec });
  const everyone6 = [friend, alone, '2001:db8::1', '2001:db8:bad::1'];
  const block = { ipBlock: { cidr: '2001:db8::/32', except: ['2001:db8:bad::/48'] } };
  const from = (...peers: object[]) => world({ ingress: [{ from: peers }] }).from(everyone6, server);
  assert.deepEqual(world({}).from(everyone6, server), []);
  assert.deepEqual(from({ podSelector: app('client') }), [friend]);
  assert.deepEqual(from(block), ['2001:db8::1']);
  assert.deepEqual(from({ ipBlock: { cidr: '0.0.0.0/0' } }), [], 'a block of the other family is nobody');
  assert.deepEqual(from({ ipBlock: { cidr: '::/0' } }), everyone6);
  assert.deepEqual(world({ egress: [{ to: [block] }] }).to(server, everyone6), ['2001:db8::1']);
  const named = world({ ingress: [{ ports: [{ port: 'http' }] }] });
  assert.ok(named.passes(friend, server, 8080) && !named.passes(friend, server, 80));
});
