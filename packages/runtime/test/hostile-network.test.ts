import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RouteNetlink } from '@wherry/linux';
import { heard } from './heard.ts';
import { startTestNode, type TestNode } from './node.ts';
import {
  arpAnswer,
  datagram,
  hardwareAddressIn,
  routerAdvertisement,
  type Station,
  sendFrames,
} from './raw-frames.ts';

interface Pod extends Station {
  id: string;
  container: string;
  networkNamespace: string;
}

const blockedCidr = '198.18.96.0/24';

suite('a pod that sends whatever it likes', () => {
  let node: TestNode;
  let attacker: Pod;
  let victim: Pod;
  let gateway: Station;
  before(async () => {
    node = await startTestNode(7, { blockedCidrs: [blockedCidr] });
    attacker = await makePod();
    victim = await makePod();
    using routes = new RouteNetlink();
    const { hardwareAddress } = routes.link(node.bridgeName);
    gateway = { ip: '10.85.7.1', hardwareAddress };
  });
  after(() => node.close());

  async function makePod(): Promise<Pod> {
    const id = await node.runPod();
    const container = await node.runScript(id, 'sleep 1000');
    const { status, info } = await node.cri.runtime.podSandboxStatus({ podSandboxId: id, verbose: true });
    const networkNamespace: string = JSON.parse(info['info'] ?? '').namespaces.net;
    const hardwareAddress = hardwareAddressIn(networkNamespace);
    return { id, container, networkNamespace, hardwareAddress, ip: status?.network?.ip ?? '' };
  }

  async function listen(address: string): Promise<Socket> {
    const socket = createSocket('udp4').bind(0, address);
    await once(socket, 'listening');
    return socket;
  }

  test("reaches nothing that listens on the node's loopback", async () => {
    using everywhere = disposable(await listen('0.0.0.0'));
    const to = (ip: string) => ({ ...gateway, ip });
    const fromLoopback = { ...attacker, ip: '127.0.0.1' };
    const texts = await heard(everywhere.socket, { from: attacker, gateway }, (port) => [
      datagram(attacker, to('127.0.0.1'), port, 'to 127.0.0.1'),
      datagram(attacker, to('127.8.9.10'), port, 'to 127.8.9.10'),
      datagram(fromLoopback, gateway, port, 'from 127.0.0.1'),
    ]);
    assert.deepEqual(texts, ['true']);
  });

  test("cannot send with another's IP or hardware address", async () => {
    using everywhere = disposable(await listen('0.0.0.0'));
    const texts = await heard(everywhere.socket, { from: attacker, gateway }, (port) => [
      datagram({ ...attacker, ip: victim.ip }, gateway, port, "a neighbour's IP"),
      datagram({ ...attacker, ip: '10.85.7.200' }, gateway, port, "nobody's IP"),
      datagram({ ...attacker, ip: '192.0.2.1' }, gateway, port, "a stranger's IP"),
      datagram({ ...attacker, hardwareAddress: victim.hardwareAddress }, gateway, port, 'its MAC'),
      datagram(victim, gateway, port, 'all of a neighbour'),
    ]);
    assert.deepEqual(texts, ['true']);
  });

  test('cannot take the address of the gateway or of a neighbour by ARP', async () => {
    await node.output(victim.container, 'nc', '-w', '1', gateway.ip, '1');
    const machine = () => readFileSync('/proc/net/arp', 'utf8');
    const inVictim = () => node.output(victim.container, 'cat', '/proc/net/arp');
    assert.equal(hardwareAddressOf(gateway.ip, await inVictim()), gateway.hardwareAddress);
    assert.equal(hardwareAddressOf(victim.ip, machine()), victim.hardwareAddress);
    const invented = '0e:00:00:00:0b:ad';
    for (const claimed of [attacker.hardwareAddress, invented]) {
      // The kernel holds on to a fresh entry for a second; the lies must come later as well.
      for (let tries = 0; tries < 15; tries++) {
        const lies = [attacker.hardwareAddress, claimed].flatMap((source) => [
          arpAnswer(source, { ip: gateway.ip, hardwareAddress: claimed }, victim),
          arpAnswer(source, { ip: victim.ip, hardwareAddress: claimed }, gateway),
        ]);
        sendFrames(attacker.networkNamespace, lies);
        await delay(100);
      }
    }
    assert.equal(hardwareAddressOf(gateway.ip, await inVictim()), gateway.hardwareAddress);
    assert.equal(hardwareAddressOf(victim.ip, machine()), victim.hardwareAddress);
  });

  test('makes itself no router: neither pods nor the node take its advertisements', async () => {
    for (let tries = 0; tries < 10; tries++) {
      sendFrames(attacker.networkNamespace, [routerAdvertisement(attacker.hardwareAddress)]);
      await delay(100);
    }
    const inVictim = (path: string) => node.output(victim.container, 'cat', path);
    assert.doesNotMatch(await inVictim('/proc/net/if_inet6'), /eth0/);
    assert.doesNotMatch(await inVictim('/proc/net/ipv6_route'), /eth0/);
    assert.equal(await inVictim('/proc/sys/net/ipv6/conf/eth0/accept_ra'), '0\n');
    const ports = ['conf/accept_ra', 'conf/autoconf'].map((setting) => {
      const [folder, name] = setting.split('/');
      return readFileSync(`/proc/sys/net/ipv6/${folder}/${node.bridgeName}/${name}`, 'utf8');
    });
    assert.deepEqual(ports, ['0\n', '0\n']);
    const cables = [node.bridgeName, `wv${attacker.id.slice(0, 12)}`];
    const machine = readFileSync('/proc/net/if_inet6', 'utf8');
    for (const cable of cables) assert.ok(!machine.includes(cable), `${cable} has an IPv6 address`);
  });

  test('is refused at once where nothing answers for a range, and reaches the rest', async () => {
    const startedMs = performance.now();
    const answer = await node.output(attacker.container, 'nc', '-w', '20', '198.18.96.1', '443');
    // A machine without a way out says so before the bridge does.
    assert.match(answer, /Connection refused|Network is unreachable/);
    assert.ok(performance.now() - startedMs < 15_000, 'it waited');
    assert.match(
      await node.output(attacker.container, 'ping', '-c', '1', '-W', '2', victim.ip),
      /1 packets received/,
    );
  });

  test('after a restart of the runtime it is still who it was, and nobody else', async () => {
    await node.restart();
    using everywhere = disposable(await listen('0.0.0.0'));
    const texts = await heard(everywhere.socket, { from: attacker, gateway }, (port) => [
      datagram({ ...attacker, ip: victim.ip }, gateway, port, "a neighbour's IP"),
    ]);
    assert.deepEqual(texts, ['true']);
  });
});

const disposable = (socket: Socket) => ({ socket, [Symbol.dispose]: () => socket.close() });

/** The fourth column of /proc/net/arp. */
const hardwareAddressOf = (ip: string, table: string): string | undefined =>
  table
    .split('\n')
    .map((line) => line.split(/\s+/))
    .find(([address]) => address === ip)?.[3];
