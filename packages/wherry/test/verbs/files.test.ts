/** Objects that files name, and what `run` makes with a patch. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ConfigMap, Pod } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
  for (const namespace of ['default', 'work']) {
    if (namespace === 'work')
      await served.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await served.client.create(configMap(`in-${namespace}`, namespace));
    await served.client.create({
      ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
    });
  }
});
after(() => served?.close());

const configMap = (name: string, namespace: string) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } },
  data: { of: 'server' },
});
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });

test('get -f shows the objects that a file names, as the server has them and each where it is', async () => {
  const both = [configMap('in-default', 'default'), configMap('in-work', 'work')];
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  const file = served.file('all.json', ...both, account);
  const names = 'configmap/in-default\nconfigmap/in-work\nserviceaccount/default\n';
  assert.deepEqual(await served.run(`get -f ${file} -o name`), { code: 0, stdout: names, stderr: '' });
  const { stdout: table } = await served.run(`get -f ${file}`);
  assert.match(
    table,
    /^NAME +DATA.*\nconfigmap\/in-default .*\nconfigmap\/in-work .*\n\nNAME.*\nserviceaccount/,
  );
  assert.deepEqual(
    await served.run(`get -f ${file} --watch`),
    failed(
      'error: watch is only supported on individual resources and resource collections - 3 resources were found',
    ),
  );
  const one = served.file('one.json', { ...configMap('in-work', 'work'), data: { of: 'file' } });
  const { stdout } = await served.run(`get -f ${one} -o json`);
  assert.deepEqual((JSON.parse(stdout) as ConfigMap).data, { of: 'server' });
});

test('files that hold no objects keep nothing from the sound ones, and are told of with exit code 1', async () => {
  const folder = join(served.server.folder, 'some-broken');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'a.yaml'),
    '# none\nmetadata: {name: a}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: sound-a}\n',
  );
  writeFileSync(
    join(folder, 'b.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: sound-b}\n---\na: [\n',
  );
  const said = /^.*\/a\.yaml:2: Object 'Kind' is missing; .*\n.*\/b\.yaml:6: Flow sequence.*\n$/;
  for (const [line, stdout] of [
    ['create -o name', 'configmap/sound-a\nconfigmap/sound-b\n'],
    ['apply -o name', 'configmap/sound-a\nconfigmap/sound-b\n'],
    ['get -o name', 'configmap/sound-a\nconfigmap/sound-b\n'],
    ['label a=b', 'configmap/sound-a labeled\nconfigmap/sound-b labeled\n'],
    ['label c=d --local -o name', 'configmap/sound-a\nconfigmap/sound-b\n'],
    ['annotate c=d --local -o name', 'configmap/sound-a\nconfigmap/sound-b\n'],
    [`patch -p {"data":{"c":"d"}} --local -o name`, 'configmap/sound-a\nconfigmap/sound-b\n'],
    ['replace', 'configmap/sound-a replaced\nconfigmap/sound-b replaced\n'],
    [
      'wait --for=jsonpath={.kind}=ConfigMap',
      'configmap/sound-a condition met\nconfigmap/sound-b condition met\n',
    ],
    ['auth reconcile', ''],
    ['delete -o name', 'configmap/sound-a\nconfigmap/sound-b\n'],
  ]) {
    const ended = await served.run(`${line} -f ${folder}`);
    assert.deepEqual({ code: ended.code, stdout: ended.stdout }, { code: 1, stdout }, line);
    assert.match(ended.stderr, said, line);
  }
  const { code, stderr } = await served.run(`edit -f ${folder}`);
  assert.equal(code, 1);
  assert.match(stderr, /a\.yaml:2: Object 'Kind' is missing/);
});

test('get -f goes on behind an object that is not there, and refuses words and selectors beside a file', async () => {
  const file = served.file('some.json', configMap('nope', 'default'), configMap('in-default', 'default'));
  assert.deepEqual(await served.run(`get -f ${file} -o name`), {
    ...{ code: 1, stdout: 'configmap/in-default\n' },
    stderr: 'Error from server (NotFound): configmaps "nope" not found\n',
  });
  assert.equal((await served.run(`get -f ${file} -o name --ignore-not-found`)).code, 0);
  assert.deepEqual(
    await served.run(`get cm -f ${file}`),
    failed(
      'error: when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
    ),
  );
  assert.match((await served.run(`get -f ${file} -l a=b`)).stderr, /^error: a file names its objects/);
});

test('create -f --dry-run=client names what has no name yet as kubectl does', async () => {
  const unnamed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'some-' } };
  const line = `create -f ${served.file('unnamed.json', unnamed)} --dry-run=client`;
  assert.equal((await served.run(line)).stdout, 'configmap/<unknown> created (dry run)\n');
  assert.equal((await served.run(`${line} -o name`)).stdout, 'configmap/<unknown>\n');
});

test('of a key that a file has twice the last counts, as in kubectl, with a warning that names the line', async () => {
  const file = join(served.server.folder, 'twice.yaml');
  writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata:\n  a: b\n  a: c\n');
  assert.deepEqual(await served.run(`create -f ${file}`), {
    ...{ code: 0, stdout: 'configmap/twice created\n' },
    stderr: `Warning: ${file}:6: a key is there twice; the last one counts\n`,
  });
  assert.deepEqual((await served.client.get<ConfigMap>('ConfigMap/twice')).data, { a: 'c' });
});

test('run --overrides changes the pod before it is created, by each kind of patch', async () => {
  const line = 'run web --image=app';
  const made = { code: 0, stdout: 'pod/web created\n', stderr: '' };
  assert.deepEqual(await served.run(`${line} --overrides`, '{"spec":{"nodeName":"n"}}'), made);
  assert.equal((await served.client.get<Pod>('Pod/web')).spec?.nodeName, 'n');
  const container = '{"spec":{"containers":[{"name":"web","tty":true}]}}';
  const dry = `${line} --dry-run=client -o json`;
  const strategic = await served.run(`${dry} --override-type=strategic --overrides`, container);
  const [changed] = (JSON.parse(strategic.stdout) as Pod).spec?.containers ?? [];
  assert.deepEqual(changed, { name: 'web', image: 'app', resources: {}, tty: true });
  const rename = '[{"op":"replace","path":"/metadata/name","value":"other"}]';
  const other = await served.run(`${line} --dry-run=server --override-type=json --overrides`, rename);
  assert.equal(other.stdout, 'pod/other created (server dry run)\n');
  assert.deepEqual(
    await served.run(`${dry} --override-type=foo --overrides={}`),
    failed('error: invalid override type: foo'),
  );
  assert.match((await served.run(`${dry} --overrides={`)).stderr, /^error: --overrides is no JSON/);
});
