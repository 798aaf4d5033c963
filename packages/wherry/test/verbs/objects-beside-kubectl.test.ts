/** `get`, `delete` and `api-resources`, and the real kubectl. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ConfigMap } from '@wherry/kubeapi';
import { BesideKubectl } from './beside-kubectl.ts';

let both: BesideKubectl;

const configMap = (name: string, of = 'server') => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { of } } },
  data: { of },
});
const maps = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const deployment = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'app', image: 'app:1' }] },
    },
  },
};

before(async () => {
  const objects = [...maps.map((name) => configMap(name)), configMap('x', 'file'), configMap('y', 'file')];
  both = await BesideKubectl.start([...objects, namespace('shop'), deployment]);
});
after(() => both?.close());

/** Names of the ConfigMaps that are left. */
async function left(): Promise<string[]> {
  const names: string[] = [];
  for await (const { metadata } of both.wherry.client.list<ConfigMap>('ConfigMap', { namespace: 'default' }))
    names.push(metadata.name ?? '');
  return names.filter((name) => name !== 'kube-root-ca.crt');
}

test('get asks in chunks, names kinds, and takes sub-resources and its own columns', async () => {
  for (const line of [
    'get cm --chunk-size=1 -o name',
    'get cm --chunk-size=2 -L of --no-headers --show-kind',
    'get cm --chunk-size=0 -o custom-columns=N:.metadata.name',
    'get cm h --show-kind',
    'get deploy web --show-kind --no-headers',
    'get deploy/web --subresource=scale',
    'get deploy/web --subresource=scale -o name',
    'get deploy/web --subresource=scale -o json',
    'get deploy --subresource=scale',
    'get cm h --server-print=false',
    'get cm,deploy --server-print=false -L of --show-labels',
    'get cm,deploy --no-headers',
    'get cm,deploy web',
    'get cm/h deploy/nope',
    'get cm/h deploy/web',
    'get cm,secrets',
    'get cm --server-print=false -A',
    'get cm nope --server-print=false',
    'get cm -l of=nothing --server-print=false',
    'get cm --output-watch-events',
    'get cm --show-labels -o yaml',
    'get cm nope -w',
  ])
    await both.typeLine(line);
  // kubectl before 1.34 does not ignore it.
  const ignored = await both.wherry.run('get cm nope -w --ignore-not-found');
  assert.deepEqual(ignored, { code: 0, stdout: '', stderr: '' });
});

test('api-resources chooses among the types of the server, and orders them', async () => {
  for (const line of [
    'api-resources',
    'api-resources --sort-by=kind --no-headers --cached',
    'api-resources --sort-by=name -o name',
    'api-resources --api-group=apps -o wide --no-headers --categories=all',
    'api-resources --api-group= --namespaced=false',
    'api-resources --namespaced --verbs=list,deletecollection --api-group=batch',
    'api-resources --api-group=nope',
    'api-resources --sort-by=age',
    'api-resources extra',
  ])
    await both.typeLine(line);
  const { stdout } = await both.wherry.run('api-resources --api-group=batch -o json');
  assert.deepEqual(
    JSON.parse(stdout).resources.map(({ name, group }: { name: string; group: string }) => [name, group]),
    [
      ['cronjobs', 'batch'],
      ['jobs', 'batch'],
    ],
  );
});

test('delete says what is gone, and from where', async () => {
  assert.equal(
    (await both.wherry.run('delete cm a deploy/web')).stderr.split('\n')[0],
    "error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'wherry get resource/<resource_name>' instead of 'wherry get resource resource/<resource_name>'",
  );
  for (const line of [
    'delete cm nope a other',
    'delete cm/nope deploy/web',
    'delete cm nope --ignore-not-found',
    'delete cm b -o name',
    'delete cm -l of=nothing',
    'delete cm --field-selector metadata.name=c',
    'delete cm --cascade=true --dry-run=client a',
    'delete cm a --cascade --dry-run=client',
    'delete cm d --wait=false',
    'delete cm e --now --grace-period=1',
    'delete --raw /api/v1/namespaces/default/configmaps/nope',
  ])
    await both.typeLine(line);
  assert.deepEqual(await left(), ['e', 'f', 'g', 'h', 'i', 'x', 'y']);
  await both.compareObjects('ConfigMap', 'Deployment');
});

test('delete names the namespace, and says who was not waited for', async () => {
  const { stdout } = await both.wherry.run('delete cm e --dry-run=client');
  assert.equal(stdout, 'configmap "e" deleted from default namespace (dry run)\n');
  for (const line of [
    'delete ns shop -n other --dry-run=server',
    'delete cm e --force --dry-run=server',
    'delete cm e --force',
  ])
    await both.typeLine(line);
  await both.compareObjects('ConfigMap', 'Namespace');
});

test('delete --dry-run deletes nothing, and at the client asks nothing', async () => {
  const file = both.file('dry.json', {
    apiVersion: 'v1',
    kind: 'List',
    items: [configMap('x'), configMap('nope')],
  });
  for (const line of [
    `delete -f ${file} --dry-run=client`,
    `delete -f ${file} --dry-run=server`,
    'delete cm --all --dry-run=server -o name',
  ])
    await both.typeLine(line);
  assert.deepEqual(await left(), ['f', 'g', 'h', 'i', 'x', 'y']);
});

test('delete -i asks first', async () => {
  await both.typeInto('delete cm f -i', 'n\n');
  await both.typeInto('delete cm f nope -i', 'Y\n');
  await both.typeLine('delete cm -l of=nothing -i');
  assert.deepEqual(await left(), ['g', 'h', 'i', 'x', 'y']);
});

test('delete --raw asks at a path, with a file as what is sent', async () => {
  const file = both.file('options.json', { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] });
  const raw = '--raw /api/v1/namespaces/default/configmaps/g';
  assert.equal((await both.wherry.run(`delete -f ${file} ${raw}`)).code, 0);
  assert.ok((await left()).includes('g'));
  assert.equal((await both.wherry.run(`delete ${raw}`)).code, 0);
  assert.deepEqual(await left(), ['h', 'i', 'x', 'y']);
  for (const line of [`delete ${raw} -f a -f b`, `delete ${raw} -i`, `delete ${raw} -R`])
    await both.typeLine(line);
});
