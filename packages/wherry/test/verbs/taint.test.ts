import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Node } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
  for (const name of ['n', 'm'])
    await served.client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { of: name } } });
});
after(() => served?.close());
beforeEach(async () => {
  for (const name of ['n', 'm']) await served.client.patch(`Node/${name}`, { spec: { taints: null } });
});

const said = (...lines: string[]) => ({
  code: 0,
  stdout: lines.map((line) => `${line}\n`).join(''),
  stderr: '',
});
const failed = (stderr: string, stdout = '') => ({ code: 1, stdout, stderr: `${stderr}\n` });
const taint = (line: string) => served.run(`taint ${line}`);
const taintsOf = async (name: string) => (await served.client.get<Node>(`Node/${name}`)).spec?.taints;

test('taint adds taints in front of others, and says what it did', async () => {
  assert.deepEqual(await taint('nodes n a=x:NoSchedule b:PreferNoSchedule'), said('node/n tainted'));
  assert.deepEqual(await taint('node n a:NoExecute'), said('node/n tainted'));
  assert.deepEqual(await taintsOf('n'), [
    { key: 'a', effect: 'NoExecute' },
    { key: 'a', value: 'x', effect: 'NoSchedule' },
    { key: 'b', effect: 'PreferNoSchedule' },
  ]);
  assert.deepEqual(await taint('no n c:NoExecute a:NoExecute-'), said('node/n modified'));
  assert.deepEqual(await taint('Nodes node/n b- c:NoExecute-'), said('node/n untainted'));
  assert.deepEqual(await taintsOf('n'), [{ key: 'a', value: 'x', effect: 'NoSchedule' }]);
  assert.deepEqual(await taint('nodes n a-'), said('node/n untainted'));
  assert.equal(await taintsOf('n'), undefined);
});

test('taint changes the value of a taint only where it may', async () => {
  await taint('nodes n a=x:NoSchedule b:NoExecute');
  assert.deepEqual(
    await taint('nodes n b:NoExecute a=y:NoSchedule'),
    failed('error: node n already has b,a taint(s) with same effect(s) and --overwrite is false'),
  );
  assert.deepEqual(await taint('nodes n a=y:NoSchedule --overwrite'), said('node/n modified'));
  assert.deepEqual(await taintsOf('n'), [
    { key: 'a', value: 'y', effect: 'NoSchedule' },
    { key: 'b', effect: 'NoExecute' },
  ]);
});

test('taint goes on behind a node that it can not change', async () => {
  assert.deepEqual(
    await taint('nodes no-such n a:NoSchedule'),
    failed('Error from server (NotFound): nodes "no-such" not found', 'node/n tainted\n'),
  );
  assert.deepEqual(await taint('nodes n q-'), failed('error: taint "q" not found'));
  assert.deepEqual(
    await taint('nodes n q- w:NoExecute-'),
    failed('taint "q" not found\ntaint "w:NoExecute" not found'),
  );
  const both = '[taint "q" not found, taint "w" not found]';
  assert.deepEqual(await taint('nodes n m q- w-'), failed(`${both}\n${both}`));
  assert.deepEqual(
    await taint('nodes m m a:NoSchedule'),
    failed(
      'error: node m already has a taint(s) with same effect(s) and --overwrite is false',
      'node/m tainted\n',
    ),
  );
});

test('taint finds nodes by a selector, or takes all', async () => {
  assert.deepEqual(await taint('nodes -l of=m a:NoSchedule'), said('node/m tainted'));
  assert.deepEqual(await taint('nodes -l of=nobody a:NoSchedule'), said());
  assert.deepEqual(await taint('nodes --all b:NoSchedule -o name'), said('node/m', 'node/n'));
  assert.equal((await taintsOf('m'))?.length, 2);
  assert.equal((await taintsOf('n'))?.length, 1);
});

test('a dry run of taint changes nothing, and says no word of being one', async () => {
  for (const where of ['client', 'server']) {
    assert.deepEqual(await taint(`nodes n a:NoSchedule --dry-run=${where}`), said('node/n tainted'));
    const { stdout } = await taint(`nodes n a:NoSchedule --dry-run=${where} -o json`);
    const { kind, spec } = JSON.parse(stdout);
    assert.deepEqual([kind, spec.taints], ['Node', [{ key: 'a', effect: 'NoSchedule' }]]);
  }
  assert.equal(await taintsOf('n'), undefined);
});

test('taint manages the field in its own name', async () => {
  await taint('nodes n a:NoSchedule --field-manager=me');
  const { metadata } = await served.client.get<Node>('Node/n');
  assert.ok(metadata.managedFields?.some(({ manager }) => manager === 'me'));
});

test('taint refuses what is no taint, and leads to the help', async () => {
  for (const [line, says] of [
    ['a=b', /^error: invalid taint spec: a=b, name part must consist of/],
    ['a=b:Foo', /^error: invalid taint effect: Foo, unsupported taint effect\n/],
    ['a=b=c:NoSchedule', /^error: invalid taint spec: a=b=c:NoSchedule\n/],
    ['a:b:c', /^error: invalid taint spec: a:b:c\n/],
    ['a=-x:NoSchedule', /^error: invalid taint spec: a=-x:NoSchedule, a valid label must be/],
    [':NoSchedule', /^error: invalid taint spec: :NoSchedule, name part must be non-empty; name part must/],
    [
      'a=x:NoSchedule a=y:NoSchedule',
      /^error: duplicated taints with the same key and effect: \{a y NoSchedule <nil>\}\n/,
    ],
  ] as const) {
    const { code, stderr } = await taint(`nodes n ${line}`);
    assert.equal(code, 1);
    assert.match(stderr, says);
    assert.match(stderr, /\nSee 'wherry taint -h' for help and examples\n$/);
  }
});

test('taint refuses what does not go together', async () => {
  const pair = 'can not both modify and remove the following taint(s) in the same command';
  for (const [line, says] of [
    ['a:NoSchedule', 'one or more resources must be specified as <resource> <name>'],
    ['nodes n', 'at least one taint update is required'],
    ['nodes n a:NoSchedule m', 'all resources must be specified before taint changes: m'],
    ['nodes a:NoSchedule', "at least one resource name must be specified since 'all' parameter is not set"],
    ['nodes a:NoSchedule --all -l of=m', "setting 'all' parameter with a non empty selector is prohibited"],
    ['pods n a:NoSchedule', 'invalid resource type pods, only node types are supported'],
    ['nodes n a:NoSchedule a:NoExecute- a:NoSchedule- a-', `${pair}: a=NoSchedule, a=`],
    ['nodes a/b/c a:NoSchedule', 'arguments in resource/name form may not have more than one slash'],
    ['nodes a/ a:NoSchedule', 'arguments in resource/name form must have a single resource and name'],
    ['nodes ns/kube-system a:NoSchedule', 'unexpected type *v1.Namespace, expected Node'],
  ])
    assert.deepEqual(await taint(`${line}`), failed(`error: ${says}`), line);
  assert.match((await taint('foo n a:NoSchedule')).stderr, /the server doesn't have a resource type "foo"/);
  const how = 'must be one of: strict (or true), warn, ignore (or false)';
  assert.deepEqual(
    await taint('nodes n a:NoSchedule --validate=maybe'),
    failed(`error: invalid - validate option "maybe"; ${how}`),
  );
  assert.deepEqual(await taint('nodes n a:NoSchedule --validate=ignore'), said('node/n tainted'));
});
