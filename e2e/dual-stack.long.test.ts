import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
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
