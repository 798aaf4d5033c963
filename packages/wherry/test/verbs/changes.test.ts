/** `scale`, `patch`, `label` and `annotate`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ConfigMap, Deployment } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
  for (const name of ['one', 'two']) {
    const metadata = { name, labels: { app: 'x' } };
    await served.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { key: 'a' } });
  }
  const labels = { app: 'web' };
  const spec = { containers: [{ name: 'c', image: 'web:1' }] };
  await served.client.create({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
});
after(() => served?.close());

const said = (stdout: string) => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const replicas = async () => (await served.client.get<Deployment>('Deployment/web')).spec?.replicas;
const mapOf = (name: string) => served.client.get<ConfigMap>(`ConfigMap/${name}`);

test('scale sets how many there are, if they are as many as was said', async () => {
  assert.deepEqual(await served.run('scale deploy/web --replicas=3'), said('deployment.apps/web scaled'));
  assert.equal(await replicas(), 3);
  assert.deepEqual(
    await served.run('scale deploy/web --replicas=4 --current-replicas=2'),
    failed('error: Expected replicas to be 2, was 3'),
  );
  assert.deepEqual(
    await served.run('scale deploy/web --replicas=2 --current-replicas=3'),
    said('deployment.apps/web scaled'),
  );
  assert.equal(await replicas(), 2);
  for (const [where, words] of [
    ['server', 'server dry run'],
    ['client', 'dry run'],
  ])
    assert.deepEqual(
      await served.run(`scale deploy/web --replicas=9 --dry-run=${where}`),
      said(`deployment.apps/web scaled (${words})`),
    );
  assert.equal(await replicas(), 2);
});

test('scale waits until there are so many, and no longer than it may', async () => {
  const status = { status: { replicas: 1 } };
  await served.client.patch('Deployment/web', status, { subresource: 'status' });
  assert.deepEqual(
    await served.run('scale deploy/web --replicas=1 --timeout=20s'),
    said('deployment.apps/web scaled'),
  );
  assert.deepEqual(
    await served.run('scale deploy/web --replicas=2 --timeout=20ms'),
    failed('error: timed out waiting for "web" to be synced'),
  );
});

test('scale refuses what has no number, and names what is missing', async () => {
  assert.deepEqual(
    await served.run('scale deploy/web'),
    failed('error: required flag(s) "replicas" not set'),
  );
  const { code, stderr } = await served.run('scale cm/one --replicas=1');
  assert.equal(code, 1);
  assert.match(stderr, /NotFound/);
  assert.deepEqual(await served.run('scale deploy/nope deploy/web --replicas=5'), {
    ...{ code: 1, stdout: 'deployment.apps/web scaled\n' },
    stderr: 'Error from server (NotFound): deployments.apps "nope" not found\n',
  });
});

test('patch changes fields in each of the three forms, here or at the server', async () => {
  const patched = said('configmap/one patched');
  assert.deepEqual(await served.run('patch cm/one -p', '{"data":{"key":"b"}}'), patched);
  assert.deepEqual(
    await served.run('patch cm/one -p', 'data: {key: b}'),
    said('configmap/one patched (no change)'),
  );
  const operations = JSON.stringify([{ op: 'add', path: '/data/more', value: 'c' }]);
  assert.deepEqual(await served.run('patch cm/one --type=json -p', operations), patched);
  const file = served.file('patch.json', { data: { key: null } });
  assert.deepEqual(await served.run(`patch cm/one --type=merge --patch-file ${file}`), patched);
  assert.deepEqual((await mapOf('one')).data, { more: 'c' });
  for (const where of ['client', 'server']) {
    const { stdout } = await served.run(`patch cm/one --dry-run=${where} -o json -p`, '{"data":{"key":"z"}}');
    assert.deepEqual(JSON.parse(stdout).data, { key: 'z', more: 'c' });
  }
  assert.deepEqual((await mapOf('one')).data, { more: 'c' });
  const container = { name: 'c', env: [{ name: 'A', value: 'b' }] };
  const patch = JSON.stringify({ spec: { template: { spec: { containers: [container] } } } });
  await served.run('patch deploy/web -p', patch);
  const { spec } = await served.client.get<Deployment>('Deployment/web');
  assert.equal(spec?.template.spec?.containers[0]?.image, 'web:1');
  assert.deepEqual(spec.template.spec.containers[0].env, container.env);
});

test('patch of a sub-resource changes that, and is told as its kind', async () => {
  const ended = await served.run(
    'patch deploy/web --subresource=scale --type=merge -p',
    '{"spec":{"replicas":7}}',
  );
  assert.deepEqual(ended, said('scale.autoscaling/web patched'));
  assert.equal(await replicas(), 7);
});

test('patch refuses what is no patch', async () => {
  for (const [words, says] of [
    [['cm/one'], 'error: must specify --patch or --patch-file containing the contents of the patch'],
    [['cm/one', '-p', '{}', '--patch-file', 'x'], 'error: cannot specify --patch and --patch-file together'],
    [['cm/one', '-p', '{}', '--type=foo'], 'error: --type must be one of [json merge strategic], not "foo"'],
    [
      ['cm/one', '--patch-file', '/nope'],
      'error: unable to read patch file: open /nope: no such file or directory',
    ],
    [['cm/nope', '-p', '{"data":{}}'], 'Error from server (NotFound): configmaps "nope" not found'],
  ] as const)
    assert.deepEqual(await served.run('patch', ...words), failed(says));
});

test('label sets and removes labels, and overwrites none unless it is told to', async () => {
  assert.deepEqual(
    await served.run('label cm one two a=1'),
    said('configmap/one labeled\nconfigmap/two labeled'),
  );
  assert.deepEqual(await served.run('label cm/one a=1'), said('configmap/one not labeled'));
  assert.deepEqual(
    await served.run('label cm/one a=2 b=1'),
    failed("error: 'a' already has a value (1), and --overwrite is false"),
  );
  const both = ['a=2', 'app=y'];
  const each = ["'a' already has a value (1)", "'app' already has a value (x)"].map(
    (words) => `${words}, and --overwrite is false`,
  );
  assert.deepEqual(await served.run('label cm/one', ...both), failed(each.join('\n')));
  const all = `[${each.join(', ')}]`;
  assert.deepEqual(await served.run('label cm one two', ...both), failed(`${all}\n${all}`));
  assert.deepEqual(await served.run('label cm/one a=2 --overwrite'), said('configmap/one labeled'));
  assert.deepEqual(await served.run('label cm/one a- b=1'), said('configmap/one modified'));
  assert.deepEqual(
    await served.run('label cm/one c-'),
    said('label "c" not found.\nconfigmap/one not labeled'),
  );
  assert.deepEqual((await mapOf('one')).metadata.labels, { app: 'x', b: '1' });
  assert.deepEqual(
    await served.run('label cm -l app=x app-'),
    said('configmap/one unlabeled\nconfigmap/two unlabeled'),
  );
  assert.deepEqual(await served.run('label cm/two --list'), said('a=1'));
  assert.equal((await served.run('label cm/one q=1 --resource-version=1')).code, 1);
  assert.deepEqual((await mapOf('one')).metadata.labels, { b: '1' });
});

test('annotate sets and removes annotations, and overwrites none unless it is told to', async () => {
  const annotated = said('configmap/one annotated');
  assert.deepEqual(await served.run('annotate cm/one', 'note=a = b'), annotated);
  assert.deepEqual((await mapOf('one')).metadata.annotations, { note: 'a = b' });
  assert.deepEqual(
    await served.run('annotate cm/one note=c'),
    failed(
      "error: --overwrite is false but found the following declared annotation(s): 'note' already has a value (a = b)",
    ),
  );
  assert.deepEqual(
    await served.run('annotate cm/one note=c kubernetes.io/change-cause=x --overwrite'),
    annotated,
  );
  assert.deepEqual(await served.run('annotate cm/one kubernetes.io/change-cause=y note-'), annotated);
  assert.deepEqual((await mapOf('one')).metadata.annotations, { 'kubernetes.io/change-cause': 'y' });
  assert.deepEqual(
    await served.run('annotate cm one two --list'),
    said(
      'Listing annotations for ConfigMap./one:\n kubernetes.io/change-cause=y\nListing annotations for ConfigMap./two:',
    ),
  );
});

test('label and annotate refuse what they can not read', async () => {
  for (const [line, says] of [
    ['label cm/one a=1 cm/two', 'error: all resources must be specified before label changes: cm/two'],
    ['label cm/one a=b=c', 'error: invalid label spec: a=b=c'],
    ['label cm/one a=1 a-', 'error: can not both modify and remove a label in the same command'],
    ['label cm/one', 'error: at least one label update is required'],
    ['label a=1', 'error: one or more resources must be specified as <resource> <name> or <resource>/<name>'],
    ['label cm/one --list -o json', 'error: --list and --output may not be specified together'],
    [
      'annotate cm one two a=1 --resource-version=1',
      'error: --resource-version may only be used with a single resource',
    ],
    [
      'annotate cm/one a=1 a-',
      'error: can not both modify and remove the following annotation(s) in the same command: a',
    ],
  ] as const)
    assert.deepEqual(await served.run(line), failed(says), line);
  assert.match(
    (await served.run('label cm/one a=-x')).stderr,
    /^error: invalid label value: "a=-x": a valid label/,
  );
});
