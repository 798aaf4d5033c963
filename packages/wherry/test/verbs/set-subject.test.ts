/** `set subject`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ClusterRoleBinding, RoleBinding, Subject } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

const apiGroup = 'rbac.authorization.k8s.io';
const ann = { kind: 'User', name: 'ann', apiGroup };

const binding = (name: string, subjects?: Subject[]) => ({
  ...{ apiVersion: `${apiGroup}/v1`, kind: 'RoleBinding', metadata: { name, labels: { of: name } } },
  ...{ roleRef: { apiGroup, kind: 'Role', name: 'r' }, ...(subjects ? { subjects } : {}) },
});
const clusterBinding = (name: string) => ({
  ...binding(name, [ann]),
  ...{ kind: 'ClusterRoleBinding', roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' } },
});

before(async () => {
  served = await Served.start();
  const bindings = [binding('one', [ann]), binding('two', [ann]), binding('bare'), clusterBinding('wide')];
  for (const each of bindings) await served.client.create(each);
  await served.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' } });
});
after(() => served?.close());

const said = (stdout: string) => ({ code: 0, stdout, stderr: '' });
const failed = (stderr: string, stdout = '') => ({ code: 1, stdout, stderr: `${stderr}\n` });
const setSubject = (line: string) => served.run(`set subject ${line}`);
const updated = (...names: string[]) =>
  said(names.map((name) => `rolebinding.${apiGroup}/${name} subjects updated\n`).join(''));
const subjectsOf = async (name: string) =>
  (await served.client.get<RoleBinding>(`RoleBinding/${name}`)).subjects;

test('set subject binds users, groups and service accounts, each once', async () => {
  const line =
    'rolebinding/one --user=zoe --user=ann --user=bob --group=devs --serviceaccount=ns:robot --serviceaccount=:here';
  assert.deepEqual(await setSubject(line), updated('one'));
  assert.deepEqual(await subjectsOf('one'), [
    ann,
    { kind: 'User', name: 'bob', apiGroup },
    { kind: 'User', name: 'zoe', apiGroup },
    { kind: 'Group', name: 'devs', apiGroup },
    { kind: 'ServiceAccount', name: 'here', namespace: 'default' },
    { kind: 'ServiceAccount', name: 'robot', namespace: 'ns' },
  ]);
  assert.deepEqual(await setSubject(line), said(''));
  assert.deepEqual(await setSubject('rolebinding/bare --user=ann'), updated('bare'));
  assert.deepEqual(await subjectsOf('bare'), [ann]);
});

test('set subject binds in all bindings, those of a label selector, and those of the whole cluster', async () => {
  assert.deepEqual(await setSubject('rolebinding --group=g1 --all'), updated('bare', 'one', 'two'));
  assert.deepEqual(await setSubject('rolebinding --group=g2 -l of=two'), updated('two'));
  assert.deepEqual(
    await setSubject('clusterrolebinding wide --serviceaccount=ns:robot'),
    said(`clusterrolebinding.${apiGroup}/wide subjects updated\n`),
  );
  const { subjects } = await served.client.get<ClusterRoleBinding>('ClusterRoleBinding/wide');
  assert.deepEqual(subjects, [ann, { kind: 'ServiceAccount', name: 'robot', namespace: 'ns' }]);
});

test('set subject changes what files name, and with --local what they hold', async () => {
  const file = served.file('two.json', binding('two', [ann]));
  assert.deepEqual(await setSubject(`-f ${file} --user=filed`), updated('two'));
  const { stdout } = await setSubject(`-f ${file} --user=bob --serviceaccount=:here --local -o json`);
  assert.deepEqual((JSON.parse(stdout) as RoleBinding).subjects, [
    ann,
    { kind: 'User', name: 'bob', apiGroup },
    { kind: 'ServiceAccount', name: 'here', namespace: 'default' },
  ]);
});

test('a dry run of set subject changes nothing', async () => {
  const before = await subjectsOf('two');
  for (const [where, words] of [
    ['client', 'dry run'],
    ['server', 'server dry run'],
  ])
    assert.deepEqual(
      await setSubject(`rolebinding/two --user=dry --dry-run=${where}`),
      said(`rolebinding.${apiGroup}/two subjects updated (${words})\n`),
    );
  assert.deepEqual(await subjectsOf('two'), before);
});

test('set subject refuses what it can not do', async () => {
  const before = await subjectsOf('two');
  const wrong = 'serviceaccount must be <namespace>:<name>';
  const file = served.file('wide.json', clusterBinding('wide'));
  for (const [line, says] of [
    ['rolebinding/two', 'you must specify at least one value of user, group or serviceaccount'],
    ['rolebinding/two --serviceaccount=robot', wrong],
    ['rolebinding/two --serviceaccount=a:b:c', wrong],
    ['rolebinding/two --serviceaccount=a:', wrong],
    [`-f ${file} --serviceaccount=:robot --local`, `${wrong}, namespace must be specified`],
    ['rolebinding --user=x', 'resource(s) were provided, but no name was specified'],
    [
      'cm/map --user=x',
      'configmaps/map setting subjects is only supported for RoleBinding/ClusterRoleBinding',
    ],
    [
      'rolebinding/two --user=x --local',
      "you must specify resources by --filename when --local is set.\nExample resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'",
    ],
  ])
    assert.deepEqual(await setSubject(`${line}`), failed(`error: ${says}`), line);
  assert.deepEqual(
    await setSubject('rolebinding/nope rolebinding/two --user=x'),
    failed(`Error from server (NotFound): rolebindings.${apiGroup} "nope" not found`),
  );
  assert.deepEqual(await subjectsOf('two'), before);
});
