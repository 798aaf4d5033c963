import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Credentials, TestAuthority } from '../../test/pki.ts';
import { TestServer } from '../../test/test-server.ts';

const core = '/api/v1';
const namespace = `${core}/namespaces/default`;
const tokenFile = join(tmpdir(), `wherry-tokens-${process.pid}.csv`);

describe('access', () => {
  let server: TestServer;
  let worker: Credentials;
  before(async () => {
    writeFileSync(tokenFile, 'secret-token,alice,42,"group-one,group-two"\n');
    server = await TestServer.start({ tokenAuthFile: tokenFile });
    worker = await server.authority.issue({ name: 'system:node:worker', groups: ['system:nodes'] });
    for (const name of ['default', 'robot']) {
      await server.request('POST', `${namespace}/serviceaccounts`, { body: { metadata: { name } } });
    }
    for (const name of ['used', 'unused']) {
      await server.request('POST', `${namespace}/secrets`, { body: { metadata: { name } } });
    }
    for (const name of ['worker', 'other']) {
      await server.request('POST', `${core}/nodes`, { body: { metadata: { name } } });
    }
    const volumes = [{ name: 'v', secret: { secretName: 'used' } }];
    const containers = [{ name: 'main', image: 'busybox' }];
    const spec = { nodeName: 'worker', serviceAccountName: 'robot', containers, volumes };
    await server.request('POST', `${namespace}/pods`, { body: { metadata: { name: 'mine' }, spec } });
    const elsewhere = { nodeName: 'other', containers };
    await server.request('POST', `${namespace}/pods`, {
      body: { metadata: { name: 'theirs' }, spec: elsewhere },
    });
  });
  after(async () => {
    await server.close();
    rmSync(tokenFile);
  });

  const whoAmI = async (ask: Parameters<TestServer['request']>[2]) => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { body, status } = await server.request('POST', path, { body: {}, ...ask });
    return status === 201 ? body.status.userInfo : body;
  };

  it('to health tells each check where that is asked for, and single ones to those who may', async () => {
    const verbose = await server.request('GET', '/readyz?verbose', { as: null });
    assert.match(
      verbose.text,
      /^\[\+\]ping ok\n[\s\S]*\[\+\]poststarthook\/bootstrap ok\n[\s\S]*\[\+\]shutdown ok\nreadyz check passed\n$/,
    );
    assert.equal((await server.request('GET', '/readyz/poststarthook/bootstrap')).text, 'ok');
    assert.equal((await server.request('GET', '/readyz/nope')).status, 404);
    assert.equal((await server.request('GET', '/readyz/ping', { as: null })).status, 403);
  });

  it('with spaces before its token is nobody’s, and is told why', async () => {
    const headers = { authorization: 'Bearer  secret-token' };
    const refused = await server.request('GET', `${namespace}/pods`, { as: null, headers });
    assert.deepEqual([refused.status, refused.body.reason], [403, 'Forbidden']);
    assert.match(String(refused.headers['warning']), /extra space before the bearer token, and is ignored/);
    const plain = { authorization: ' Bearer secret-token ' };
    assert.equal((await whoAmI({ as: null, headers: plain })).username, 'alice');
  });

  it('without credentials ends at health, version and nothing else', async () => {
    for (const path of ['/healthz', '/livez', '/readyz', '/version']) {
      assert.equal((await server.request('GET', path, { as: null })).status, 200, path);
    }
    const { status, body } = await server.request('GET', '/api', { as: null });
    assert.equal(status, 403);
    assert.equal(body.message, 'forbidden: User "system:anonymous" cannot get path "/api"');
  });

  it('is told with the time of the telling, and with nothing that the question said', async () => {
    const ask = { body: { metadata: { name: 'n', labels: { a: 'b' } } } };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { body } = await server.request('POST', path, ask);
    assert.deepEqual(Object.keys(body.metadata), ['creationTimestamp']);
    assert.ok(Date.now() - Date.parse(body.metadata.creationTimestamp) < 60_000);
  });

  it('by a client certificate is that of its CN and Os', async () => {
    const credentials = await server.authority.issue({ name: 'bob', groups: ['red', 'blue'] });
    assert.deepEqual(await whoAmI({ as: credentials }), {
      username: 'bob',
      groups: ['red', 'blue', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [
          `X509SHA256=${new X509Certificate(credentials.cert).fingerprint256.replaceAll(':', '').toLowerCase()}`,
        ],
      },
    });
  });

  it('by a client certificate may have a uid, one that is not empty', async () => {
    const issue = (...uids: string[]) => server.authority.issue({ name: 'ann', groups: ['g'], uids });
    const { username, uid, groups } = await whoAmI({ as: await issue('u-1') });
    assert.deepEqual([username, uid, groups], ['ann', 'u-1', ['g', 'system:authenticated']]);
    for (const uids of [['u-1', 'u-2'], ['']]) {
      const { status } = await server.request('GET', '/version', { as: await issue(...uids) });
      assert.equal(status, 401, uids.join());
    }
  });

  it('by a client certificate ends with it, also on a connection that is kept', async () => {
    const lifetimeMs = 3_000;
    const as = await server.authority.issue({ name: 'brief', groups: ['system:masters'], lifetimeMs });
    const ask = async () => (await server.request('GET', '/api/v1/namespaces', { as })).status;
    assert.equal(await ask(), 200);
    await new Promise((resolve) => setTimeout(resolve, lifetimeMs));
    assert.equal(await ask(), 401);
  });

  it('by a certificate of another authority is refused', async () => {
    const stranger = await TestAuthority.create('stranger');
    const credentials = await stranger.issue({ name: 'admin', groups: ['system:masters'] });
    assert.equal((await server.request('GET', '/version', { as: credentials })).status, 401);
  });

  it('by a token of the file is that of its line; any other token is refused, and other words are nobody’s', async () => {
    const { username, uid, groups } = await whoAmI({ token: 'secret-token' });
    assert.deepEqual(
      [username, uid, groups],
      ['alice', '42', ['group-one', 'group-two', 'system:authenticated']],
    );
    assert.equal((await whoAmI({ token: 'other-token' })).code, 401);
    const basic = { as: null, headers: { authorization: 'Basic eDp5' } };
    assert.equal((await server.request('GET', '/version', basic)).status, 200);
    assert.equal((await server.request('GET', `${namespace}/pods`, basic)).status, 403);
  });

  it('to one name is not had for all by a selector that hides it in a value', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const reader = await server.authority.issue({ name: 'reader' });
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'], resourceNames: ['used'] }];
    await server.request('POST', `${rbac}/roles`, { body: { metadata: { name: 'one' }, rules } });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'one' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }];
    await server.request('POST', `${rbac}/rolebindings`, {
      body: { metadata: { name: 'one' }, roleRef, subjects },
    });
    const list = (selector: string) =>
      server.request('GET', `${namespace}/secrets?fieldSelector=${encodeURIComponent(selector)}`, {
        as: reader,
      });
    assert.equal((await list('metadata.name=used')).body.items.length, 1);
    assert.equal((await list('metadata.name=unused')).status, 403);
    assert.equal((await list('metadata.namespace!=x\\,metadata.name\\=used')).status, 403);
  });

  const requestToken = async (spec: object) => {
    const path = `${namespace}/serviceaccounts/robot/token`;
    return server.request('POST', path, { body: { spec } });
  };

  it('by a service account’s token names account and pod, and ends with the pod', async () => {
    const containers = [{ name: 'main', image: 'busybox' }];
    const spec = { serviceAccountName: 'robot', nodeName: 'worker', containers };
    const { body: pod } = await server.request('POST', `${namespace}/pods`, {
      body: { metadata: { name: 'brief' }, spec },
    });
    const boundObjectRef = { kind: 'Pod', name: 'brief', uid: pod.metadata.uid };
    const { body, status } = await requestToken({ boundObjectRef });
    assert.equal(status, 201);
    const { username, groups, extra } = await whoAmI({ token: body.status.token });
    assert.equal(username, 'system:serviceaccount:default:robot');
    assert.deepEqual(groups, [
      'system:serviceaccounts',
      'system:serviceaccounts:default',
      'system:authenticated',
    ]);
    assert.deepEqual(extra['authentication.kubernetes.io/pod-name'], ['brief']);
    assert.deepEqual(extra['authentication.kubernetes.io/node-name'], ['worker']);
    const fresh = await requestToken({ boundObjectRef });
    await server.request('DELETE', `${namespace}/pods/brief`, { body: { gracePeriodSeconds: 0 } });
    assert.equal((await whoAmI({ token: fresh.body.status.token })).code, 401);
  });

  it('by a token for other audiences is refused, and a review tells whom it is for', async () => {
    const { body } = await requestToken({ audiences: ['vault'] });
    const { token } = body.status;
    assert.equal((await whoAmI({ token })).code, 401);
    const review = async (audiences: string[]) =>
      (
        await server.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
          body: { spec: { token, audiences } },
        })
      ).body;
    assert.deepEqual((await review(['vault'])).status.audiences, ['vault']);
    assert.deepEqual(Object.keys((await review(['other'])).status), ['user', 'error']);
    assert.equal((await review(['vault'])).spec.token, '', 'the token is not sent back');
  });

  it('by a changed token is refused', async () => {
    const { body } = await requestToken({});
    const [head, payload = '', signature] = body.status.token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    claims.sub = 'system:serviceaccount:kube-system:admin';
    const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
    assert.equal((await whoAmI({ token: forged })).code, 401);
  });

  it('follows roles and bindings as they come and go', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const carol = await server.authority.issue({ name: 'carol' });
    const read = () => server.request('GET', `${namespace}/configmaps`, { as: carol });
    assert.equal((await read()).status, 403);
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
    const subjects = [{ kind: 'User', name: 'carol', apiGroup: 'rbac.authorization.k8s.io' }];
    const bindings = `${rbac}/namespaces/default/rolebindings`;
    await server.request('POST', bindings, { body: { metadata: { name: 'carol' }, roleRef, subjects } });
    assert.equal((await read()).status, 200);
    assert.equal((await server.request('GET', `${namespace}/secrets`, { as: carol })).status, 403);
    assert.equal(
      (await server.request('GET', `${core}/namespaces/kube-system/configmaps`, { as: carol })).status,
      403,
    );
    await server.request('DELETE', `${bindings}/carol`);
    assert.equal((await read()).status, 403);
  });

  it('hands out no rights that the giver does not have', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const erin = await server.authority.issue({ name: 'erin' });
    const subjects = [{ kind: 'User', name: 'erin', apiGroup: 'rbac.authorization.k8s.io' }];
    const bind = (name: string, role: string, as?: Credentials) => {
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role };
      const path = `${rbac}/namespaces/default/rolebindings`;
      return server.request('POST', path, {
        body: { metadata: { name }, roleRef, subjects },
        ...(as ? { as } : {}),
      });
    };
    assert.equal((await bind('erin', 'admin')).status, 201);
    const refused = await bind('erin-more', 'cluster-admin', erin);
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /attempting to grant RBAC permissions not currently held/);
    assert.equal((await bind('erin-view', 'view', erin)).status, 201);
    const role = (verbs: string[]) => ({
      metadata: { name: `role-${verbs[0]}` },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
    });
    const roles = `${rbac}/namespaces/default/roles`;
    assert.equal((await server.request('POST', roles, { body: role(['get']), as: erin })).status, 201);
    assert.equal((await server.request('POST', roles, { body: role(['*']), as: erin })).status, 403);
  });

  it('as somebody else needs the right to impersonate', async () => {
    const headers = { 'impersonate-user': 'dave', 'impersonate-group': 'readers' };
    const { username, groups } = await whoAmI({ headers });
    assert.deepEqual([username, groups], ['dave', ['readers', 'system:authenticated']]);
    const refused = await server.request('GET', '/api', { token: 'secret-token', headers });
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /User "alice" cannot impersonate-on:user-info:/);
  });

  it('is told by access reviews', async () => {
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const resourceAttributes = { verb: 'delete', resource: 'pods', namespace: 'default' };
    const allowed = async (user: string, groups: string[]) =>
      (await server.request('POST', path, { body: { spec: { user, groups, resourceAttributes } } })).body
        .status.allowed;
    assert.equal(await allowed('root', ['system:masters']), true);
    assert.equal(await allowed('nobody', []), false);
  });

  it('is told of what a node selects, however a review says it', async () => {
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const allowed = async (fieldSelector: object) => {
      const resourceAttributes = { verb: 'list', resource: 'pods', fieldSelector };
      const spec = { user: 'system:node:worker', groups: ['system:nodes'], resourceAttributes };
      const { status, body } = await server.request('POST', path, { body: { spec } });
      return status === 201 ? body.status.allowed : body.message;
    };
    const own = { key: 'spec.nodeName', operator: 'In', values: ['worker'] };
    assert.equal(await allowed({ rawSelector: 'spec.nodeName=worker' }), true);
    assert.equal(await allowed({ requirements: [own, { key: 'x', operator: 'Later' }] }), true);
    assert.equal(await allowed({ requirements: [{ ...own, operator: 'NotIn' }] }), false);
    assert.equal(await allowed({ requirements: [{ ...own, values: ['worker', 'other'] }] }), false);
    const place = 'spec.resourceAttributes.fieldSelector';
    const title = '.authorization.k8s.io "" is invalid: ';
    assert.equal(
      await allowed({ rawSelector: 'a=b', requirements: [own] }),
      `${title}${place}.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements`,
    );
    assert.equal(
      await allowed({}),
      `${title}${place}.requirements: Required value: when ${place} is specified, requirements or rawSelector is required`,
    );
    assert.equal(
      await allowed({ requirements: [{ key: '', operator: 'In' }] }),
      `${title}[${place}.requirements[0].key: Required value: must be specified, ` +
        `${place}.requirements[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn']`,
    );
  });

  it('is not told by reviews that do not say what they ask', async () => {
    const refusal = async (path: string, body: object) => {
      const answer = await server.request('POST', path, { body });
      return `${answer.status} ${answer.body.message}`;
    };
    const reviews = '/apis/authorization.k8s.io/v1';
    const neither =
      'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified';
    const nobody = 'spec.user: Invalid value: "": at least one of user or group must be specified';
    const title = '422 .authorization.k8s.io "" is invalid: ';
    assert.equal(await refusal(`${reviews}/subjectaccessreviews`, {}), `${title}[${neither}, ${nobody}]`);
    const named = { metadata: { name: 'x' }, spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
    assert.equal(
      await refusal(`${reviews}/selfsubjectaccessreviews`, named),
      `${title}metadata: Invalid value: {"name":"x"}: must be empty`,
    );
    const spec = { user: 'u', resourceAttributes: { namespace: 'b' } };
    assert.equal(
      await refusal(`${reviews}/namespaces/default/localsubjectaccessreviews`, { spec }),
      `${title}spec.resourceAttributes.namespace: Invalid value: "b": must match metadata.namespace`,
    );
    assert.equal(await refusal(`${reviews}/selfsubjectrulesreviews`, {}), '400 no namespace on request');
    const tokens = '/apis/authentication.k8s.io/v1/tokenreviews';
    assert.equal(await refusal(tokens, {}), '400 token is required for TokenReview in authentication');
  });

  describe('of a node', () => {
    const status = async (method: string, path: string, body?: object) =>
      (await server.request(method, path, { as: worker, ...(body ? { body } : {}) })).status;

    it('reaches its own node, and no other', async () => {
      assert.equal(await status('GET', `${core}/nodes/worker`), 200);
      assert.equal(await status('GET', `${core}/nodes/other`), 403);
      assert.equal(await status('GET', `${core}/nodes?fieldSelector=metadata.name%3Dworker`), 200);
      assert.equal(await status('GET', `${core}/nodes`), 403);
    });

    it('reaches the secrets that its pods name, and no others', async () => {
      assert.equal(await status('GET', `${namespace}/secrets/used`), 200);
      assert.equal(await status('GET', `${namespace}/secrets/unused`), 403);
      assert.equal(await status('GET', `${namespace}/secrets`), 403);
      assert.equal(await status('GET', `${namespace}/secrets?fieldSelector=metadata.name%3Dused`), 200);
      assert.equal(await status('DELETE', `${namespace}/secrets/used`), 403);
    });

    it('lists the pods that are bound to it', async () => {
      assert.equal(await status('GET', `${core}/pods?fieldSelector=spec.nodeName%3Dworker`), 200);
      const both = encodeURIComponent('status.phase!=Failed,spec.nodeName==worker');
      assert.equal(await status('GET', `${core}/pods?fieldSelector=${both}`), 200);
      // One term, which takes the pods of every node: its value has a comma.
      const hidden = encodeURIComponent('status.phase!=x\\,spec.nodeName\\=worker');
      assert.equal(await status('GET', `${core}/pods?fieldSelector=${hidden}`), 403);
      const bare = encodeURIComponent('status.phase!=x\\,spec.nodeName=worker');
      assert.equal(await status('GET', `${core}/pods?fieldSelector=${bare}`), 403);
      assert.equal(await status('GET', `${core}/pods?fieldSelector=spec.nodeName%3Dother`), 403);
    });

    it('gets tokens of accounts that its pods use', async () => {
      const { body: pod } = await server.request('GET', `${namespace}/pods/mine`);
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: pod.metadata.uid };
      const asked = { spec: { boundObjectRef } };
      assert.equal(await status('POST', `${namespace}/serviceaccounts/robot/token`, asked), 201);
      await server.request('POST', `${namespace}/serviceaccounts`, { body: { metadata: { name: 'idle' } } });
      assert.equal(await status('POST', `${namespace}/serviceaccounts/idle/token`, {}), 403);
    });

    it('renews its lease, and no other', async () => {
      const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
      assert.equal(await status('POST', leases, { metadata: { name: 'worker' } }), 201);
      assert.equal(await status('GET', `${leases}/worker`), 200);
      assert.equal(await status('GET', `${leases}/other`), 403);
    });

    it('makes mirror pods only, and deletes only pods of its own', async () => {
      const spec = { nodeName: 'worker', containers: [{ name: 'main', image: 'busybox' }] };
      assert.equal(await status('POST', `${namespace}/pods`, { metadata: { name: 'made' }, spec }), 403);
      const annotations = { 'kubernetes.io/config.mirror': 'x' };
      const { body: node } = await server.request('GET', `${core}/nodes/worker`);
      const { uid } = node.metadata;
      const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'worker', uid, controller: true }];
      const metadata = { name: 'made', annotations, ownerReferences };
      assert.equal(await status('POST', `${namespace}/pods`, { metadata, spec }), 201);
      assert.equal(await status('DELETE', `${namespace}/pods/theirs`), 403);
      assert.equal(await status('DELETE', `${namespace}/pods/made`), 200);
    });
  });
});
