/** Upstream's sample of an API server is asked through ours: its kind by kubectl, its users by our word, its storage etcd. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../e2e/free-port.ts';
import { eventually } from '../e2e/node.ts';
import { startFrontProxy } from '../packages/apiserver/test/front-proxy.ts';
import { writeFiles } from '../packages/apiserver/test/pki.ts';
import type { TestServer } from '../packages/apiserver/test/test-server.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { type GoPeer, startGoPeer } from './peers/go-process.ts';
import { etcdFlags, etcdProgram } from './upstream/etcd.ts';

const group = 'wardle.example.com';
const flunder = {
  ...{ apiVersion: `${group}/v1alpha1`, kind: 'Flunder', metadata: { name: 'one' } },
  spec: { reference: 'other' },
};
const folder = mkdtempSync(join(tmpdir(), 'wherry-extension-'));
let server: TestServer;
let etcd: GoPeer;
let extension: GoPeer;

const apply = (...items: object[]) =>
  server.kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });

before(async () => {
  const program = await buildGoPeer('extensionserver');
  ({ server } = await startFrontProxy(folder));
  const serving = await server.authority.issue({ name: 'api', hosts: ['api.wardle.svc'] });
  const own = writeFiles(folder, { 'tls.crt': serving.cert, 'tls.key': serving.key });
  mkdirSync(join(folder, 'etcd'));
  const etcdPort = await freePort();
  etcd = startGoPeer(etcdProgram(), etcdFlags(join(folder, 'etcd'), etcdPort));
  const port = await freePort();
  extension = startGoPeer(program, [
    ...['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map(
      (flag) => `--${flag}=${server.kubeconfig}`,
    ),
    ...[`--etcd-servers=http://127.0.0.1:${etcdPort}`, `--secure-port=${port}`],
    ...[`--tls-cert-file=${own['tls.crt']}`, `--tls-private-key-file=${own['tls.key']}`],
  ]);
  const address = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  assert.ok(address, 'the machine has an address besides loopback');
  const inWardle = { namespace: 'wardle' };
  const applied = await apply(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'wardle' } },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'api', ...inWardle } },
      spec: { ports: [{ name: 'https', port: 443 }] },
    },
    {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
      metadata: { name: 'api-1', ...inWardle, labels: { 'kubernetes.io/service-name': 'api' } },
      ...{ endpoints: [{ addresses: [address] }], ports: [{ name: 'https', port }] },
    },
    {
      ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' },
      metadata: { name: `v1alpha1.${group}` },
      spec: {
        ...{ group, version: 'v1alpha1', groupPriorityMinimum: 2000, versionPriority: 200 },
        service: { name: 'api', ...inWardle },
        caBundle: Buffer.from(server.authority.cert).toString('base64'),
      },
    },
  );
  assert.equal(applied.code, 0, applied.stderr);
});
after(async () => {
  await extension?.[Symbol.asyncDispose]();
  await etcd?.[Symbol.asyncDispose]();
  await server?.close();
  rmSync(folder, { recursive: true });
});

describe('a kind of upstream’s sample server', { timeout: 300_000 }, () => {
  it('is there as soon as its server is', async () => {
    const name = `v1alpha1.${group}`;
    await eventually('the server answers', async () => {
      const { stdout } = await server.kubectl(['get', 'apiservice', name]);
      return /wardle\/api +True/.test(stdout);
    });
    const { stdout } = await server.kubectl(['api-resources', `--api-group=${group}`]);
    assert.match(stdout, /^flunders +wardle\.example\.com\/v1alpha1 +true +Flunder$/m);
  });

  it('is made, read, changed, watched, explained and deleted by kubectl', async () => {
    const made = await apply(flunder);
    assert.equal(made.code, 0, made.stderr);
    const watch = server.spawnKubectl(['get', 'flunders', '--watch', '--output=name']);
    let seen = '';
    watch.stdout?.on('data', (chunk) => (seen += chunk));
    await eventually('the watch begins', async () => seen.includes('flunder.wardle.example.com/one'));
    const two = await apply({ ...flunder, metadata: { name: 'two', labels: { a: 'b' } } });
    assert.equal(two.code, 0, two.stderr);
    await eventually('the watch goes on', async () => seen.includes('flunder.wardle.example.com/two'));
    watch.kill();
    const read = await server.kubectl(['get', 'flunder', 'one', '--output=jsonpath={.spec.reference}']);
    assert.equal(read.stdout, 'other');
    const labelled = await server.kubectl(['label', 'flunder', 'one', 'a=b']);
    assert.equal(labelled.code, 0, labelled.stderr);
    const explained = await server.kubectl(['explain', 'flunder.spec.reference']);
    assert.match(explained.stdout, /FIELD: reference <string>/);
    const gone = await server.kubectl(['delete', 'flunders', '--selector=a=b']);
    assert.equal(gone.code, 0, gone.stderr);
    const left = await server.kubectl(['get', 'flunders', '--output=name']);
    assert.equal(left.stdout, '');
  });

  it('is refused by its own server’s rules', async () => {
    const fischer = { apiVersion: `${group}/v1alpha1`, kind: 'Fischer', metadata: { name: 'strict' } };
    const made = await apply({ ...fischer, disallowedFlunders: ['banned'] });
    assert.equal(made.code, 0, made.stderr);
    await eventually('its server knows the rule', async () => {
      const { stderr } = await apply({ ...flunder, metadata: { name: 'banned' } });
      await server.kubectl(['delete', 'flunder', 'banned', '--ignore-not-found']);
      return /"banned" is forbidden: this name may not be used/.test(stderr);
    });
  });

  it('is its users’ as our roles say', async () => {
    const bob = await server.authority.issue({ name: 'bob', groups: ['people'] });
    const path = `/apis/${group}/v1alpha1/namespaces/default/flunders`;
    assert.equal((await server.request('GET', path, { as: bob })).status, 403);
    const role = ['create', 'clusterrole', 'flunders', '--verb=list', `--resource=flunders.${group}`];
    assert.equal((await server.kubectl(role)).code, 0);
    const bound = ['create', 'clusterrolebinding', 'flunders', '--clusterrole=flunders', '--group=people'];
    assert.equal((await server.kubectl(bound)).code, 0);
    const { status, body } = await server.request('GET', path, { as: bob });
    assert.deepEqual([status, body.kind], [200, 'FlunderList'], JSON.stringify(body));
  });
});
