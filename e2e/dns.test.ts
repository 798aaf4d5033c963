/** Names in pods, looked up by the resolvers that images bring: busybox' own and glibc's. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { bareAnswer } from '../packages/dns/src/wire/answer.ts';
import { readQuery } from '../packages/dns/src/wire/query.ts';
import { writeResponse } from '../packages/dns/src/wire/response.ts';
import { buildImage, fillTree } from './image.ts';
import { eventually, podOf, TestNode, wherry } from './node.ts';

const glibcImage = 'docker.io/library/wherry-glibc:latest';
const folder = mkdtempSync(join(tmpdir(), 'wherry-dns-'));
/** An address of loopback that no other server has. */
const outside = '127.53.53.53';
const asked: string[] = [];
const resolver = createSocket('udp4');
let node: TestNode;

/** The tests' image with glibc's getent, which resolves as most programs of Debian's images do. */
function fillGlibcTree(tree: string): void {
  fillTree(tree);
  const { stdout } = spawnSync('ldd', ['/usr/bin/getent'], { encoding: 'utf8' });
  const files = ['/usr/bin/getent', ...(stdout.match(/\/\S+/g) ?? [])];
  for (const file of files) {
    mkdirSync(join(tree, dirname(file)), { recursive: true });
    copyFileSync(realpathSync(file), join(tree, file));
  }
  writeFileSync(join(tree, 'etc/nsswitch.conf'), 'hosts: dns\n');
}

/** Knows `www.example.com`, and nothing else. */
async function startResolver(): Promise<void> {
  resolver.on('message', (packet, from) => {
    const query = readQuery(packet);
    if (!query) return;
    asked.push(query.name);
    const { name, type } = query;
    const isKnown = name === 'www.example.com';
    const record = { owner: name, type, ttl: 60, data: [Buffer.from([192, 0, 2, 80])] };
    const answer = { ...bareAnswer(isKnown ? 0 : 3), answers: isKnown && type === 1 ? [record] : [] };
    resolver.send(writeResponse(query, answer), from.port, from.address);
  });
  resolver.bind(53, outside);
  await once(resolver, 'listening');
  writeFileSync(join(folder, 'resolv.conf'), `nameserver ${outside}\n`);
}

before(async () => {
  await startResolver();
  node = await TestNode.start();
  await buildImage(node.dataDir, glibcImage, fillGlibcTree);
  const config = join(folder, 'node.yaml');
  const kubelet = `kubelet: {resolvConf: ${join(folder, 'resolv.conf')}}`;
  writeFileSync(config, `apiVersion: wherry/v1alpha1\nkind: Node\ndataDir: ${node.dataDir}\n${kubelet}\n`);
  const { code, stderr } = await wherry(['up', '--config', config, '--detach']);
  assert.equal(code, 0, stderr);
  const selector = { app: 'db' };
  const { spec } = podOf('db');
  await node.apply(
    podOf('busy'),
    podOf('glibc', { image: glibcImage }),
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'db' } },
      spec: { clusterIP: 'None', selector, ports: [{ name: 'pg', port: 5432 }] },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
      spec: { selector: { app: 'none' }, ports: [{ name: 'http', port: 80 }] },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'out' } },
      spec: { type: 'ExternalName', externalName: 'www.example.com' },
    },
    {
      ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' } },
      spec: {
        ...{ replicas: 2, podManagementPolicy: 'Parallel', serviceName: 'db' },
        ...{ selector: { matchLabels: selector }, template: { metadata: { labels: selector }, spec } },
      },
    },
  );
  await node.kubectlOk(['rollout', 'status', 'statefulset/db', '--timeout=60s']);
});
after(async () => {
  await node?.remove();
  resolver.close();
  rmSync(folder, { recursive: true, force: true });
});

const inPod = async (pod: string, ...words: string[]) => {
  const { stdout, stderr } = await node.kubectl(['exec', pod, '--', ...words]);
  return stdout + stderr;
};
const field = (what: string, path: string) => node.kubectlOk(['get', what, '-o', `jsonpath={${path}}`]);
/** As busybox’ nslookup prints an answer. */
const addressIn = (text: string) => /Address:\s+(\d+\.\d+\.\d+\.\d+)\s*$/.exec(text)?.[1];

test('short and long names of services, of their pods and of others are found in pods by busybox and glibc', async () => {
  const web = await field('service/web', '.spec.clusterIP');
  const db = await field('pod/db-0', '.status.podIP');
  const names = {
    web,
    'web.default': web,
    'web.default.svc.cluster.local': web,
    'db-0.db': db,
    'kubernetes.default': await field('service/kubernetes', '.spec.clusterIP'),
    'kube-dns.kube-system.svc': '10.96.0.10',
    'www.example.com': '192.0.2.80',
    out: '192.0.2.80',
  };
  await eventually('db-0 is in the DNS', async () =>
    /^\d/.test(await inPod('glibc', 'getent', 'hosts', 'db-0.db')),
  );
  for (const [name, address] of Object.entries(names)) {
    const [first] = (await inPod('glibc', 'getent', 'ahostsv4', name)).split(/\s/);
    assert.equal(first, address, `glibc: ${name}`);
  }
  for (const name of ['web.default.svc.cluster.local', 'db-0.db.default.svc.cluster.local'])
    assert.equal(
      addressIn(await inPod('busy', 'nslookup', '-type=a', name)),
      name.startsWith('web') ? web : db,
      name,
    );
  const byService = await inPod('busy', 'nslookup', '-type=a', 'web.default.svc.cluster.local', '10.96.0.10');
  assert.equal(addressIn(byService), web);
  assert.match(
    await inPod('busy', 'nslookup', '-type=srv', '_pg._tcp.db.default.svc.cluster.local'),
    /service = 0 50 5432 db-1\.db\.default\.svc\.cluster\.local/,
  );
  assert.match(await inPod('busy', 'nslookup', db), /name = db-0\.db\.default\.svc\.cluster\.local/);
});

test('a pod finds a name of the internet with one question of its search path, and no name of the cluster leaves it', async () => {
  assert.match(await inPod('glibc', 'getent', 'ahostsv4', 'nope'), /^(command terminated|$)/);
  const outward = asked.filter((name) => name.includes('cluster.local') || name.includes('web'));
  assert.deepEqual(outward, []);
  const metrics = async () => {
    const gateway = (await inPod('busy', 'ip', 'route')).match(/default via (\S+)/)?.[1];
    return (await fetch(`http://${gateway}:9153/metrics`)).text();
  };
  const searched = async () => Number(/coredns_autopath_success_total (\d+)/.exec(await metrics())?.[1] ?? 0);
  const before = await searched();
  await inPod('glibc', 'getent', 'ahostsv4', 'www.example.com');
  assert.ok((await searched()) > before);
});

test('the resolver of a pod is what its policy says', async () => {
  await node.apply(
    podOf('plain', {}, { dnsPolicy: 'Default' }),
    podOf('own', {}, { dnsPolicy: 'None', dnsConfig: { nameservers: ['192.0.2.9'] } }),
    podOf('host', {}, { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }),
  );
  const file = (pod: string) => inPod(pod, 'cat', '/etc/resolv.conf');
  assert.match(await file('plain'), new RegExp(`^nameserver ${outside}\n$`));
  assert.match(await file('own'), /^nameserver 192\.0\.2\.9\n$/);
  assert.equal(await file('host'), await file('busy'));
  assert.match(
    await file('busy'),
    /search default\.svc\.cluster\.local svc\.cluster\.local cluster\.local\b/,
  );
  const web = await field('service/web', '.spec.clusterIP');
  assert.equal(addressIn(await inPod('host', 'nslookup', '-type=a', 'web.default.svc.cluster.local')), web);
});

test('names are found again after the process was killed, and what changed meanwhile', async () => {
  process.kill(await node.pidOf('network'), 'SIGKILL');
  await node.kubectlOk(['create', 'service', 'clusterip', 'later', '--tcp=80']);
  await node.up();
  const later = await field('service/later', '.spec.clusterIP');
  await eventually(
    'the later service is found',
    async () =>
      addressIn(await inPod('busy', 'nslookup', '-type=a', 'later.default.svc.cluster.local')) === later,
  );
});
