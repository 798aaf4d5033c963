import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Credentials } from '../../test/pki.ts';
import { TestServer } from '../../test/test-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const inDefault = `${rbac}/namespaces/default`;
const apiGroup = 'rbac.authorization.k8s.io';
const apply = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';

describe('roles and bindings', () => {
  let server: TestServer;
  /** May write bindings everywhere, and holds nothing beyond that. */
  let binder: Credentials;
  /** May write roles everywhere. */
  let roleWriter: Credentials;
  before(async () => {
    server = await TestServer.start();
    binder = await server.authority.issue({ name: 'binder' });
    roleWriter = await server.authority.issue({ name: 'role-writer' });
    await give('binder', ['rolebindings', 'clusterrolebindings']);
    await give('role-writer', ['roles', 'clusterroles']);
  });
  after(() => server.close());

  const subject = (name: string) => ({ kind: 'User', name, apiGroup });
  const binding = (name: string, roleRef: object, user = name) => ({
    metadata: { name },
    roleRef: { apiGroup, ...roleRef },
    subjects: [subject(user)],
  });
  const post = (path: string, body: object, as?: Credentials) =>
    server.request('POST', path, { body, ...(as ? { as } : {}) });

  async function give(user: string, resources: string[], verbs = ['*']): Promise<void> {
    const rules = [{ apiGroups: [apiGroup], resources, verbs }];
    await post(`${rbac}/clusterroles`, { metadata: { name: user }, rules });
    const made = await post(
      `${rbac}/clusterrolebindings`,
      binding(user, { kind: 'ClusterRole', name: user }),
    );
    assert.equal(made.status, 201, made.text);
  }

  const refuses = async (path: string, body: object, expected: RegExp) => {
    const { status, body: answer } = await post(path, body);
    assert.equal(status, 422, JSON.stringify(answer));
    assert.match(answer.message, expected);
  };

  it('of a cluster can only name cluster roles, with every other flaw told by its field', async () => {
    const path = `${rbac}/clusterrolebindings`;
    await refuses(
      path,
      binding('x', { kind: 'Role', name: 'admin' }),
      /roleRef\.kind: Unsupported value: "Role"/,
    );
    await refuses(path, binding('x', { kind: 'ClusterRole', name: '' }), /roleRef\.name: Required value/);
    await refuses(
      path,
      binding('x', { kind: 'ClusterRole', name: 'a/b' }),
      /roleRef\.name: Invalid value: "a\/b": may not contain '\/'/,
    );
    await refuses(
      path,
      binding('x', { kind: 'ClusterRole', name: 'view', apiGroup: 'other' }),
      /roleRef\.apiGroup: Unsupported value: "other"/,
    );
    const roleRef = { apiGroup, kind: 'ClusterRole', name: 'view' };
    const of = (entry: object) => ({ metadata: { name: 'x' }, roleRef, subjects: [entry] });
    await refuses(path, of({ kind: 'Robot', name: 'r' }), /subjects\[0\]\.kind: Unsupported value: "Robot"/);
    await refuses(
      path,
      of({ kind: 'ServiceAccount', name: 'r' }),
      /subjects\[0\]\.namespace: Required value/,
    );
    await refuses(
      path,
      of({ kind: 'ServiceAccount', name: 'R/x', namespace: 'default' }),
      /subjects\[0\]\.name: Invalid value/,
    );
  });

  it('are refused without verbs, groups and resources, and with paths in a namespace', async () => {
    const role = (rule: object) => ({ metadata: { name: 'r' }, rules: [rule] });
    const roles = `${inDefault}/roles`;
    await refuses(roles, role({ apiGroups: [''], resources: ['pods'] }), /rules\[0\]\.verbs: Required value/);
    await refuses(roles, role({ verbs: ['get'] }), /at least one api group.*at least one resource/);
    await refuses(
      roles,
      role({ verbs: ['get'], nonResourceURLs: ['/'] }),
      /namespaced rules cannot apply to non-resource URLs/,
    );
    await refuses(
      `${rbac}/clusterroles`,
      role({ verbs: ['get'], nonResourceURLs: ['/'], resources: ['pods'] }),
      /cannot apply to both regular resources and non-resource URLs/,
    );
    await refuses(
      `${rbac}/clusterroles`,
      { metadata: { name: 'r' }, aggregationRule: { clusterRoleSelectors: [] } },
      /aggregationRule\.clusterRoleSelectors: Required value/,
    );
  });

  it('keep their role: another roleRef is refused on PUT, PATCH and apply', async () => {
    const path = `${inDefault}/rolebindings`;
    await post(path, binding('kept', { kind: 'ClusterRole', name: 'view' }));
    const changed = binding('kept', { kind: 'ClusterRole', name: 'cluster-admin' });
    const full = { ...changed, apiVersion: `${apiGroup}/v1`, kind: 'RoleBinding' };
    const answers = [
      await server.request('PUT', `${path}/kept`, { body: full }),
      await server.request('PATCH', `${path}/kept`, { body: { roleRef: changed.roleRef }, type: merge }),
      await server.request('PATCH', `${path}/kept?fieldManager=t&force=true`, { body: full, type: apply }),
    ];
    for (const { status, body } of answers) {
      assert.equal(status, 422);
      assert.match(body.message, /cannot change roleRef/);
    }
  });

  it('of a role that does not exist need the right to bind it', async () => {
    const later = { kind: 'ClusterRole', name: 'made-later' };
    const refused = await post(`${rbac}/clusterrolebindings`, binding('later', later), binder);
    assert.equal(refused.status, 404);
    assert.match(
      refused.body.message,
      /clusterrolebindings\.rbac\.authorization\.k8s\.io "made-later" not found/,
    );
    const rules = [{ apiGroups: [apiGroup], resources: ['clusterroles'], verbs: ['bind'] }];
    await post(`${rbac}/clusterroles`, { metadata: { name: 'may-bind' }, rules });
    await post(
      `${rbac}/clusterrolebindings`,
      binding('may-bind', { kind: 'ClusterRole', name: 'may-bind' }, 'binder'),
    );
    assert.equal((await post(`${rbac}/clusterrolebindings`, binding('later', later), binder)).status, 201);
    await server.request('DELETE', `${rbac}/clusterrolebindings/may-bind`);
  });

  it('hand out nothing that the writer lacks, by POST, PUT, PATCH and apply alike', async () => {
    const path = `${inDefault}/rolebindings`;
    const admin = { kind: 'ClusterRole', name: 'cluster-admin' };
    const full = { ...binding('loot', admin, 'binder'), apiVersion: `${apiGroup}/v1`, kind: 'RoleBinding' };
    await post(path, binding('owned', admin, 'nobody'));
    const subjects = [subject('binder')];
    const answers = [
      await post(path, full, binder),
      await server.request('PUT', `${path}/loot`, { body: full, as: binder }),
      await server.request('PATCH', `${path}/loot?fieldManager=t`, { body: full, type: apply, as: binder }),
      await server.request('PATCH', `${path}/owned`, { body: { subjects }, type: merge, as: binder }),
    ];
    for (const { status, body } of answers) {
      assert.equal(status, 403);
      assert.match(body.message, /attempting to grant RBAC permissions not currently held/);
    }
    const finalizers = { metadata: { finalizers: ['example.com/x'] } };
    const kept = await server.request('PATCH', `${path}/owned`, {
      body: finalizers,
      type: merge,
      as: binder,
    });
    assert.equal(kept.status, 200, 'what garbage collection writes is not a grant');
  });

  it('tell what the writer lacks of each resource in one line, with all verbs', async () => {
    const rules = [
      { apiGroups: [''], resources: ['pods', 'secrets'], verbs: ['get', 'list'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['watch'] },
      { apiGroups: [''], resources: ['pods'], resourceNames: ['one'], verbs: ['delete'] },
    ];
    const writer = await server.authority.issue({ name: 'teller' });
    await give('teller', ['roles'], ['create']);
    const { body } = await post(`${inDefault}/roles`, { metadata: { name: 'much' }, rules }, writer);
    const [, ...lines] = body.message.split('\n');
    assert.deepEqual(lines, [
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["one"], Verbs:["delete"]}',
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list" "watch"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
    ]);
  });

  it('escalate by one name alone only where the request names it: not by POST', async () => {
    const escalator = await server.authority.issue({ name: 'escalator' });
    await give('escalator', ['roles'], ['create', 'update', 'get']);
    const path = `${inDefault}/roles`;
    const escalate = [
      { apiGroups: [apiGroup], resources: ['roles'], verbs: ['escalate'], resourceNames: ['named'] },
    ];
    await post(`${rbac}/clusterroles`, { metadata: { name: 'escalate-named' }, rules: escalate });
    const ref = { kind: 'ClusterRole', name: 'escalate-named' };
    await post(`${rbac}/clusterrolebindings`, binding('escalate-named', ref, 'escalator'));
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
    const role = { metadata: { name: 'named' }, rules };
    assert.equal((await post(path, role, escalator)).status, 403);
    const put = await server.request('PUT', `${path}/named`, { body: role, as: escalator });
    assert.equal(put.status, 201, put.text);
    await server.request('DELETE', `${path}/named`);
  });

  it('that aggregate others need every right, unless their writer may escalate', async () => {
    const path = `${rbac}/clusterroles`;
    const role = {
      metadata: { name: 'gatherer' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { any: 'thing' } }] },
    };
    const made = await post(path, role, roleWriter);
    assert.equal(made.status, 201, 'a wildcard of verbs includes escalate');
    await server.request('DELETE', `${path}/gatherer`);
    const plain = await server.authority.issue({ name: 'plain-writer' });
    await give('plain-writer', ['clusterroles'], ['create', 'update', 'patch', 'get']);
    const answer = await post(path, role, plain);
    assert.equal(answer.status, 403);
    assert.match(answer.body.message, /must have cluster-admin privileges to use the aggregationRule/);
  });
});

describe('a write that creates', () => {
  let server: TestServer;
  let patcher: Credentials;
  before(async () => {
    server = await TestServer.start();
    patcher = await server.authority.issue({ name: 'patcher' });
    const rules = [
      { apiGroups: ['', 'coordination.k8s.io'], resources: ['*'], verbs: ['get', 'update', 'patch'] },
    ];
    await server.request('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'patcher' }, rules } });
    const roleRef = { apiGroup, kind: 'ClusterRole', name: 'patcher' };
    const subjects = [{ apiGroup, kind: 'User', name: 'patcher' }];
    const body = { metadata: { name: 'patcher' }, roleRef, subjects };
    await server.request('POST', `${rbac}/clusterrolebindings`, { body });
  });
  after(() => server.close());

  it('needs the right to create, be it a PUT or an apply', async () => {
    const core = '/api/v1/namespaces/default';
    const subsets = [{ addresses: [{ ip: '10.0.0.1' }] }];
    const endpoints = { kind: 'Endpoints', apiVersion: 'v1', metadata: { name: 'new' }, subsets };
    const map = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'new' }, data: { a: 'b' } };
    const ways = [
      ['PUT', `${core}/endpoints/new`, endpoints, 'application/json', 'endpoints'],
      ['PATCH', `${core}/configmaps/new?fieldManager=t&dryRun=All`, map, apply, 'configmaps'],
      ['PATCH', `${core}/configmaps/new?fieldManager=t`, map, apply, 'configmaps'],
    ] as const;
    for (const [method, path, body, type, resource] of ways) {
      const refused = await server.request(method, path, { body, type, as: patcher });
      assert.equal(refused.status, 403, `${method} ${path}`);
      const sentence = `User "patcher" cannot create resource "${resource}" in API group "" in the namespace "default"`;
      assert.ok(refused.body.message.includes(sentence), refused.body.message);
      assert.equal(refused.body.details.name, 'new');
      const made = await server.request(method, path, { body, type });
      assert.equal(made.status, 201, made.text);
    }
    const again = { ...map, data: { a: 'c' } };
    const path = `${core}/configmaps/new?fieldManager=t`;
    assert.equal(
      (await server.request('PATCH', path, { body: again, type: apply, as: patcher })).status,
      200,
    );
  });
});

describe('a request for a certificate', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ runtimeConfig: { 'certificates.k8s.io/v1': true } });
  });
  after(() => server.close());

  it('names who sent it, whatever it says, and keeps its spec and decisions', async () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const pem = '-----BEGIN CERTIFICATE REQUEST-----\nMAcwBQIBADAA\n-----END CERTIFICATE REQUEST-----\n';
    const spec = {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'example.com/signer',
      usages: ['client auth'],
    };
    const lies = { username: 'root', uid: '0', groups: ['system:masters'], extra: { a: ['b'] } };
    const approved = { type: 'Approved', status: 'True', reason: 'x' };
    const { status, body } = await server.request('POST', path, {
      body: { metadata: { name: 'mine' }, spec: { ...spec, ...lies }, status: { conditions: [approved] } },
    });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.spec.username, 'admin');
    assert.deepEqual(body.spec.groups, ['system:masters', 'system:authenticated']);
    assert.equal(body.spec.uid, undefined);
    // Of the certificate that the request came with; nothing of what it said itself.
    assert.deepEqual(Object.keys(body.spec.extra), ['authentication.kubernetes.io/credential-id']);
    assert.equal(body.status.conditions, undefined, 'nobody approves by creating');
    const patch = (where: string, change: object) =>
      server.request('PATCH', `${path}/mine${where}`, { body: change, type: merge });
    const changed = await patch('', { spec: { username: 'root' } });
    assert.equal(changed.body.spec.username, 'admin');
    const decided = await patch('/status', { status: { conditions: [approved] } });
    assert.equal(decided.status, 422);
    assert.match(decided.body.message, /updates may not add a condition of type "Approved"/);
  });
});
