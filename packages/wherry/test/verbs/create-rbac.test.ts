/** `create role`, `clusterrole`, `rolebinding` and `clusterrolebinding`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
});
after(() => served?.close());

const created = (name: string, stderr = '') => ({ code: 0, stdout: `${name} created\n`, stderr });
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const group = 'rbac.authorization.k8s.io';

test('create role has a rule for each group, of the resources as the server calls them', async () => {
  const line =
    'create role reader --verb=get,list --verb=get --resource=po,pods/log,deploy --resource-name=a --resource-name=b';
  assert.deepEqual(await served.run(line), created(`role.${group}/reader`));
  const { rules } = await served.client.get<Role>('Role/reader');
  const rest = { verbs: ['get', 'list'], resourceNames: ['a', 'b'] };
  assert.deepEqual(rules, [
    { apiGroups: [''], resources: ['pods', 'pods/log'], ...rest },
    { apiGroups: ['apps'], resources: ['deployments'], ...rest },
  ]);
  const { stdout } = await served.run(
    'create role all --verb=get,* --resource=pods,* --dry-run=client -o json',
  );
  assert.deepEqual((JSON.parse(stdout) as Role).rules, [{ apiGroups: [''], resources: ['*'], verbs: ['*'] }]);
});

test('create clusterrole takes paths of the server and labels of other cluster roles, too', async () => {
  const line = 'create clusterrole logs --verb=get --resource=nodes --non-resource-url=/logs/*';
  assert.deepEqual(await served.run(line), created(`clusterrole.${group}/logs`));
  const { rules } = await served.client.get<ClusterRole>('ClusterRole/logs');
  assert.deepEqual(rules, [
    { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
    { nonResourceURLs: ['/logs/*'], verbs: ['get'] },
  ]);
  await served.run('create clusterrole sum --aggregation-rule=a=b,c=d');
  const sum = await served.client.get<ClusterRole>('ClusterRole/sum');
  assert.deepEqual(sum.aggregationRule, { clusterRoleSelectors: [{ matchLabels: { a: 'b', c: 'd' } }] });
});

test('create role and clusterrole refuse what no role can hold, and warn of verbs that nobody knows', async () => {
  for (const [line, says] of [
    ['role x --resource=pods', 'error: at least one verb must be specified'],
    ['role x --verb=get', 'error: at least one resource must be specified'],
    ['role x --verb=get --resource=nope', `error: the server doesn't have a resource type "nope"`],
    [
      'role x --verb=get --resource=pods.example.com',
      `error: the server doesn't have a resource type "pods" in group "example.com"`,
    ],
    [
      'role x --verb=get --resource=/log',
      'error: resource must be specified if apiGroup/subresource specified',
    ],
    ['role x --verb=bind --resource=pods', "error: can not perform 'bind' on 'pods' in group ''"],
    ['clusterrole x --verb=get', 'error: one of resource or nonResourceURL must be specified'],
    ['clusterrole x --verb=get --non-resource-url=logs', 'error: nonResourceURL should start with /'],
    [
      'clusterrole x --verb=get --non-resource-url=/a*b',
      "error: nonResourceURL only supports wildcard matches when '*' is at the end",
    ],
    ['clusterrole x --verb=list --non-resource-url=/a', "error: invalid verb: 'list' for nonResourceURL"],
    [
      'clusterrole x --verb=get --aggregation-rule=a=b',
      'error: aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames',
    ],
  ] as const)
    assert.deepEqual(await served.run(`create ${line}`), failed(says), line);
  assert.deepEqual(
    await served.run('create role flier --verb=fly --resource=pods'),
    created(`role.${group}/flier`, "Warning: 'fly' is not a standard resource verb\n"),
  );
  assert.deepEqual(
    await served.run('create role actor --verb=impersonate --resource=users'),
    created(`role.${group}/actor`),
  );
});

test('create rolebinding and clusterrolebinding name users, groups and service accounts', async () => {
  const who = '--user=ann --user=bob --group=team --serviceaccount=work:robot';
  assert.deepEqual(
    await served.run(`create rolebinding b --role=reader ${who}`),
    created(`rolebinding.${group}/b`),
  );
  const binding = await served.client.get<RoleBinding>('RoleBinding/b');
  assert.deepEqual(binding.roleRef, { apiGroup: group, kind: 'Role', name: 'reader' });
  assert.deepEqual(binding.subjects, [
    { kind: 'User', apiGroup: group, name: 'ann' },
    { kind: 'User', apiGroup: group, name: 'bob' },
    { kind: 'Group', apiGroup: group, name: 'team' },
    { kind: 'ServiceAccount', namespace: 'work', name: 'robot' },
  ]);
  await served.run(`create rolebinding c --clusterrole=view ${who}`);
  assert.equal((await served.client.get<RoleBinding>('RoleBinding/c')).roleRef.kind, 'ClusterRole');
  assert.deepEqual(
    await served.run('create clusterrolebinding b --clusterrole=view --user=ann'),
    created(`clusterrolebinding.${group}/b`),
  );
  const { roleRef } = await served.client.get<ClusterRoleBinding>('ClusterRoleBinding/b');
  assert.deepEqual(roleRef, { apiGroup: group, kind: 'ClusterRole', name: 'view' });
  for (const [line, says] of [
    ['rolebinding x', 'error: exactly one of clusterrole or role must be specified'],
    ['rolebinding x --role=a --clusterrole=b', 'error: exactly one of clusterrole or role must be specified'],
    ['rolebinding x --role=a --serviceaccount=b', 'error: serviceaccount must be <namespace>:<name>'],
    ['clusterrolebinding x', 'error: required flag(s) "clusterrole" not set'],
    [
      'rolebinding b --role=a',
      `error: failed to create rolebinding: rolebindings.${group} "b" already exists`,
    ],
  ] as const)
    assert.deepEqual(await served.run(`create ${line}`), failed(says), line);
});
