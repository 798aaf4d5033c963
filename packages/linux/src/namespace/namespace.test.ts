import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { needRoot } from '../../test/needs.ts';
import { getXattr, makeNode, setTimes, setXattr } from '../filesystem/file-attributes.ts';
import { bindMount, mount, unmount } from '../filesystem/mount.ts';
import { readMountInfo } from '../filesystem/mountinfo.ts';
import { RouteNetlink } from '../netlink/route.ts';
import { pinNamespaces, unpinNamespace, withNetworkNamespace } from './namespace.ts';
import { openTcpSocketIn } from './socket.ts';

let folder = '';

suite('as root', () => {
  before(() => {
    needRoot();
    folder = mkdtempSync(join(tmpdir(), 'wherry-linux-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const place = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };

  test('pinned namespaces live without a process, and this one stays where it was', () => {
    const home = readlinkSync('/proc/thread-self/ns/net');
    const host = hostname();
    const seen: string[] = [];
    const pins = pinNamespaces({
      types: ['net', 'ipc', 'uts'],
      directory: place('pins'),
      hostname: 'boat',
      inside: () => void seen.push(readFileSync('/proc/sys/kernel/hostname', 'utf8').trim()),
    });
    assert.deepEqual(seen, ['boat']);
    assert.deepEqual([readlinkSync('/proc/thread-self/ns/net'), hostname()], [home, host]);
    const links = withNetworkNamespace(pins.net!, () => {
      using routes = new RouteNetlink();
      return routes.links().map(({ name, up }) => [name, up]);
    });
    assert.deepEqual(
      links.filter(([name]) => name === 'lo'),
      [['lo', false]],
    );
    for (const pin of Object.values(pins)) unpinNamespace(pin);
    assert.ok(!readMountInfo().some(({ mountPoint }) => mountPoint.startsWith(folder)));
  });

  test('an error inside new namespaces leads home and leaves no pin', () => {
    const home = readlinkSync('/proc/thread-self/ns/net');
    const inside = () => {
      throw new Error('on purpose');
    };
    assert.throws(() => pinNamespaces({ types: ['net'], directory: place('broken'), inside }), {
      message: 'on purpose',
    });
    assert.equal(readlinkSync('/proc/thread-self/ns/net'), home);
    assert.ok(!readMountInfo().some(({ mountPoint }) => mountPoint.startsWith(folder)));
  });

  test('bridge, cable, addresses and routes carry a connection into a namespace', async () => {
    const name = `wt${process.pid % 100_000}`;
    const pins = pinNamespaces({ types: ['net'], directory: place('cable') });
    using routes = new RouteNetlink();
    routes.createBridge(name);
    try {
      routes.addAddress(name, '10.213.77.1/24');
      routes.setLink(name, { up: true });
      routes.createVeth({ name: `${name}v`, peerName: 'eth0', peerNamespacePath: pins.net!, mtu: 1400 });
      routes.setLink(`${name}v`, { master: name, up: true, hairpin: true });
      withNetworkNamespace(pins.net!, () => {
        using inner = new RouteNetlink();
        inner.setLink('eth0', { up: true });
        inner.addAddress('eth0', '10.213.77.2/24');
        inner.addAddress('eth0', 'fd00:77::2/64');
        inner.addRoute({ via: '10.213.77.1' });
        assert.deepEqual(inner.routes().find(({ to }) => to === 'default')?.via, '10.213.77.1');
        assert.ok(inner.addresses().some(({ address }) => address === 'fd00:77::2'));
        assert.throws(() => inner.addAddress('eth0', '10.213.77.2/24'), { code: 'EEXIST' });
      });
      assert.equal(routes.link(`${name}v`).masterIndex, routes.link(name).index);
      await assertReaches('10.213.77.1', pins.net!);
    } finally {
      routes.deleteLink(`${name}v`);
      routes.deleteLink(name);
      unpinNamespace(pins.net!);
    }
    assert.equal(routes.deleteLink(name), false);
  });

  test('mounts come and go, read-only ones refuse writes', () => {
    const [source, target, memory] = [place('source'), place('target'), place('memory')];
    writeFileSync(join(source, 'file'), 'x');
    bindMount(source, target, { readOnly: true });
    assert.equal(readFileSync(join(target, 'file'), 'utf8'), 'x');
    assert.throws(() => writeFileSync(join(target, 'file'), 'y'), { code: 'EROFS' });
    assert.equal(unmount(target), true);
    assert.equal(unmount(target), false);
    mount({ type: 'tmpfs', source: 'tmpfs', target: memory, data: 'size=1m' });
    assert.equal(readMountInfo().find(({ mountPoint }) => mountPoint === memory)?.type, 'tmpfs');
    unmount(memory, { detach: true });
    assert.throws(() => mount({ type: 'no-such-fs', target: memory }), { code: 'ENODEV' });
  });

  test('devices, attributes and times are those asked for', () => {
    const path = join(folder, 'node');
    makeNode(path, { type: 'character', mode: 0o600, major: 1, minor: 3 });
    assert.deepEqual([statSync(path).rdev, statSync(path).isCharacterDevice()], [0x103, true]);
    const link = join(folder, 'link');
    symlinkSync('nowhere', link);
    setTimes(link, { accessedNs: 1n, modifiedNs: -1_500_000_001n });
    assert.equal(lstatSync(link, { bigint: true }).mtimeNs, -1_500_000_001n);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    setXattr(file, 'trusted.test', Buffer.from('value'));
    assert.equal(Buffer.from(getXattr(file, 'trusted.test')!).toString(), 'value');
    assert.equal(getXattr(file, 'trusted.other'), null);
  });
});

async function assertReaches(address: string, namespace: string): Promise<void> {
  const server = createServer((socket) => socket.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as { port: number };
  const socket = new Socket({ fd: openTcpSocketIn(namespace, 'ipv4') });
  socket.connect(port, address);
  let text = '';
  for await (const chunk of socket) text += chunk;
  server.close();
  assert.equal(text, 'hello');
}
