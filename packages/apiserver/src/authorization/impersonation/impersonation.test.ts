import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Credentials } from '../../../test/pki.ts';
import { TestServer } from '../../../test/test-server.ts';
import { modes } from './modes.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

describe('impersonation', () => {
  let server: TestServer;
  /** May be the user dave of the group readers, with the extra key `acme.com/project` and one uid. */
  let actor: Credentials;
  before(async () => {
    server = await TestServer.start();
    actor = await server.authority.issue({ name: 'actor' });
    const rule = (apiGroup: string, resource: string, resourceNames: string[]) => ({
      ...{ apiGroups: [apiGroup], resources: [resource], verbs: ['impersonate'], resourceNames },
    });
    const authentication = 'authentication.k8s.io';
    const rules = [
      rule('', 'users', ['dave', 'system:anonymous']),
      rule('', 'groups', ['readers', 'a, b']),
      rule('', 'serviceaccounts', ['robot']),
      rule(authentication, 'uids', ['u-1']),
      rule(authentication, 'userextras/acme.com/project', ['p1', 'p2']),
    ];
    await server.request('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'actor' }, rules } });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'actor' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'actor' }];
    const binding = { metadata: { name: 'actor' }, roleRef, subjects };
    await server.request('POST', `${rbac}/clusterrolebindings`, { body: binding });
  });
  after(() => server?.close());

  /** Who the server takes the caller for. */
  const ask = (headers: Record<string, string | string[]>, as = actor) =>
    server.request('POST', reviews, { body: {}, as, headers: headers as Record<string, string> });
  const whoAmI = async (headers: Record<string, string | string[]>, as = actor) => {
    const { body, status, text } = await ask(headers, as);
    assert.equal(status, 201, text);
    return body.status.userInfo;
  };

  it('carries name, groups, uid and extra', async () => {
    const headers = {
      'Impersonate-User': 'dave',
      'Impersonate-Group': 'readers',
      'Impersonate-Uid': 'u-1',
      'Impersonate-Extra-Acme.com%2Fproject': ['p1', 'p2'],
    };
    assert.deepEqual(await whoAmI(headers), {
      username: 'dave',
      uid: 'u-1',
      groups: ['readers', 'system:authenticated'],
      extra: { 'acme.com/project': ['p1', 'p2'] },
    });
  });

  it('of group, uid or extra without a user is refused, and never runs as the caller', async () => {
    const shown = ({ uid = '', groups = [] as string[], extra = '(nil)' }) =>
      `&user.DefaultInfo{Name:"", UID:"${uid}", Groups:[]string${groups.length ? `{"${groups}"}` : '(nil)'}, Extra:map[string][]string${extra}}`;
    const cases: [headers: Record<string, string>, said: string][] = [
      [{ 'Impersonate-Group': 'readers' }, shown({ groups: ['readers'] })],
      [{ 'Impersonate-Uid': 'u-1' }, shown({ uid: 'u-1' })],
      [{ 'Impersonate-Extra-Scopes': 'view' }, shown({ extra: '{"scopes":[]string{"view"}}' })],
      [{ 'Impersonate-User': '', 'Impersonate-Group': 'readers' }, shown({ groups: ['readers'] })],
    ];
    for (const [headers, said] of cases) {
      for (const as of [actor, server.admin]) {
        const { status, body } = await ask(headers, as);
        assert.equal(status, 400, said);
        assert.equal(body.message, `requested ${said} without impersonating a user name`);
      }
    }
  });

  it('needs the right to each of what it carries', async () => {
    const dave = { 'Impersonate-User': 'dave' };
    const cases: [headers: Record<string, string | string[]>, message: string][] = [
      [
        { 'Impersonate-User': 'root' },
        'users "root" is forbidden: User "actor" cannot impersonate resource "users" in API group "" at the cluster scope',
      ],
      [
        { ...dave, 'Impersonate-Group': ['readers', 'system:masters'] },
        'groups "system:masters" is forbidden: User "actor" cannot impersonate resource "groups" in API group "" at the cluster scope',
      ],
      [
        { ...dave, 'Impersonate-Uid': 'u-2' },
        'uids.authentication.k8s.io "u-2" is forbidden: User "actor" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
      ],
      [
        { ...dave, 'Impersonate-Extra-Acme.com%2Fproject': ['p1', 'p3'] },
        'userextras.authentication.k8s.io "p3" is forbidden: User "actor" cannot impersonate resource "userextras/acme.com/project" in API group "authentication.k8s.io" at the cluster scope',
      ],
      [
        { ...dave, 'Impersonate-Extra-Scopes': 'p1' },
        'userextras.authentication.k8s.io "p1" is forbidden: User "actor" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope',
      ],
      [
        { 'Impersonate-User': 'system:serviceaccount:default:other' },
        'serviceaccounts "other" is forbidden: User "actor" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"',
      ],
    ];
    for (const [headers, message] of cases) {
      const { status, body } = await ask(headers);
      assert.equal(status, 403, message);
      assert.equal(body.message, message);
    }
  });

  it('of a service account is in its groups, unless groups are named', async () => {
    const headers = { 'Impersonate-User': 'system:serviceaccount:default:robot' };
    const implied = ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'];
    assert.deepEqual((await whoAmI(headers)).groups, implied);
    const named = await whoAmI({ ...headers, 'Impersonate-Group': 'readers' });
    assert.deepEqual(named.groups, ['readers', 'system:authenticated']);
  });

  it('of what only looks like a service account is that of a user', async () => {
    const { status, body } = await ask({ 'Impersonate-User': 'system:serviceaccount:De_fault:robot' });
    assert.equal(status, 403);
    assert.match(body.message, /cannot impersonate resource "users"/);
  });

  it('takes each header line for one value', async () => {
    const { groups } = await whoAmI({ 'Impersonate-User': 'dave', 'Impersonate-Group': 'a, b' });
    assert.deepEqual(groups, ['a, b', 'system:authenticated']);
  });

  it('of nobody is unauthenticated', async () => {
    const headers = { 'Impersonate-User': 'system:anonymous' };
    const { status, body } = await ask(headers);
    assert.equal(status, 403);
    assert.match(body.message, /User "system:anonymous" cannot create/);
  });

  it('keeps to a group of the unknown when that is what is asked for', async () => {
    const headers = { 'Impersonate-User': 'dave', 'Impersonate-Group': 'system:unauthenticated' };
    const { status, body } = await ask(headers, server.admin);
    assert.equal(status, 403);
    assert.match(body.message, /User "dave" cannot create/);
  });

  it('of a name that every object inherits is a plain one', async () => {
    const headers = { 'Impersonate-User': '__proto__', 'Impersonate-Extra-__proto__': 'x' };
    const { username, extra } = await whoAmI(headers, server.admin);
    assert.equal(username, '__proto__');
    assert.deepEqual(Object.entries(extra), [['__proto__', ['x']]]);
  });
});

describe('constrained impersonation', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server?.close());

  /** Somebody with these rules, each `[verbs, group, resources, names]`. */
  async function userWith(
    name: string,
    rules: [string[], string, string[], string[]?][],
  ): Promise<Credentials> {
    const role = {
      metadata: { name },
      rules: rules.map(([verbs, apiGroup, resources, resourceNames = []]) => ({
        ...{ verbs, apiGroups: [apiGroup], resources, resourceNames },
      })),
    };
    await server.request('POST', `${rbac}/clusterroles`, { body: role });
    await bind(name, { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name });
    return server.authority.issue({ name });
  }
  const bind = (name: string, subject: object) =>
    server.request('POST', `${rbac}/clusterrolebindings`, {
      body: {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [subject],
      },
    });
  const asSomebody = (method: string, path: string, as: Credentials, headers: Record<string, string>) =>
    server.request(method, path, { as, headers, ...(method === 'POST' ? { body: {} } : {}) });
  const authentication = 'authentication.k8s.io';

  it('needs the right to the user, and the right to the verb as somebody', async () => {
    const robot = await userWith('robot', [
      [['impersonate:user-info'], authentication, ['users'], ['ann']],
      [['impersonate-on:user-info:list'], '', ['pods']],
    ]);
    await userWith('ann', [[['list'], '', ['pods', 'services']]]);
    const ask = (path: string, headers: Record<string, string>) => asSomebody('GET', path, robot, headers);
    assert.equal((await ask('/api/v1/pods', { 'impersonate-user': 'ann' })).status, 200);
    const refused: [path: string, headers: Record<string, string>, message: string][] = [
      [
        '/api/v1/services',
        { 'impersonate-user': 'ann' },
        'services is forbidden: User "robot" cannot impersonate-on:user-info:list resource "services" in API group "" at the cluster scope',
      ],
      [
        '/api/v1/pods',
        { 'impersonate-user': 'bob' },
        'users.authentication.k8s.io "bob" is forbidden: User "robot" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope',
      ],
      [
        '/api/v1/pods',
        { 'impersonate-user': 'ann', 'impersonate-group': 'system:masters' },
        'groups.authentication.k8s.io "system:masters" is forbidden: User "robot" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed',
      ],
    ];
    for (const [path, headers, message] of refused) {
      const { status, body } = await ask(path, headers);
      assert.equal(status, 403, message);
      assert.equal(body.message, message);
    }
    const extra = await ask('/api/v1/pods', { 'impersonate-user': 'ann', 'impersonate-extra-scopes': 'all' });
    assert.match(
      extra.body.message,
      /impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "scopes"/,
    );
  });

  it('of nodes and service accounts has modes of its own, and settles their groups', async () => {
    const agent = await userWith('agent', [
      [['impersonate:arbitrary-node'], authentication, ['nodes'], ['n1']],
      [['impersonate:serviceaccount'], authentication, ['serviceaccounts']],
      [
        ['impersonate-on:arbitrary-node:create', 'impersonate-on:serviceaccount:create'],
        authentication,
        ['selfsubjectreviews'],
      ],
      [['impersonate:user-info'], authentication, ['users', 'groups']],
      [['impersonate-on:user-info:create'], authentication, ['selfsubjectreviews']],
    ]);
    const whoAmI = (name: string, more = {}) =>
      asSomebody('POST', reviews, agent, { 'impersonate-user': name, ...more });
    const node = await whoAmI('system:node:n1');
    assert.deepEqual(node.body.status.userInfo.groups, ['system:nodes', 'system:authenticated']);
    const account = await whoAmI('system:serviceaccount:default:x');
    assert.deepEqual(account.body.status.userInfo.groups, [
      ...['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    ]);
    assert.equal((await whoAmI('system:node:n2')).status, 403);
    assert.equal((await whoAmI('system:node:n1', { 'impersonate-group': 'system:nodes' })).status, 403);
    assert.equal((await whoAmI('carl', { 'impersonate-group': 'devs' })).status, 201);
  });

  it('of the node where its own pod is needs the right to all nodes, and nothing but that', async () => {
    const mode = modes[0]!;
    const authenticated = {
      ...{ name: 'system:serviceaccount:default:agent', uid: '', groups: [] },
      extra: { 'authentication.kubernetes.io/node-name': ['n1'] },
    };
    const asked = (name: string) => ({ name, uid: '', groups: [], extra: new Map() });
    assert.equal(mode.applies(asked('system:node:n1'), authenticated), true);
    assert.equal(mode.applies(asked('system:node:n2'), authenticated), false);
    assert.equal(mode.applies(asked('system:node:n1'), { ...authenticated, name: 'jane' }), false);
    const questions: unknown[] = [];
    const taken = await mode.take(
      asked('system:node:n1'),
      {
        ...{ user: authenticated, verb: 'list', isResource: true, path: '' },
        ...{ group: '', resource: 'pods', subresource: '', namespace: '', name: '' },
      },
      async ({ user, verb, resource, name }) => {
        questions.push([Object.keys(user.extra), verb, resource, name]);
      },
    );
    const keys = ['authentication.kubernetes.io/associated-node-keys'];
    assert.deepEqual(questions, [
      [keys, 'impersonate-on:associated-node:list', 'pods', ''],
      [keys, 'impersonate:associated-node', 'nodes', '*'],
    ]);
    assert.deepEqual(taken, {
      user: { name: 'system:node:n1', uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} },
      constraint: 'impersonate:associated-node',
    });
  });
});
