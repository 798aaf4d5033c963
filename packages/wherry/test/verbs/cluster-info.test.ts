/** `cluster-info` and its `dump`, beside the real kubectl, and in front of a server that names pods as it likes. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { KubeObject } from '@wherry/client';
import { inProcess } from '../in-process.ts';
import { BesideKubectl } from './beside-kubectl.ts';

let both: BesideKubectl;
const folder = mkdtempSync(join(tmpdir(), 'wherry-dump-'));

const service = (name: string, spec: object, labels: object = {}): KubeObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: {
      name,
      namespace: 'kube-system',
      labels: { 'kubernetes.io/cluster-service': 'true', ...labels },
    },
    spec,
  }) as KubeObject;
const pod: KubeObject = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', namespace: 'default' } },
  ...{ spec: { initContainers: [{ name: 'i', image: 'i' }], containers: [{ name: 'c', image: 'i' }] } },
} as KubeObject;
const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

before(async () => {
  both = await BesideKubectl.start([
    namespace('shop'),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
    service('secure', { ports: [{ port: 443, name: 'a' }] }),
    service('plain', { ports: [{ port: 80 }] }, { 'kubernetes.io/name': 'Pretty' }),
    service('named', { ports: [{ port: 53, name: 'dns', protocol: 'UDP' }] }),
    service('elsewhere', { type: 'ExternalName', externalName: 'example.com' }),
    service('balanced', {
      type: 'LoadBalancer',
      ports: [
        { port: 1, name: 'one' },
        { port: 2, name: 'two' },
      ],
    }),
    pod,
  ]);
  for (const { client } of [both.kubectl, both.wherry])
    await client.patch(
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'balanced', namespace: 'kube-system' } },
      { status: { loadBalancer: { ingress: [{ hostname: 'lb.example.com' }] } } },
      { subresource: 'status' },
    );
});
after(async () => {
  await both?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Without addresses of servers, colours, spaces at ends, and whose command it is. */
const told = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: kubectl's colours
    .replace(/\u001b\[[\d;]*m/g, '')
    .replace(/https:\/\/127\.0\.0\.1:\d+/g, 'SERVER')
    .replace(/ +$/gm, '')
    .replaceAll('kubectl', 'wherry')
    .trim();

test('cluster-info tells where the control plane and the services of the cluster are', async () => {
  for (const line of ['cluster-info', 'cluster-info -n kube-system', 'cluster-info -n shop']) {
    const theirs = await both.kubectl.server.kubectl(line.split(' '));
    const ours = await both.wherry.run(line);
    assert.deepEqual([ours.code, told(ours.stdout)], [theirs.code, told(theirs.stdout)], line);
  }
  const { stdout } = await both.wherry.run('cluster-info');
  assert.match(stdout, /^balanced is running at http:\/\/lb\.example\.com:1 http:\/\/lb\.example\.com:2$/m);
  assert.match(stdout, /^Pretty is running at .*\/services\/plain\/proxy$/m);
});

test('cluster-info says how to go on also where no server answers, and knows no other words', async () => {
  const away = await inProcess(['cluster-info', '--server', 'http://127.0.0.1:1']);
  assert.deepEqual([away.code, /wherry cluster-info dump/.test(away.stdout)], [1, true]);
  const { code, stderr } = await inProcess(['cluster-info', 'dumb']);
  assert.deepEqual([code, stderr.split('\n')[0]], [1, 'error: unknown command "dumb"']);
});

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();

test('cluster-info dump writes the files that kubectl writes, with the same objects in them', async () => {
  for (const [name, flags] of [
    ['usual', ''],
    ['some', ' --namespaces=shop,none -o yaml'],
    ['of', ' -n shop'],
    ['all', ' -A --namespaces=none'],
  ] as const) {
    const [theirs, ours] = [join(folder, `kubectl-${name}`), join(folder, `wherry-${name}`)];
    const line = `cluster-info dump${flags} --output-directory `;
    assert.equal((await both.kubectl.server.kubectl(`${line}${theirs}`.split(' '))).code, 0);
    const ended = await both.wherry.run(`${line}${ours}`);
    assert.deepEqual(ended, { code: 0, stdout: `Cluster info dumped to ${ours}\n`, stderr: '' });
    assert.deepEqual(filesIn(ours), filesIn(theirs), name);
    for (const file of filesIn(ours).filter((one) => one.endsWith('.json'))) {
      const listIn = (path: string) => {
        const { kind, apiVersion, items } = JSON.parse(readFileSync(join(path, file), 'utf8'));
        const names = (items ?? []).map(({ metadata }: KubeObject) => [
          metadata?.name,
          metadata?.managedFields,
        ]);
        return { kind, apiVersion, names };
      };
      assert.deepEqual(listIn(ours), listIn(theirs), file);
    }
  }
  const log = readFileSync(join(folder, 'wherry-usual/default/one/logs.txt'), 'utf8');
  assert.deepEqual(
    log.match(/^====.*/gm),
    ['i', 'c'].flatMap((container) =>
      ['START', 'END'].map((word) => `==== ${word} logs for container ${container} of pod default/one ====`),
    ),
  );
});

test('cluster-info dump prints one list behind the other, documents of YAML apart', async () => {
  const words = (flags: string[]) => ['cluster-info', 'dump', '--namespaces=shop', ...flags];
  const json = await both.wherry.spawn(words(['--output-directory=-']), '');
  assert.equal(json.code, 0);
  assert.deepEqual(
    [...json.stdout.matchAll(/^ {4}"kind": "(\w+)"/gm)].map(([, kind]) => kind),
    [
      ...['NodeList', 'EventList', 'ReplicationControllerList', 'ServiceList', 'DaemonSetList'],
      ...['DeploymentList', 'ReplicaSetList', 'PodList'],
    ],
  );
  const yaml = await both.wherry.spawn(words(['-o', 'yaml']), '');
  assert.equal(yaml.stdout.split(/^---$/m).length, 8);
});

test('cluster-info dump says nothing when nobody reads on', async () => {
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const { kubeconfig } = both.wherry.server;
  for (const reads of ['head -c 1', 'true']) {
    const line = `"${process.execPath}" "${main}" cluster-info dump -A --kubeconfig "${kubeconfig}" | ${reads}`;
    assert.equal((await promisify(execFile)('sh', ['-c', line])).stderr, '', reads);
  }
});

test('cluster-info dump writes nothing outside of its folder, whatever a server names pods', async () => {
  const named = (name: string) => ({
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'c' }] },
  });
  const pods = [named('../../../evil'), named('..'), named('fine'), named('waits'), named('a/b')];
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    if (url.includes('/waits/log')) {
      response.statusCode = 400;
      const message = 'container "c" in pod "waits" is waiting to start';
      return response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', code: 400, message }));
    }
    if (url.includes('/log')) return response.end('said\n');
    const items = url.includes('/pods') ? pods : [];
    response.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata: {}, items }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const target = join(folder, 'a/deep/one');
    const place = ['--output-directory', target, '--server', `http://127.0.0.1:${port}`];
    const { code, stderr } = await inProcess(['cluster-info', 'dump', '--namespaces=default', ...place]);
    assert.equal(code, 1);
    assert.match(stderr, /^"\.\.\/\.\.\/\.\.\/evil" is no name that a file can have; it is not dumped$/m);
    assert.equal(stderr.trim().split('\n').length, 3);
    const logOf = (name: string) =>
      readFileSync(join(target, 'default', name, 'logs.txt'), 'utf8').split('\n')[1];
    assert.equal(logOf('fine'), 'said');
    assert.equal(logOf('waits'), 'Request log error: container "c" in pod "waits" is waiting to start');
    assert.deepEqual(
      filesIn(join(folder, 'a')).filter((file) => !/^deep\/one\/(nodes\.json|default\/\w)/.test(file)),
      [],
    );
    assert.equal(existsSync(join(folder, 'evil')), false);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
