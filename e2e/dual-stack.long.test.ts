import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { lastingAddressV6 } from '../packages/node/src/machine/address-v6.ts';
import { testImage } from './image.ts';
import { eventually, TestNode } from './node.ts';

const ranges = '10.251.0.0/24,fd00:251::/64';

suite('a node whose pods have addresses of both families', () => {
  let node: TestNode;
  const ok = (...words: string[]) => node.kubectlOk(words);
  const addressesOf = async (pod: string, path = 'podIPs') => {
    const text = await ok('get', 'pod', pod, '-o', `jsonpath={.status.${path}[*].ip}`);
    return text.split(' ').filter((address) => address !== '');
  };
  const pod = (name: string, command: string[]) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'main', image: testImage, imagePullPolicy: 'IfNotPresent', command }],
    },
  });
  /** What a pod hears from the server at an address. */
  const ask = (client: string, address: string) =>
    ok('exec', client, '--', 'sh', '-c', `nc -w 1 ${address} 8080 2>&1; true`);

  before(async () => {
    node = await TestNode.start('dual', ['--pod-cidr', ranges]);
    const serving = ['sh', '-c', 'while true; do nc -ll -p 8080 -e hostname & wait; done'];
    await node.apply(
      pod('server', serving),
      pod('friend', ['sleep', '1000']),
      pod('stranger', ['sleep', '1000']),
    );
    await ok('wait', 'pod', '--all', '--for=condition=Ready', '--timeout=30s');
  });
  after(() => node.remove());

  test('tells both in their status and their hosts file', async () => {
    const [own = '', second = '', ...more] = await addressesOf('server');
    assert.match(own, /^10\.251\.0\.\d+$/);
    assert.match(second, /^fd00:251::[0-9a-f]+$/);
    assert.deepEqual(more, []);
    const hosts = await ok('exec', 'server', '--', 'cat', '/etc/hosts');
    for (const address of [own, second]) assert.match(hosts, new RegExp(`^${address}\\s+server$`, 'm'));
  });

  test('tells the node’s addresses, and the ranges of its pods', async () => {
    const told = await ok(
      'get',
      'nodes',
      '-o',
      'jsonpath={.items[0].spec.podCIDRs[*]} {.items[0].spec.podCIDR}',
    );
    assert.equal(told, `${ranges.replace(',', ' ')} 10.251.0.0/24`);
    const path = 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}';
    const addresses = (await ok('get', 'nodes', '-o', path)).split(' ');
    assert.deepEqual(await addressesOf('server', 'hostIPs'), addresses);
    const routes = readFileSync('/proc/net/route', 'utf8').split('\n');
    const [device = ''] = routes.find((line) => line.split('\t')[1] === '00000000')?.split('\t') ?? [];
    const lasting = lastingAddressV6(device);
    assert.deepEqual(addresses.slice(1), lasting === undefined ? [] : [lasting]);
  });

  test('a service answers at an address of each, and by its name', async () => {
    const service = (name: string, spec: object) => ({
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
      spec: { selector: { app: 'server' }, ports: [{ name: 'web', port: 8080 }], ...spec },
    });
    await node.apply(
      service('both', { ipFamilyPolicy: 'RequireDualStack' }),
      service('sixth', { ipFamilies: ['IPv6'] }),
      service('bare', { clusterIP: 'None', ipFamilyPolicy: 'PreferDualStack' }),
    );
    const clusterIps = async (name: string) => {
      const text = await ok('get', 'service', name, '-o', 'jsonpath={.spec.clusterIPs[*]}');
      return text.split(' ');
    };
    const [v4 = '', v6 = ''] = await clusterIps('both');
    assert.match(v4, /^10\.96\./);
    assert.match(v6, /^fd00:10:96::/);
    const [only = '', ...more] = await clusterIps('sixth');
    assert.match(only, /^fd00:10:96::/);
    assert.deepEqual(more, []);
    for (const place of [v4, v6, only, 'both', 'sixth', 'bare'])
      await eventually(`an answer at ${place}`, async () => (await ask('friend', place)) === 'server\n');
    const slices = await ok('get', 'endpointslices', '-l', 'kubernetes.io/service-name=both', '-o', 'name');
    assert.equal(slices.trim().split('\n').length, 2);
    const look = (type: string, name: string) =>
      ok('exec', 'friend', '--', 'nslookup', `-type=${type}`, name);
    assert.ok((await look('aaaa', 'both.default.svc.cluster.local')).includes(v6));
    assert.ok((await look('a', 'both.default.svc.cluster.local')).includes(v4));
    const [podV4 = '', podV6 = ''] = await addressesOf('server');
    assert.ok((await look('aaaa', 'bare.default.svc.cluster.local')).includes(podV6));
    assert.ok((await look('a', 'bare.default.svc.cluster.local')).includes(podV4));
    const named = await ok('exec', 'friend', '--', 'nslookup', v6);
    assert.match(named, /name = both\.default\.svc\.cluster\.local/);
    assert.equal(await ok('get', 'ipaddress', v6, '-o', 'jsonpath={.spec.parentRef.name}'), 'both');
    const ranges = await ok('get', 'servicecidr', 'kubernetes', '-o', 'jsonpath={.spec.cidrs[*]}');
    assert.equal(ranges, '10.96.0.0/16 fd00:10:96::/112');
  });

  test('a load balancer is told by both that the node has an endpoint', async () => {
    await node.apply({
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'balanced' } },
      spec: {
        ...{ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ipFamilyPolicy: 'RequireDualStack' },
        ...{ selector: { app: 'server' }, ports: [{ port: 8080 }] },
      },
    });
    const port = await ok('get', 'service', 'balanced', '-o', 'jsonpath={.spec.healthCheckNodePort}');
    for (const host of ['127.0.0.1', '[::1]']) {
      const ask = async () => {
        const response = await fetch(`http://${host}:${port}/`);
        const { localEndpoints } = (await response.json()) as { localEndpoints: number };
        return response.status === 200 && localEndpoints === 1;
      };
      await eventually(`an endpoint by ${host}`, () => ask().catch(() => false));
    }
  });

  test('a network policy holds for both', async () => {
    const addresses = await addressesOf('server');
    for (const address of addresses)
      for (const client of ['friend', 'stranger'])
        await eventually(`${client} at ${address}`, async () => (await ask(client, address)) === 'server\n');
    await node.apply({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'friends' },
      spec: {
        podSelector: { matchLabels: { app: 'server' } },
        ingress: [{ from: [{ podSelector: { matchLabels: { app: 'friend' } } }] }],
      },
    });
    for (const address of addresses) {
      await eventually(`nobody at ${address}`, async () => (await ask('stranger', address)) !== 'server\n');
      assert.equal(await ask('friend', address), 'server\n', address);
    }
  });
});

test('a range that pods cannot have is refused by name', async () => {
  await assert.rejects(
    TestNode.start('refused', ['--pod-cidr', 'fd00:251::/64']),
    /the first range is not IPv4/,
  );
});
