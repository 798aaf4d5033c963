import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Credentials } from '../../test/pki.ts';
import { TestServer } from '../../test/test-server.ts';

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
    const cases: [headers: Record<string, string>, shown: string][] = [
      [{ 'Impersonate-Group': 'readers' }, '{Group  readers    }'],
      [{ 'Impersonate-Uid': 'u-1' }, '{UID  u-1  authentication.k8s.io/v1  }'],
      [{ 'Impersonate-Extra-Scopes': 'view' }, '{UserExtra  view  authentication.k8s.io/v1  scopes}'],
      [{ 'Impersonate-User': '', 'Impersonate-Group': 'readers' }, '{Group  readers    }'],
    ];
    for (const [headers, shown] of cases) {
      for (const as of [actor, server.admin]) {
        const { status, body } = await ask(headers, as);
        assert.equal(status, 400, shown);
        assert.equal(body.message, `requested [${shown}] without impersonating a user`);
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
