/** `apply --prune --applyset`, beside kubectl's, and with sets that kubectl has made. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@wherry/client';
import { kubectlMinor } from '../../../../e2e/kubectl-version.ts';
import { BesideKubectl } from './beside-kubectl.ts';

/** Sets are in this form since. */
const skip = kubectlMinor < 30 && 'kubectl has no apply sets';
let both: BesideKubectl;
/** Writes objects into one file. */
const fileOf = (name: string, ...items: object[]) =>
  both.file(name, { apiVersion: 'v1', kind: 'List', items });
const sides = () => [both.kubectl, both.wherry];

const configMap = (name: string, metadata: object = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data: { k: name } },
});
/** A kind of the whole cluster. */
const keepers = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'keepers.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Cluster', names: { kind: 'Keeper', plural: 'keepers' } },
    versions: [
      { ...{ name: 'v1', served: true, storage: true }, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
};
const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'r' } };

before(async () => {
  process.env['KUBECTL_APPLYSET'] = 'true';
  both = await BesideKubectl.start([]);
  for (const { client } of sides()) {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
  }
});
after(async () => {
  delete process.env['KUBECTL_APPLYSET'];
  await both?.close();
});

/** Types the same at both; wherry is told to apply as kubectl does by default. */
async function typeBoth(line: string): Promise<void> {
  await both.typeLine(`apply ${line}`, `apply --server-side=false ${line}`);
}

/** Fails where members or parents differ. */
const compareAll = (...kinds: string[]) =>
  both.compareObjects('ConfigMap', 'ClusterRole', 'Secret', ...kinds);

test('members are labelled, and pruned once they are not applied any more', { skip }, async () => {
  const all = fileOf('all.json', configMap('a'), configMap('b'), role);
  const withoutRole = fileOf('without.json', configMap('a'), configMap('b'));
  const less = fileOf('less.json', configMap('a', { labels: { x: '1' } }));
  for (const line of [
    `-f ${all} --prune --applyset=web -n default --dry-run=client`,
    `-f ${all} --prune --applyset=web -n default --dry-run=server`,
    `-f ${all} --prune --applyset=web -n default`,
    `-f ${all} --prune --applyset=web -n default`,
  ])
    await typeBoth(line);
  await compareAll();
  // Which kind is pruned first is by chance at kubectl: one goes at a time.
  for (const line of [
    `-f ${withoutRole} --prune --applyset=web -n default --dry-run=server`,
    `-f ${withoutRole} --prune --applyset=web -n default -o name`,
    `-f ${less} --prune --applyset=web -n default`,
  ])
    await typeBoth(line);
  await compareAll();
});

test('custom resources are parents where their definition says so, also of members in several namespaces', {
  skip,
}, async () => {
  const all = fileOf(
    'spread.json',
    configMap('s', { namespace: 'other' }),
    configMap('t', { namespace: 'default' }),
  );
  const less = fileOf('spread-less.json', configMap('t', { namespace: 'default' }));
  const line = '--prune --applyset=keepers.example.com/main';
  for (const { client } of sides()) {
    await client.create(keepers);
    await client.waitFor('crd/keepers.example.com', 'Established');
  }
  await typeBoth(`-f ${all} ${line}`);
  for (const { client } of sides())
    await client.patch('crd/keepers.example.com', {
      metadata: { labels: { 'applyset.kubernetes.io/is-parent-type': 'true' } },
    });
  await typeBoth(`-f ${all} ${line}`);
  for (const side of sides()) {
    const { client } = side;
    const id = { 'applyset.kubernetes.io/id': 'applyset-fj7Ld8ZlCz-v1' };
    await client.create({
      ...{ apiVersion: 'example.com/v1', kind: 'Keeper' },
      metadata: {
        name: 'main',
        labels: id,
        annotations: { 'applyset.kubernetes.io/tooling': 'kubectl/v1.27' },
      },
    });
  }
  await typeBoth(`-f ${all} ${line}`);
  const [, id = ''] = /want: (\S+)\)/.exec((await both.wherry.run(`apply -f ${all} ${line}`)).stderr) ?? [];
  for (const { client } of sides())
    await client.patch('keepers.example.com/main', {
      metadata: {
        labels: { 'applyset.kubernetes.io/id': id },
        annotations: { 'applyset.kubernetes.io/contains-group-kinds': '' },
      },
    });
  // kubectl says with its log's time and line that it takes over what others manage.
  const theirs = await both.kubectl.server.kubectl(`apply -f ${all} ${line}`.split(' '));
  const ours = await both.wherry.run(`apply --server-side=false -f ${all} ${line}`);
  assert.equal(ours.stdout, theirs.stdout);
  assert.match(theirs.stderr, /^W.*WARNING: failed to update ApplySet/);
  assert.match(ours.stderr, /^Warning: failed to update ApplySet/);
  await compareAll('keepers.example.com');
  await typeBoth(`-f ${less} ${line}`);
  await compareAll('keepers.example.com');
});

test('at the server, too, and with other parents', { skip }, async () => {
  const all = fileOf('two.json', configMap('c'), configMap('d'));
  const less = fileOf('one.json', configMap('c'));
  for (const file of [all, less])
    await both.typeLine(`apply --server-side -f ${file} --prune --applyset=cm/keeper -n default`);
  await compareAll();
});

test('what contradicts itself, or is no parent, is refused in the same words', { skip }, async () => {
  const one = fileOf('refused.json', configMap('e'));
  const labelled = fileOf(
    'labelled.json',
    configMap('f', { labels: { 'applyset.kubernetes.io/part-of': 'x' } }),
  );
  for (const line of [
    '--applyset=web -n default',
    '--prune --applyset=web',
    '--prune --applyset=web --all -n default',
    '--prune --applyset=web -l a=b -n default',
    '--prune --applyset=web --prune-allowlist=core/v1/ConfigMap -n default',
    '--prune --applyset=web --force -n default',
    '--prune --applyset=secrets/ -n default',
    '--prune --applyset=nothing/x -n default',
    '--prune --applyset=nothing.example.com/x -n default',
    '--prune --applyset=namespaces/default',
    '--prune --applyset=deployments.apps/x -n default',
    '--prune --applyset=pods/x',
  ])
    await typeBoth(`-f ${one} ${line}`);
  await typeBoth(`-f ${labelled} --prune --applyset=web -n default`);
});

test("parents that are not whole, or another tool's, are refused in the same words", { skip }, async () => {
  const one = fileOf('parents.json', configMap('g'));
  const parents = {
    bare: {},
    helm: { annotations: { 'applyset.kubernetes.io/tooling': 'helm/plugin/v3' } },
    unlabelled: { annotations: { 'applyset.kubernetes.io/tooling': 'kubectl/v1.27' } },
    wrong: {
      annotations: { 'applyset.kubernetes.io/tooling': 'kubectl/v1.27' },
      labels: { 'applyset.kubernetes.io/id': 'applyset-x-v1' },
    },
  };
  for (const [name, metadata] of Object.entries(parents)) {
    for (const { client } of sides())
      await client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name, ...metadata } });
    await typeBoth(`-f ${one} --prune --applyset=${name} -n default`);
  }
});

test('parents that say nothing of kinds, or name what is not there, are refused in the same words', {
  skip,
}, async () => {
  const one = fileOf('kinds.json', configMap('h'));
  await typeBoth(`-f ${one} --prune --applyset=kinds -n default`);
  const setAnnotation = async (annotations: Record<string, string | null>) => {
    for (const { client } of sides()) await client.patch('secret/kinds', { metadata: { annotations } });
    await typeBoth(`-f ${one} --prune --applyset=kinds -n default`);
  };
  const [kinds, resources] = ['kinds', 'resources'].map(
    (word) => `applyset.kubernetes.io/contains-group-${word}`,
  );
  assert.ok(kinds && resources);
  await setAnnotation({ [kinds]: null });
  await setAnnotation({ [kinds]: 'Nothing.example.com' });
  await setAnnotation({ [kinds]: null, [resources]: 'nothing.example.com' });
  await setAnnotation({ [kinds]: null, [resources]: 'configmaps,deployments.apps' });
  await compareAll();
});

test("kubectl and wherry take over each other's sets", { skip }, async () => {
  const { server, client } = both.wherry;
  const file = (...names: string[]) =>
    fileOf(`${names.join('')}.json`, ...names.map((name) => configMap(`over-${name}`)));
  const flags = '--server-side --prune --applyset=over -n default';
  const left = async () => {
    const names: (string | undefined)[] = [];
    for await (const { metadata } of client.list<KubeObject>('ConfigMap', {
      labelSelector: 'applyset.kubernetes.io/part-of',
    }))
      names.push(metadata?.name);
    return names.filter((name) => name?.startsWith('over-'));
  };
  const kubectl = (path: string) =>
    server.kubectl(['apply', '-f', path, ...flags.split(' '), '--force-conflicts']);
  assert.equal((await kubectl(file('a', 'b'))).code, 0);
  const ours = await both.wherry.run(`apply -f ${file('b', 'c')} ${flags} --force-conflicts`);
  assert.equal(ours.code, 0, ours.stderr);
  assert.deepEqual(await left(), ['over-b', 'over-c']);
  const theirs = await kubectl(file('c'));
  assert.equal(theirs.code, 0, theirs.stderr);
  assert.match(theirs.stdout, /configmap\/over-b pruned/);
  assert.deepEqual(await left(), ['over-c']);
});

test('it has to be let in, as alpha in kubectl', async () => {
  delete process.env['KUBECTL_APPLYSET'];
  const { code, stderr } = await both.wherry.run(`apply -f x.json --prune --applyset=web`);
  process.env['KUBECTL_APPLYSET'] = 'true';
  assert.equal(code, 1);
  assert.match(stderr, /--applyset is alpha.*KUBECTL_APPLYSET=true/);
});
