/** `replace`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ConfigMap, Deployment } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
  for (const name of ['a', 'b', 'forced', 'held', 'raw'])
    await served.client.create({ ...configMap(name, 'server'), metadata: { name, labels: { old: 'yes' } } });
});
after(() => served?.close());

const configMap = (name: string, of: string) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  data: { of },
});
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const said = (stdout: string) => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });
const there = (name: string) => served.client.get<ConfigMap>(`ConfigMap/${name}`);

test('replace puts whole objects in the place of those that are there', async () => {
  const file = served.file('both.json', configMap('a', 'file'), configMap('b', 'file'));
  assert.deepEqual(
    await served.run(`replace -f ${file}`),
    said('configmap/a replaced\nconfigmap/b replaced'),
  );
  const { data, metadata } = await there('a');
  assert.deepEqual([data, metadata.labels], [{ of: 'file' }, undefined]);
  assert.equal(metadata.managedFields?.at(-1)?.manager, 'wherry-replace');
});

test('replace --dry-run tells what would be, and stores nothing', async () => {
  const file = served.file('dry.json', configMap('b', 'dry'));
  assert.deepEqual(
    await served.run(`replace -f ${file} --dry-run=client`),
    said('configmap/b replaced (dry run)'),
  );
  assert.deepEqual(
    await served.run(`replace -f ${file} --dry-run=server`),
    said('configmap/b replaced (server dry run)'),
  );
  const { stdout } = await served.run(`replace -f ${file} --dry-run=client -o json`);
  assert.deepEqual(JSON.parse(stdout), {
    ...configMap('b', 'dry'),
    metadata: { name: 'b', namespace: 'default' },
  });
  assert.notEqual((await there('b')).data?.['of'], 'dry');
});

test('replace creates nothing, goes on behind a failure, and refuses an older version', async () => {
  const some = served.file('some.json', configMap('nope', 'file'), configMap('b', 'second'));
  assert.deepEqual(await served.run(`replace -f ${some} -o name`), {
    ...{ code: 1, stdout: 'configmap/b\n' },
    stderr: `Error from server (NotFound): error when replacing "${some}": configmaps "nope" not found\n`,
  });
  const old = { ...configMap('b', 'older'), metadata: { name: 'b', resourceVersion: '1' } };
  const file = served.file('old.json', old);
  const { code, stderr } = await served.run(`replace -f ${file}`);
  assert.equal(code, 1);
  assert.ok(
    stderr.startsWith(
      `Error from server (Conflict): error when replacing "${file}": Operation cannot be fulfilled on configmaps "b": the object has been modified; please apply your changes to the latest version and try again`,
    ),
    stderr,
  );
  const extra = served.file('extra.json', { ...configMap('b', 'x'), bogus: 1 });
  assert.match(
    (await served.run(`replace -f ${extra}`)).stderr,
    /^Error from server \(BadRequest\): error when replacing ".*strict decoding error: unknown field "bogus"\n$/,
  );
  const invalid = served.file('invalid.json', { ...configMap('b', 'x'), data: { 'a/b': '', 'c/d': '' } });
  assert.match(
    (await served.run(`replace -f ${invalid}`)).stderr,
    /^The ConfigMap "b" is invalid: \n\* data\[a\/b\]: Invalid value: .*\n\* data\[c\/d\]: .*\n$/,
  );
  const nameless = served.file('nameless.json', { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} });
  assert.deepEqual(
    await served.run(`replace -f ${nameless}`),
    failed(`error: error when replacing "${nameless}": resource name may not be empty`),
  );
  assert.equal((await there('b')).data?.['of'], 'second');
});

test('replace --subresource writes that alone', async () => {
  const deployment = {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'app' }] } },
    },
  };
  await served.client.create(deployment);
  const changed = { ...deployment, spec: { ...deployment.spec, replicas: 9 }, status: { replicas: 3 } };
  const file = served.file('status.json', changed);
  assert.deepEqual(
    await served.run(`replace -f ${file} --subresource=status`),
    said('deployment.apps/web replaced'),
  );
  const { spec, status } = await served.client.get<Deployment>('Deployment/web');
  assert.deepEqual([spec?.replicas, status?.replicas], [1, 3]);
});

test('replace --force deletes what is there and creates it anew, and creates what is not there', async () => {
  const { metadata: before } = await there('forced');
  const file = served.file('force.json', configMap('forced', 'file'), configMap('new', 'file'));
  assert.deepEqual(
    await served.run(`replace --force -f ${file}`),
    said(
      'configmap "forced" deleted from default namespace\nconfigmap/forced replaced\nconfigmap/new replaced',
    ),
  );
  const { metadata, data } = await there('forced');
  assert.notEqual(metadata.uid, before.uid);
  assert.deepEqual(data, { of: 'file' });
  const again = await served.run(`replace --force --grace-period=0 -o name -f ${file}`);
  const [forced, made] = ['configmap/forced', 'configmap/new'];
  assert.deepEqual(again, said([forced, made, forced, made].join('\n')));
});

test('replace --force gives up waiting for what a finalizer holds', async () => {
  await served.client.patch<ConfigMap>('ConfigMap/held', { metadata: { finalizers: ['a.example/held'] } });
  const file = served.file('held.json', configMap('held', 'file'));
  const deleted = 'configmap "held" deleted from default namespace\n';
  const line = `replace --force --timeout=300ms -f ${file}`;
  assert.deepEqual(await served.run(line), {
    ...{ code: 1, stdout: deleted, stderr: 'error: context deadline exceeded\n' },
  });
  assert.deepEqual(await served.run(`${line} --wait`), {
    ...{
      code: 1,
      stdout: deleted,
      stderr: 'error: timed out waiting for the condition on configmaps/held\n',
    },
  });
  const freed = served.run(`replace --force -f ${file}`);
  await served.client.patch<ConfigMap>('ConfigMap/held', { metadata: { finalizers: null } });
  assert.match((await freed).stdout, /configmap\/held replaced\n$/);
});

test('replace --force deletes nothing when the server does not have a kind of the file', async () => {
  const unknown = { apiVersion: 'example.com/v1', kind: 'Nothing', metadata: { name: 'x' } };
  const file = served.file('unknown.json', configMap('a', 'forced'), unknown);
  const { code, stdout, stderr } = await served.run(`replace --force -f ${file}`);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^error: no matches for kind "Nothing" in version "example.com\/v1"/);
  assert.notEqual((await there('a')).data?.['of'], 'forced');
});

test('replace --raw puts a file at a path as it is', async () => {
  const file = served.file('raw.json', configMap('raw', 'put'));
  const path = '/api/v1/namespaces/default/configmaps/raw';
  assert.equal((await served.run(`replace -f ${file} --raw ${path}`)).code, 0);
  assert.equal((await there('raw')).data?.['of'], 'put');
  for (const [line, says] of [
    [`-f ${file} -f ${file}`, '--raw can only use a single local file or stdin'],
    ['-f https://127.0.0.1/x', '--raw cannot read from a url'],
    [`-R -f ${file}`, '--raw and --recursive are mutually exclusive'],
    [`-o json -f ${file}`, '--raw and --output are mutually exclusive'],
  ])
    assert.deepEqual(await served.run(`replace --raw ${path} ${line}`), failed(`error: ${says}`));
});

test('replace refuses flags that contradict each other, and those it does not have', async () => {
  const file = served.file('a.json', configMap('a', 'file'));
  for (const [line, says] of [
    ['', 'error: must specify one of -f and -k'],
    [`-f ${file} --grace-period=0`, 'error: --grace-period must have --force specified'],
    [`-f ${file} --timeout=1s`, 'error: --timeout must have --force specified'],
    [`-f ${file} --force --dry-run=server`, 'error: --dry-run can not be used when --force is set'],
    [
      `-f ${file} --cascade=foo`,
      'error: invalid cascade value (foo). Must be "background", "foreground", or "orphan"',
    ],
    [
      `cm a --force -f ${file}`,
      'error: when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
    ],
  ] as const) {
    assert.deepEqual(await served.run(`replace ${line}`.trim()), failed(says), line);
  }
  const placed = { ...configMap('a', 'file'), metadata: { name: 'a', namespace: 'default' } };
  assert.match(
    (await served.run(`replace -n other -f ${served.file('placed.json', placed)}`)).stderr,
    /^error: .*the namespace from the provided object "default" does not match the namespace "other"/,
  );
});
