/** Services of type LoadBalancer over a real API server, on a machine whose ports are told of. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { kinds } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import type { Service, ServiceSpec } from '@wherry/kubeapi';
import { eventually, TestCluster } from '../../test/cluster.ts';
import { type Controllers, type MachinePorts, startOnMachine } from '../index.ts';

/** Waits that are 300 times shorter. */
const hastyClock: Clock = {
  ...systemClock,
  after: (delayMs, call) => systemClock.after(delayMs / 300, call),
};
const address = '192.0.2.7';
const namespace = 'default';

let cluster: TestCluster;
let balancer: Controllers;
/** Ports that programs of the machine listen at, and those that services hold. */
const listened = new Set<number>();
const held = new Set<string>();
let asked = 0;

const ports: MachinePorts = {
  async hold({ address, protocol, port }) {
    asked += 1;
    if (listened.has(port)) throw new Error(`port ${port} is taken`);
    const name = `${address} ${protocol} ${port}`;
    assert.ok(!held.has(name), `${name} is held twice`);
    held.add(name);
    return { release: async () => void held.delete(name) };
  },
};

function start(isOn = true, clock: Clock = hastyClock): void {
  const client = cluster.managers['kube-controller-manager'];
  balancer = startOnMachine({ client, balancing: { nodeName: 'here', ports, isOn }, clock });
}

before(async () => {
  cluster = await TestCluster.startServer();
  const nodes = cluster.client.resource(kinds.nodes);
  await nodes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'here' }, spec: {} });
  await tellAddress(address);
  start();
});
after(async () => {
  await balancer?.close();
  await cluster?.close();
});

const tellAddress = (ip: string) =>
  cluster.client.resource(kinds.nodes).patch({
    ...{ name: 'here', subresource: 'status', type: 'merge' },
    patch: { status: { addresses: [{ type: 'InternalIP', address: ip }] } },
  });
const services = () => cluster.client.resource(kinds.services);

function create(name: string, port: number, more: Partial<ServiceSpec> = {}): Promise<Service> {
  const spec: ServiceSpec = { type: 'LoadBalancer', ports: [{ port }], ...more };
  return services().create({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec });
}
const change = (name: string, patch: object, subresource?: string) =>
  services().patch({ name, namespace, type: 'merge', patch, ...(subresource && { subresource }) });
const ingressOf = async (name: string) =>
  (await services().get({ name, namespace })).status?.loadBalancer?.ingress;
const hasAddress = (name: string, ip: string) =>
  eventually(`${name} at ${ip}`, async () => (await ingressOf(name))?.[0]?.ip === ip);
const hasNone = (name: string) =>
  eventually(`${name} without an address`, async () => !(await ingressOf(name))?.length);
const complaintOf = (name: string) =>
  eventually(`a complaint about ${name}`, async () => {
    const { items } = await cluster.client.resource(kinds.events).list({ namespace });
    return items.find(
      ({ involvedObject, reason }) => involvedObject?.name === name && reason === 'SyncLoadBalancerFailed',
    )?.message;
  });

describe('services of type LoadBalancer on a machine', () => {
  afterEach(async () => {
    listened.clear();
    await services().deleteCollection({ namespace });
    await eventually('no port to be held', async () => held.size === 0);
  });

  it('get its address, and hold their ports there', async () => {
    await create('web', 80, {
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 80, protocol: 'UDP' },
      ],
    });
    await hasAddress('web', address);
    assert.deepEqual(await ingressOf('web'), [{ ip: address, ipMode: 'VIP' }]);
    assert.deepEqual([...held].sort(), [`${address} TCP 80`, `${address} UDP 80`]);
    await change('web', { spec: { ports: [{ name: 'a', port: 81 }] } });
    await eventually('the other port', async () => held.has(`${address} TCP 81`) && held.size === 1);
  });

  it('wait for a port that another has, say so, and get it with its end', async () => {
    await create('first', 80);
    await hasAddress('first', address);
    await create('second', 80);
    assert.match(
      await complaintOf('second'),
      /port 80 \(TCP\) of 192\.0\.2\.7 is the service "default\/first"'s/,
    );
    assert.equal(await ingressOf('second'), undefined);
    await services().delete({ name: 'first', namespace });
    await hasAddress('second', address);
  });

  it('leave the machine the ports that its own programs connect from, however many they ask for', async () => {
    const createFrom = (name: string, first: number, count: number) => {
      const ports = Array.from({ length: count }, (_, at) => ({ name: `p${at}`, port: first + at }));
      return create(name, 0, { ports, allocateLoadBalancerNodePorts: false });
    };
    await createFrom('greedy', 32_768, 257);
    assert.match(
      await complaintOf('greedy'),
      /: 257 ports of this machine, of which one service may have 256$/,
    );
    assert.equal(held.size, 0);
    for (let at = 0; at < 16; at++) await createFrom(`s${at}`, 32_768 + at * 256, 256);
    for (let at = 0; at < 16; at++) await hasAddress(`s${at}`, address);
    assert.equal(held.size, 4_096);
    await create('late', 80);
    const all = /: 4096 ports of this machine are other services', of 4096 that all may have$/;
    assert.match(await complaintOf('late'), all);
    await services().delete({ name: 's3', namespace });
    await hasAddress('late', address);
  });

  it('wait for a port that a program of the machine has', async () => {
    listened.add(22);
    await create('hidden', 22);
    assert.match(await complaintOf('hidden'), /port 22 is taken/);
    assert.equal(await ingressOf('hidden'), undefined);
    listened.clear();
    await hasAddress('hidden', address);
  });

  it('do not wake each other for a port that none of them gets', async () => {
    await balancer.close();
    start(true, systemClock);
    listened.add(22);
    const both = {
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 22 },
      ],
    };
    await create('one', 80, both);
    await create('other', 80, both);
    await complaintOf('one');
    await complaintOf('other');
    const before = asked;
    await delay(300);
    assert.ok(asked - before < 8, `${asked - before} more questions for ports`);
    assert.equal(held.size, 0);
    await balancer.close();
    start();
  });

  it('lose the address with a change to a port that they can’t have, and with their type', async () => {
    await create('changing', 80);
    await hasAddress('changing', address);
    listened.add(22);
    await change('changing', { spec: { ports: [{ port: 22 }] } });
    await hasNone('changing');
    await change('changing', { spec: { ports: [{ port: 80 }] } });
    await hasAddress('changing', address);
    await change('changing', { spec: { type: 'ClusterIP' } });
    await hasNone('changing');
  });

  it('follow the address of the machine', async () => {
    await create('moving', 80);
    await hasAddress('moving', address);
    await tellAddress('192.0.2.8');
    await hasAddress('moving', '192.0.2.8');
    assert.deepEqual([...held], ['192.0.2.8 TCP 80']);
    await tellAddress(address);
    await hasAddress('moving', address);
  });

  it('are left alone where they have a class, want another address, or somebody else gave them one', async () => {
    await create('classed', 80, { loadBalancerClass: 'example.com/other' });
    await create('wanting', 81, { loadBalancerIP: '198.51.100.9' });
    assert.match(await complaintOf('wanting'), /198\.51\.100\.9 is not an address of this node/);
    await create('given', 82);
    await hasAddress('given', address);
    const theirs = [{ ip: '198.51.100.1', ipMode: 'VIP' }];
    await change('given', { status: { loadBalancer: { ingress: theirs } } }, 'status');
    await eventually('its port to be given back', async () => held.size === 0);
    assert.deepEqual(await ingressOf('given'), theirs);
    assert.equal(await ingressOf('classed'), undefined);
    assert.equal(await ingressOf('wanting'), undefined);
  });

  it('keep it while nobody gives addresses, and give it back where none are given any more', async () => {
    await create('kept', 80);
    await hasAddress('kept', address);
    await balancer.close();
    assert.equal((await ingressOf('kept'))?.length, 1);
    start();
    await eventually('its port to be held again', async () => held.has(`${address} TCP 80`));
    await balancer.close();
    start(false);
    await hasNone('kept');
    assert.equal(held.size, 0);
    await balancer.close();
    start();
    await hasAddress('kept', address);
  });
});
