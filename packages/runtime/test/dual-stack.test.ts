import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RouteNetlink } from '@wherry/linux';
import { heard } from './heard.ts';
import { startTestNode, type TestNode } from './node.ts';
import {
  datagram,
  hardwareAddressIn,
  neighbourAnswer,
  routerAdvertisement,
  type Station,
  sendFrames,
} from './raw-frames.ts';

interface Pod extends Station {
  id: string;
  container: string;
  networkNamespace: string;
  ipv4: string;
}

const command = (program: string, ...words: string[]) => execFileSync(program, words, { encoding: 'utf8' });
const gatewayIp = 'fd00:85:8::1';
const serve = 'echo hello > /tmp/index.html; exec httpd -f -p 80 -h /tmp';
const get = (address: string, port: number) =>
  `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 3 ${address} ${port}`;

async function runPod(node: TestNode, script = 'sleep 1000', portMappings: object[] = []): Promise<Pod> {
  const id = await node.runPod({ portMappings });
  const container = await node.runScript(id, script);
  const { status, info } = await node.cri.runtime.podSandboxStatus({ podSandboxId: id, verbose: true });
  const networkNamespace: string = JSON.parse(info['info'] ?? '').namespaces.net;
  const { ip = '', additionalIps = [] } = status?.network ?? {};
  const second = additionalIps.map((each) => each.ip).join();
  const hardwareAddress = hardwareAddressIn(networkNamespace);
  return { id, container, networkNamespace, hardwareAddress, ipv4: ip, ip: second || ip };
}

async function eventually(check: () => Promise<string>, expected: RegExp): Promise<void> {
  let seen = '';
  for (let tries = 0; tries < 60; tries++) {
    seen = await check();
    if (expected.test(seen)) return;
    await delay(50);
  }
  assert.match(seen, expected);
}

suite('pods with addresses of both families', () => {
  let node: TestNode;
  let gateway: Station;
  let one: Pod;
  let other: Pod;
  before(async () => {
    node = await startTestNode(8, {
      podCidr: '10.85.8.0/24,fd00:85:8::/64',
      blockedCidrs: ['198.18.96.0/24', 'fd00:85:96::/112'],
    });
    using routes = new RouteNetlink();
    gateway = { ip: gatewayIp, hardwareAddress: routes.link(node.bridgeName).hardwareAddress };
    one = await runPod(node);
    other = await runPod(node, serve, [
      { hostPort: 24683, containerPort: 80 },
      { hostPort: 24684, containerPort: 80, hostIp: '::' },
      { hostPort: 24685, containerPort: 80, hostIp: gatewayIp },
    ]);
  });
  after(() => node.close());

  const inside = (pod: Pod, script: string) => node.output(pod.container, 'sh', '-c', script);

  test('tell both, and have none that nobody gave them', async () => {
    assert.match(one.ipv4, /^10\.85\.8\.\d+$/);
    assert.match(one.ip, /^fd00:85:8::[0-9a-f]+$/);
    const addresses = await inside(one, 'cat /proc/net/if_inet6');
    assert.deepEqual(addresses.match(/^\w{32} .*eth0$/gm)?.length, 1, addresses);
    assert.equal(await inside(one, 'cat /proc/sys/net/ipv6/conf/eth0/accept_ra'), '0\n');
  });

  test('reach each other, themselves and the machine, by either family', async () => {
    for (const target of [other.ip, gatewayIp, one.ip, other.ipv4])
      assert.match(await inside(one, `ping -c 1 -W 2 ${target}`), /1 packets received/, target);
    await eventually(() => inside(one, get(other.ip, 80)), /hello\n$/);
    assert.match(await inside(one, `ping -c 1 -W 2 -s 4000 ${other.ip}`), /1 packets received/, 'fragments');
  });

  test('have host ports in both families, at an address or at all, from outside, the machine and themselves', async () => {
    const fromMachine = (address: string, port: number) =>
      execFileSync('busybox', ['sh', '-c', get(address, port)], { encoding: 'utf8', stdio: 'pipe' });
    for (const address of [gatewayIp, '10.85.8.1', '127.0.0.1'])
      assert.match(fromMachine(address, 24683), /hello\n$/, address);
    assert.throws(() => fromMachine('::1', 24683), /refused/, 'the loopback of IPv6 is the machine alone');
    for (const port of [24683, 24684, 24685]) {
      assert.match(await inside(one, get(gatewayIp, port)), /hello\n$/, `${port}`);
      assert.match(await inside(other, get(gatewayIp, port)), /hello\n$/, `${port} of itself`);
    }
    assert.doesNotMatch(await inside(one, get('10.85.8.1', 24684)), /hello/, 'of IPv6 alone');
    await assert.rejects(
      node.runPod({ portMappings: [{ hostPort: 24686, containerPort: 80, hostIp: 'here' }] }),
      /host port 24686 on "here"/,
    );
  });

  test('leave the machine under its address, and are refused at once where nothing answers', async () => {
    const outside = `wx${process.pid}`;
    const ip = (...words: string[]) => command('ip', ...words);
    ip('netns', 'add', outside);
    try {
      ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'out', 'netns', outside);
      ip('addr', 'add', 'fd00:85:99::1/64', 'dev', outside, 'nodad');
      ip('link', 'set', outside, 'up');
      ip('-n', outside, 'addr', 'add', 'fd00:85:99::2/64', 'dev', 'out', 'nodad');
      ip('-n', outside, 'link', 'set', 'out', 'up');
      await eventually(() => inside(one, 'ping -c 1 -W 1 fd00:85:99::2'), /1 packets received/);
    } finally {
      ip('link', 'delete', outside);
      ip('netns', 'delete', outside);
    }
    const startedMs = performance.now();
    assert.match(await inside(one, get('fd00:85:8::dead', 80)), /No route to host|unreachable/);
    assert.match(await inside(one, get('fd00:85:96::1', 443)), /refused|unreachable/);
    assert.ok(performance.now() - startedMs < 2_000, 'it waited');
  });

  test('a scan of the range leaves no neighbours on the machine', async () => {
    await inside(one, 'for i in $(seq 40); do ping -c 1 -W 1 fd00:85:8::1:$i & done; wait');
    const known = command('ip', '-6', 'neigh', 'show', 'dev', node.bridgeName).trim().split('\n');
    assert.equal(known.length, 2, known.join('\n'));
  });

  test('send with nothing but their own addresses, and reach no loopback of the machine', async () => {
    using everywhere = disposable(createSocket({ type: 'udp6', ipv6Only: true }).bind(0, '::'));
    await once(everywhere.socket, 'listening');
    const texts = await heard(everywhere.socket, { from: one, gateway }, (port) => [
      datagram({ ...one, ip: other.ip }, gateway, port, "a neighbour's IP"),
      datagram({ ...one, ip: 'fd00:85:8::dead' }, gateway, port, "nobody's IP"),
      datagram({ ...one, ip: 'fe80::bad' }, gateway, port, 'an address of the link'),
      datagram({ ...one, ip: '::1' }, gateway, port, 'from loopback'),
      datagram(one, { ...gateway, ip: '::1' }, port, 'to loopback'),
      datagram({ ...one, hardwareAddress: other.hardwareAddress }, gateway, port, 'its MAC'),
      datagram(other, gateway, port, 'all of a neighbour'),
    ]);
    assert.deepEqual(texts, ['true']);
  });

  test('are nobody else by neighbour discovery, and no routers', async () => {
    const invented = '0e:00:00:00:0b:ad';
    for (let tries = 0; tries < 3; tries++) {
      const lies = [one.hardwareAddress, invented].flatMap((hardwareAddress) => [
        neighbourAnswer(one.hardwareAddress, { ip: gatewayIp, hardwareAddress }, other, one.ip),
        neighbourAnswer(one.hardwareAddress, { ip: other.ip, hardwareAddress }, gateway, one.ip),
        neighbourAnswer(one.hardwareAddress, { ip: 'fd00:85:8::dead', hardwareAddress }, gateway),
        routerAdvertisement(one.hardwareAddress),
        routerAdvertisement(one.hardwareAddress, one.ip),
      ]);
      sendFrames(one.networkNamespace, lies);
      await delay(50);
    }
    const neighbours = command('ip', '-6', 'neigh', 'show', 'dev', node.bridgeName);
    assert.match(neighbours, new RegExp(`${other.ip} lladdr ${other.hardwareAddress} PERMANENT`));
    assert.doesNotMatch(neighbours, /0e:00:00:00:0b:ad|dead/);
    assert.match(await inside(one, get(other.ip, 80)), /hello\n$/);
    for (const path of ['/proc/net/if_inet6', '/proc/net/ipv6_route'])
      assert.doesNotMatch(await inside(other, `cat ${path}`), /20010db80bad/);
    assert.doesNotMatch(command('ip', '-6', 'route', 'show', 'dev', node.bridgeName), /default|fe80/);
  });

  test('are who they were after a restart, and leave nothing', async () => {
    await node.restart();
    assert.match(await inside(one, get(other.ip, 80)), /hello\n$/);
    assert.match(await inside(one, get(gatewayIp, 24683)), /hello\n$/);
    await node.cri.runtime.stopPodSandbox({ podSandboxId: other.id });
    assert.doesNotMatch(command('ip', '-6', 'route', 'show'), new RegExp(`^${other.ip} `, 'm'));
    assert.doesNotMatch(command('ip', '-6', 'neigh', 'show', 'nud', 'all'), new RegExp(`^${other.ip} `, 'm'));
  });
});

test('pods with IPv6 alone reach each other and the machine, and have host ports', async () => {
  const node = await startTestNode(8, { podCidr: 'fd00:85:8::/64' });
  try {
    const server = await runPod(node, serve, [{ hostPort: 24683, containerPort: 80 }]);
    const client = await runPod(node);
    assert.match(server.ipv4, /^fd00:85:8::/, "the first address is the pod's own");
    const read = (address: string, port: number) => () =>
      node.output(client.container, 'sh', '-c', get(address, port));
    await eventually(read(server.ip, 80), /hello\n$/);
    await eventually(read(gatewayIp, 24683), /hello\n$/);
    const interfaces = await node.output(client.container, 'ip', '-4', 'addr', 'show', 'eth0');
    assert.doesNotMatch(interfaces, /inet /);
    await assert.rejects(
      node.runPod({ portMappings: [{ hostPort: 24684, containerPort: 80, hostIp: '0.0.0.0' }] }),
      /host port 24684 on "0\.0\.0\.0": want no address or one of IPv6/,
    );
  } finally {
    await node.close();
  }
});

const disposable = (socket: Socket) => ({ socket, [Symbol.dispose]: () => socket.close() });
