/** `auth reconcile`, beside the real kubectl and alone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@wherry/client';
import type { ClusterRole, PolicyRule, Role, RoleBinding, Subject } from '@wherry/kubeapi';
import { reconcile } from '../../src/commands/auth/reconcile/carry-out.ts';
import { roleReconciler } from '../../src/commands/auth/reconcile/roles.ts';
import { resourceOfKind } from '../../src/objects/of-kind.ts';
import { BesideKubectl } from './beside-kubectl.ts';

let both: BesideKubectl;

const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;
const namespace = 'default';
const ann = { kind: 'User', name: 'ann', apiGroup };
const zoe = { kind: 'User', name: 'zoe', apiGroup };
const robot = { kind: 'ServiceAccount', name: 'robot', namespace };
const view = { apiGroup, kind: 'ClusterRole', name: 'view' };
const readPods: PolicyRule = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };

const role = (name: string, rules: PolicyRule[], metadata: object = {}) => ({
  ...{ apiVersion, kind: 'Role', metadata: { name, namespace, ...metadata }, rules },
});
const clusterRole = (name: string, rules: PolicyRule[], labels?: string[]) => ({
  ...{ apiVersion, kind: 'ClusterRole', metadata: { name }, rules },
  ...(labels
    ? {
        aggregationRule: { clusterRoleSelectors: labels.map((label) => ({ matchLabels: { [label]: 'x' } })) },
      }
    : {}),
});
const binding = (name: string, subjects: Subject[], { roleRef = view, metadata = {} } = {}) => ({
  ...{ apiVersion, kind: 'RoleBinding', metadata: { name, namespace, ...metadata }, roleRef, subjects },
});

before(async () => {
  const named = {
    apiGroups: ['apps'],
    resources: ['deployments'],
    verbs: ['get'],
    resourceNames: ['a', 'b'],
  };
  both = await BesideKubectl.start([
    role('reader', [readPods, named], { labels: { of: 'test' } }),
    role('kept', [readPods], { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } }),
    clusterRole('wide', [
      { nonResourceURLs: ['/healthz', '/x/*'], verbs: ['get'] },
      { apiGroups: ['*'], resources: ['*/scale'], verbs: ['*'] },
    ]),
    clusterRole('gathered', [], ['a']),
    binding('readers', [ann, robot], { metadata: { labels: { of: 'test' } } }),
    binding('others', [ann]),
  ]);
});
after(() => both?.close());

async function typeAll(object: object, ...flags: string[]): Promise<void> {
  const file = both.file('wanted.json', object);
  for (const more of flags) await both.typeLine(`auth reconcile -f ${file}${more === '' ? '' : ` ${more}`}`);
}

test('auth reconcile gives roles the rules that they lack, as kubectl does', async () => {
  const created = role('new', [
    { apiGroups: ['', 'apps'], resources: ['pods'], resourceNames: ['a'], verbs: ['get'] },
  ]);
  await typeAll(created, '--dry-run=client', '--dry-run=client -o name', '', '', '-o json');
  await typeAll(role('new', [readPods], { namespace: 'fresh' }), '--dry-run=client', '', '');
  const more = { apiGroups: [''], resources: ['pods', 'services'], verbs: ['get', 'watch'] };
  const metadata = { labels: { of: 'file', also: 'x' }, annotations: { note: 'x' } };
  await typeAll(role('reader', [more], metadata), '--dry-run=client', '', '');
  const less = role('reader', [{ ...readPods, verbs: ['get'] }]);
  await typeAll(less, '', '--remove-extra-permissions --dry-run=client', '--remove-extra-permissions');
  await typeAll(role('kept', [more]), '', '--remove-extra-permissions');
  const wider = [
    { nonResourceURLs: ['/healthz', '/x/y', '/z'], verbs: ['get', 'post'] },
    { apiGroups: ['apps'], resources: ['deployments/scale', 'deployments'], verbs: ['get'] },
  ];
  await typeAll(clusterRole('wide', wider), '', '--remove-extra-permissions', '');
  await both.compareObjects('Role', 'ClusterRole', 'Namespace');
});

test('auth reconcile lets cluster roles gather rules, or no longer', async () => {
  await typeAll(clusterRole('gathered', [], ['a', 'b']), '', '');
  await typeAll(clusterRole('gathered', [], ['b']), '', '--remove-extra-permissions', '');
  await typeAll(clusterRole('gathered', [readPods]), '', '');
  await typeAll(clusterRole('wide', [], ['c']), '', '');
  await both.compareObjects('ClusterRole');
});

test('auth reconcile gives bindings the subjects that they lack, and makes those of another role anew', async () => {
  await typeAll(
    binding('new', [zoe, robot], { metadata: { namespace: 'fresh-too' } }),
    '--dry-run=client',
    '',
    '',
  );
  const wanted = binding('readers', [zoe, zoe, ann], { metadata: { labels: { also: 'x' } } });
  await typeAll(wanted, '', '--remove-extra-subjects --dry-run=client', '--remove-extra-subjects', '');
  const other = binding('others', [zoe], { roleRef: { ...view, name: 'edit' } });
  const before = await both.wherry.client.get<RoleBinding>('RoleBinding/others');
  await typeAll(other, '--dry-run=client', '', '');
  const { metadata, subjects } = await both.wherry.client.get<RoleBinding>('RoleBinding/others');
  assert.notEqual(metadata.uid, before.metadata.uid);
  assert.deepEqual(subjects, [zoe]);
  await typeAll(
    { ...binding('everywhere', [zoe]), kind: 'ClusterRoleBinding', metadata: { name: 'all' } },
    '',
    '',
  );
  await both.compareObjects('RoleBinding', 'ClusterRoleBinding', 'Namespace');
});

test('auth reconcile passes over other kinds, and goes on behind what the server refuses', async () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' } };
  const bad = role('bad', [{ ...readPods, verbs: [] }]);
  await typeAll(map, '');
  await typeAll(bad, '', '--dry-run=client');
  await typeAll({ apiVersion: 'v1', kind: 'List', items: [bad, map, role('last', [])] }, '');
  await typeAll(role('reader', []), 'word', '--dry-run=server');
  await typeAll({ ...role('old', []), apiVersion: `${apiGroup}/v1beta1` }, '');
  assert.match((await both.wherry.run('get role last')).stdout, /last/);
});

test('auth reconcile tells why a binding is refused, and looks for what names no namespace where the command does', async () => {
  const { wherry } = both;
  const wrong = both.file('wrong.json', binding('wrong', [ann], { roleRef: { ...view, kind: 'Nope' } }));
  const { code, stderr } = await wherry.run(`auth reconcile -f ${wrong}`);
  assert.equal(code, 1);
  assert.match(stderr, /^The RoleBinding "wrong" is invalid: roleRef\.kind: Unsupported value: "Nope"/);
  const bare = both.file('bare.json', {
    apiVersion,
    kind: 'Role',
    metadata: { name: 'bare' },
    rules: [readPods],
  });
  await wherry.run(`auth reconcile -f ${bare} -n fresh`);
  assert.deepEqual((await wherry.client.get<Role>('Role/bare', { namespace: 'fresh' })).rules, [readPods]);
});

test('auth reconcile looks anew when somebody else was quicker, three times at most', async () => {
  const { client } = both.wherry;
  await client.create(role('raced', []));
  const object = role('raced', [readPods]) as KubeObject;
  const wanted = { resource: resourceOfKind(object), name: 'raced', namespace, object };
  const honest = roleReconciler(false);
  let looks = 0;
  const raced = (races: number) => ({
    isDry: false,
    reconciler: {
      ...honest,
      // Of a version that is over when it is sent.
      planChange: (existing: KubeObject, expected: KubeObject) => {
        looks += 1;
        const plan = honest.planChange(existing as Role, expected as Role);
        const stale = { ...plan.object, metadata: { ...plan.object.metadata, resourceVersion: '1' } };
        return { ...plan, object: looks <= races ? stale : plan.object };
      },
    },
  });
  await assert.rejects(reconcile(client, wanted, raced(3) as never), /the object has been modified/);
  assert.equal(looks, 3);
  looks = 0;
  await reconcile(client, wanted, raced(2) as never);
  assert.equal(looks, 3);
  assert.deepEqual((await client.get<ClusterRole>({ apiVersion, kind: 'Role', name: 'raced' })).rules, [
    { ...readPods, verbs: ['get'] },
    { ...readPods, verbs: ['list'] },
  ]);
});
