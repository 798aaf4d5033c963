/** A node whose pods are on a bridge that Debian's CNI plug-ins make: services, names and host ports as on the built-in one. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { RouteNetlink } from '@wherry/linux';
import { needProgram } from '../packages/linux/test/needs.ts';
import { run } from './command.ts';
import { eventually, podOf, TestNode, wherry } from './node.ts';
import { timeoutFlag } from './slowness.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-e2e-cni-'));
const confDir = join(folder, 'net.d');
const bridge = `we${process.pid}`;
const flags = ['--cni-conf-dir', confDir, '--cni-bin-dir', '/usr/lib/cni'];
let node: TestNode;

const list = {
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      ...{
        type: 'bridge',
        bridge,
        isGateway: true,
        ipMasq: true,
        hairpinMode: true,
        capabilities: { ipRanges: true },
      },
      ipam: { type: 'host-local', dataDir: join(folder, 'leases'), routes: [{ dst: '0.0.0.0/0' }] },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
};

before(async () => {
  needProgram('/usr/lib/cni/bridge', 'containernetworking-plugins');
  mkdirSync(confDir);
  writeFileSync(join(confDir, '10-pods.conflist'), JSON.stringify(list));
  node = await TestNode.start('cni', flags);
});
after(async () => {
  await node?.remove();
  using routes = new RouteNetlink();
  routes.deleteLink(bridge);
  rmSync(folder, { recursive: true, force: true });
});

const apply = (...items: object[]) =>
  node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
const heard = async (pod: string, script: string) =>
  (await node.kubectlOk(['exec', pod, '--', 'sh', '-c', `${script}; true`])).trim();

test('pods are found by the name and address of their service, also by themselves, and by their host port', async () => {
  const ports = [{ containerPort: 8080, hostPort: 24801 }];
  const command = ['sh', '-c', 'trap exit TERM; while true; do nc -ll -p 8080 -e hostname & wait; done'];
  const service = {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'server' } },
    spec: { selector: { app: 'server' }, ports: [{ port: 80, targetPort: 8080 }] },
  };
  await apply(podOf('server', { command, ports }), podOf('client'), service);
  await node.kubectlOk(['wait', '--for=condition=Ready', 'pod/server', 'pod/client', timeoutFlag(30)]);
  await eventually('the service', async () => (await heard('client', 'nc -w 2 server 80')) === 'server');
  const itself = () => heard('server', 'nc -w 2 server.default.svc.cluster.local 80');
  await eventually('its own service', async () => (await itself()) === 'server');
  const address = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  assert.equal(
    (await run('busybox', ['nc', '-w', '2', address ?? '', '24801'], { stdin: '' })).stdout.trim(),
    'server',
  );
  using routes = new RouteNetlink();
  assert.ok(
    routes.links().some(({ name }) => name === bridge),
    'the plug-in made the bridge',
  );
});

test('a node keeps the network that it was made with', async () => {
  const other = ['--cni-conf-dir', join(folder, 'other'), '--data-dir', node.dataDir];
  const { code, stderr } = await wherry(['up', '--detach', ...other]);
  assert.notEqual(code, 0);
  assert.match(stderr, /the node in this folder has CNI networks of ".*net\.d" .*down --purge/);
});

test('nothing of its pods stays when the node goes', async () => {
  const leases = () => readdirSync(join(folder, 'leases/pods')).filter((name) => /^[\d.]+$/.test(name));
  assert.ok(leases().length >= 2);
  const { code, stderr } = await wherry(['down', '--data-dir', node.dataDir]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(leases(), []);
  const left = join(node.dataDir, 'runtime/cni/results');
  assert.deepEqual(existsSync(left) ? readdirSync(left) : [], []);
});
