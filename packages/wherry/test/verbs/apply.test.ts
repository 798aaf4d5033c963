/** `apply`, beside kubectl's. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@wherry/client';
import type { ConfigMap, Deployment } from '@wherry/kubeapi';
import { BesideKubectl } from './beside-kubectl.ts';

let both: BesideKubectl;

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const configMap = (name: string, data: object, metadata: object = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data },
});
const deployment = (name: string, images: Record<string, string>, spec: object = {}) => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: Object.entries(images).map(([container, image]) => ({ name: container, image })) },
    },
    ...spec,
  },
});
const thing = (name: string, spec: object) => ({
  ...{ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name } },
  spec,
});
const list = (...items: object[]) => ({ apiVersion: 'v1', kind: 'List', items });

before(async () => {
  both = await BesideKubectl.start([configMap('by-hand', { k: 'hand' }, { labels: { made: 'by-hand' } })]);
  await Promise.all([both.kubectl, both.wherry].map((one) => one.defineThings()));
});
after(() => both?.close());

/** Types the same at both; wherry is told to apply as kubectl does by default. */
async function typeBoth(line: string): Promise<void> {
  await both.typeLine(`apply ${line}`, `apply --server-side=false ${line}`);
}
/** Changes an object of both as somebody else would. */
const patchBoth = (name: string, patch: object) =>
  Promise.all([both.kubectl, both.wherry].map(({ client }) => client.patch(name, patch)));
const ours = <T extends KubeObject>(name: string) => both.wherry.client.get<T>(name);

test('apply without server-side creates, changes and leaves alone what kubectl does', async () => {
  const first = both.file(
    'first.json',
    list(
      configMap('one', { b: '<&>', a: '1', gone: '1' }, { labels: { z: '1', a: '2' } }),
      deployment('web', { one: 'app:1', two: 'app:1' }),
      thing('some', { numbers: [1], gone: 1 }),
    ),
  );
  await typeBoth(`-f ${first}`);
  await typeBoth(`-f ${first}`);
  await patchBoth('Deployment/web', { spec: { replicas: 3 } });
  await patchBoth('ConfigMap/one', { data: { theirs: '1', b: 'theirs' } });
  const second = both.file(
    'second.json',
    list(
      configMap('one', { b: '2' }),
      deployment('web', { three: 'app:1', one: 'app:2' }),
      thing('some', { numbers: [2], added: 1 }),
    ),
  );
  for (const how of ['--dry-run=client', '--dry-run=server', '-o name', ''])
    await typeBoth(`-f ${second} ${how}`.trim());
  await both.compareObjects('ConfigMap', 'Deployment', 'Thing');
  assert.deepEqual((await ours<ConfigMap>('ConfigMap/one')).data, { b: '2', theirs: '1' });
});

test('apply without server-side warns of what it has not made', async () => {
  await typeBoth(`-f ${both.file('hand.json', configMap('by-hand', { k: '1' }))}`);
  await both.compareObjects('ConfigMap');
});

test('apply -o prints one object alone and several as a list, at the end', async () => {
  const one = both.file('alone.json', configMap('alone', { k: '1' }));
  const two = both.file('two.json', list(configMap('alone', { k: '2' }), configMap('other', {})));
  for (const line of [`-f ${one} -o json`, `-f ${two} -o json`, `-f ${two} -o json --show-managed-fields`])
    await typeBoth(line);
});

test('apply --dry-run=client -o prints what would become of what is there', async () => {
  const file = both.wherry.file('dry.json', deployment('web', { one: 'app:9' }));
  const { stdout } = await both.wherry.run(`apply --server-side=false -f ${file} --dry-run=client -o json`);
  const { spec, metadata } = JSON.parse(stdout) as Deployment;
  assert.deepEqual(
    spec?.template.spec?.containers.map(({ name, image }) => [name, image]),
    [['one', 'app:9']],
  );
  assert.match(metadata.annotations?.[annotation] ?? '', /app:9/);
  assert.equal(spec?.replicas, 3);
});

test('apply --dry-run=client tells what would become of what is applied at the server, and keeps nothing', async () => {
  const { wherry } = both;
  const file = (data: Record<string, string>) => wherry.file('tried.json', configMap('tried', data));
  const tried = async (data: Record<string, string>, flags = '') =>
    wherry.run(`apply -f ${file(data)} --dry-run=client ${flags}`.trim());
  const said = (what: string) => ({ code: 0, stdout: `configmap/tried ${what} (dry run)\n`, stderr: '' });
  assert.deepEqual(await tried({ a: '1' }), said('created'));
  await wherry.run(`apply -f ${file({ a: '1' })}`);
  assert.deepEqual(await tried({ a: '1' }), said('unchanged'));
  assert.deepEqual(await tried({ a: '2' }), said('configured'));
  const { data, metadata } = JSON.parse((await tried({ a: '3' }, '-o json')).stdout) as ConfigMap;
  assert.deepEqual([data, metadata.annotations], [{ a: '3' }, undefined]);
  assert.deepEqual((await ours<ConfigMap>('ConfigMap/tried')).data, { a: '1' });
  await wherry.client.delete('ConfigMap/tried');
});

test('apply takes of files what the selector leaves', async () => {
  const labelled = ['x', 'y'].map((app) => configMap(`of-${app}`, {}, { labels: { app } }));
  const file = both.file('labelled.json', list(...labelled));
  await typeBoth(`-f ${file} -l app=x`);
  await typeBoth(`-f ${file} -l app=z`);
  await both.compareObjects('ConfigMap');
});

test('apply without server-side tells in which file and patch what was refused stood, and goes on behind it', async () => {
  const invalid = configMap('refused', { 'x y': '1' });
  const wrong = { ...deployment('web', { one: 'app:3' }), metadata: { name: 'web', namespace: 'nope' } };
  for (const objects of [[invalid], [invalid, configMap('one', { b: '3' })], [invalid, wrong]])
    await typeBoth(`-f ${both.file('wrong.json', list(...objects))}`);
  const moved = deployment('web', { one: 'app:3' }, { selector: { matchLabels: { app: 'moved' } } });
  await typeBoth(`-f ${both.file('moved.json', moved)}`);
  await both.compareObjects('ConfigMap', 'Deployment');
});

test('apply --force deletes what cannot be changed and creates it anew', async () => {
  const labels = { app: 'anew' };
  const template = {
    ...{ metadata: { labels }, spec: { containers: [{ name: 'one', image: 'app:1' }] } },
  };
  const moved = deployment('web', {}, { selector: { matchLabels: labels }, template });
  const before = await ours('Deployment/web');
  await typeBoth(`-f ${both.file('anew.json', moved)} --force --grace-period=1`);
  await both.compareObjects('Deployment');
  const after = await ours<Deployment>('Deployment/web');
  assert.notEqual(after.metadata.uid, before.metadata?.uid);
  assert.deepEqual(after.spec?.selector?.matchLabels, labels);
});

test('apply --server-side says and stores what kubectl does, and takes over what client-side apply manages', async () => {
  const file = both.file('there.json', configMap('there', { k: '1', gone: '1' }));
  await both.typeLine(`apply --server-side -f ${file}`);
  await typeBoth(`-f ${both.file('moves.json', configMap('moves', { k: '1', gone: '1' }))}`);
  const moves = both.file('moves.json', configMap('moves', { k: '1' }));
  // The annotation is kept for the one manager for whom servers keep it.
  await both.typeLine(`apply --server-side --field-manager=kubectl -f ${moves} --dry-run=server`);
  await both.typeLine(`apply --server-side --field-manager=kubectl -f ${moves}`);
  await both.compareObjects('ConfigMap');
  assert.deepEqual((await ours<ConfigMap>('ConfigMap/moves')).data, { k: '1' });
  await typeBoth(`-f ${both.file('own.json', configMap('own', { k: '1', gone: '1' }))}`);
  const own = both.file('own.json', configMap('own', { k: '1' }));
  await both.typeLine(`apply --server-side --field-manager=somebody -f ${own}`);
  await both.compareObjects('ConfigMap');
  const { data, metadata } = await ours<ConfigMap>('ConfigMap/own');
  assert.deepEqual([data, metadata.annotations?.[annotation]], [{ k: '1' }, undefined]);
});

test('apply --subresource applies that alone, at the server', async () => {
  const { spec, ...rest } = deployment('status', { one: 'app:1' });
  await both.typeLine(`apply --server-side -f ${both.file('spec.json', { ...rest, spec })}`);
  const file = both.file('status.json', { ...rest, status: { replicas: 3 } });
  await both.typeLine(`apply --server-side --subresource=status -f ${file}`);
  await both.compareObjects('Deployment');
});

test('apply refuses what kubectl refuses', async () => {
  const file = both.file('any.json', configMap('any', {}));
  for (const flags of [
    ...['--server-side --dry-run=client', '--server-side --force', '--force --dry-run=server'],
    ...['--prune', '--prune --all -l a=b', '--prune --all --force', '--prune --all --prune-allowlist=pods'],
    ...['--dry-run=maybe', '--cascade=foo', '--validate=maybe'],
  ])
    await both.typeLine(`apply -f ${file} ${flags}`, `apply -f ${file} --server-side=false ${flags}`);
  await typeBoth(`-f ${file} --force-conflicts`);
  await typeBoth(`-f ${file} --subresource=status`);
  const { stderr } = await both.wherry.run(`apply -f ${file} --force`);
  assert.match(stderr, /--force cannot be used with --server-side; --server-side=false applies here/);
});

test('apply --prune deletes what was applied before and is not now, of the namespaces of the files', async () => {
  const labels = { prune: 'x' };
  const named = (name: string) => configMap(name, {}, { labels });
  for (const { client } of [both.kubectl, both.wherry]) await client.create(named('never-applied'));
  await typeBoth(`-f ${both.file('three.json', list(named('p1'), named('p2'), named('p3')))}`);
  const [two, one] = [list(named('p1'), named('p2')), list(named('p1'))].map((object, at) =>
    both.file(`prune-${at}.json`, object),
  );
  const allowed = '--prune -l prune=x --prune-allowlist=core/v1/ConfigMap --prune-allowlist=core/v1/Secret';
  for (const how of ['--dry-run=client', '--dry-run=server', '', '-o json', '-n default'])
    await typeBoth(`-f ${two} ${allowed} ${how}`.trim());
  await typeBoth(`-f ${one} ${allowed} -o name --cascade=background --grace-period=1`);
  await both.compareObjects('ConfigMap');
  const left = await both.wherry.run('get cm -l prune=x -o name');
  assert.equal(left.stdout, 'configmap/never-applied\nconfigmap/p1\n');
});

test('apply set-last-applied lets client-side apply take a file for what it was given', async () => {
  for (const { client } of [both.kubectl, both.wherry])
    await client.create(configMap('bare', { k: '1' }), { fieldManager: 'test' });
  const file = both.file('bare.json', configMap('bare', { k: '1', gone: '1' }));
  for (const flags of [
    ...['', '--create-annotation --dry-run=client', '--create-annotation --dry-run=server -o name'],
    ...['--create-annotation -o json', '', '--dry-run=client'],
  ])
    await both.typeLine(`apply set-last-applied -f ${file} ${flags}`.trim());
  await both.typeLine(`apply set-last-applied -f ${both.file('none.json', configMap('none', {}))}`);
  await both.compareObjects('ConfigMap');
});

test('apply view-last-applied prints what client-side apply was given', async () => {
  await typeBoth(
    `-f ${both.file('view.json', configMap('view', { b: '<1>', a: '2' }, { labels: { of: 'v' } }))}`,
  );
  for (const line of [
    'cm/view',
    'cm view',
    'cm -l of=v',
    `-f ${both.file('view.json', configMap('view', {}))}`,
  ])
    await both.typeLine(`apply view-last-applied ${line} -o json`);
  await both.typeLine('apply view-last-applied cm/view');
  await both.typeLine('apply view-last-applied cm/view -o xml');
  await both.typeLine('apply view-last-applied cm/none');
  assert.deepEqual(await both.wherry.run('apply view-last-applied cm/never-applied'), {
    ...{ code: 1, stdout: '' },
    stderr: 'error: no last-applied-configuration annotation found on resource: never-applied\n',
  });
});

test('apply --force puts back what was there when the new one is refused', async () => {
  const wrong = deployment('web', {}, { selector: { matchLabels: { app: 'other' } } });
  const file = both.file('refused.json', wrong);
  const ended = await both.wherry.run(`apply --server-side=false -f ${file} --force`);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /^The Deployment "web" is invalid: /);
  assert.deepEqual((await ours<Deployment>('Deployment/web')).spec?.selector?.matchLabels, { app: 'anew' });
});

test('apply --overwrite=false leaves what others have changed, and changes what they have not', async () => {
  const run = (line: string) => both.wherry.run(`apply --server-side=false --overwrite=false ${line}`);
  const { wherry } = both;
  await run(`-f ${wherry.file('mine.json', configMap('shared', { mine: '1', theirs: '1' }))}`);
  const mine = wherry.file('mine.json', configMap('shared', { mine: '2', theirs: '1' }));
  assert.equal((await run(`-f ${mine}`)).stdout, 'configmap/shared configured\n');
  await wherry.client.patch('ConfigMap/shared', { data: { theirs: 'x' } });
  const undoing = await run(`-f ${mine}`);
  assert.equal(undoing.code, 1);
  assert.match(undoing.stderr, /conflicts with changes made from original to current: \.data\.theirs$/m);
  assert.equal((await ours<ConfigMap>('ConfigMap/shared')).data?.['theirs'], 'x');
});

test('apply at the server tells what became of each object when nobody asks for kubectl’s words', async () => {
  const run = (data: object) =>
    both.wherry.run(`apply -f ${both.wherry.file('told.json', configMap('told', data))}`);
  const said = [await run({ k: '1' }), await run({ k: '1' }), await run({ k: '2' })];
  assert.deepEqual(
    said.map(({ stdout }) => stdout),
    ['created', 'unchanged', 'configured'].map((word) => `configmap/told ${word}\n`),
  );
});

test('apply at the server takes over from client-side apply of the same hand, and diff tells so before', async () => {
  const file = (value: string) => both.wherry.file('mine.json', configMap('mine', { k: value }));
  assert.equal((await both.wherry.run(`apply --server-side=false -f ${file('1')}`)).code, 0);
  const other = await both.wherry.run(`apply --server-side --field-manager=other -f ${file('2')}`);
  assert.match(other.stderr, /conflict with "wherry-client-side-apply"/);
  const shown = await both.wherry.run(`diff -f ${file('2')}`);
  assert.deepEqual([shown.code, shown.stderr], [1, '']);
  assert.deepEqual(await both.wherry.run(`apply -f ${file('2')}`), {
    ...{ code: 0, stdout: 'configmap/mine configured\n', stderr: '' },
  });
});

test('apply at the server tells how fields of other managers are taken over', async () => {
  const file = both.wherry.file('theirs.json', configMap('told', { k: 'theirs' }));
  const refused = await both.wherry.run(`apply -f ${file} --field-manager=other`);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /conflict with "wherry": \.data\.k\n.*--force-conflicts takes them over/);
  assert.equal((await both.wherry.run(`apply -f ${file} --field-manager=other --force-conflicts`)).code, 0);
});

test('apply --prune --wait waits until all is gone, for as long as it is told', async () => {
  const held = { labels: { held: 'yes' }, finalizers: ['a.example/held'] };
  const { wherry } = both;
  await wherry.run(`apply --server-side=false -f ${wherry.file('held.json', configMap('held', {}, held))}`);
  const file = wherry.file('stays.json', configMap('stays', {}, { labels: { held: 'yes' } }));
  const line = `apply --server-side=false -f ${file} --prune --prune-allowlist=core/v1/ConfigMap -l held=yes --wait --timeout=300ms`;
  assert.deepEqual(await wherry.run(line), {
    ...{ code: 1, stdout: 'configmap/stays created\nconfigmap/held pruned\n' },
    stderr: 'error: timed out waiting for configmap "held" to be gone\n',
  });
});
