import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Credentials } from '../../../test/pki.ts';
import { TestServer } from '../../../test/test-server.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const maps = '/api/v1/namespaces/default/configmaps';
const rule = {
  ...{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
};

describe('expressions that ask who may do what', () => {
  let server: TestServer;
  let user: Credentials;
  let stranger: Credentials;
  before(async () => {
    server = await TestServer.start();
    user = await server.authority.issue({ name: 'jane', groups: ['dev'] });
    stranger = await server.authority.issue({ name: 'joe' });
    await give(
      'writers',
      ['configmaps'],
      ['create', 'update', 'get'],
      [{ kind: 'Group', name: 'system:authenticated', apiGroup }],
    );
    await give('users', ['licenses'], ['use'], [{ kind: 'Group', name: 'dev', apiGroup }], ['gold']);
    await give(
      'accounts',
      ['licenses'],
      ['use'],
      [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
    );
  });
  after(() => server.close());

  async function give(
    name: string,
    resources: string[],
    verbs: string[],
    subjects: object[],
    resourceNames?: string[],
  ): Promise<void> {
    const rules = [
      { apiGroups: resources[0] === 'licenses' ? ['example.com'] : [''], resources, verbs, resourceNames },
    ];
    const made = await server.request('POST', `${rbac}/clusterroles`, {
      body: { metadata: { name }, rules },
    });
    assert.equal(made.status, 201, made.text);
    const roleRef = { apiGroup, kind: 'ClusterRole', name };
    const bound = await server.request('POST', `${rbac}/clusterrolebindings`, {
      body: { metadata: { name }, roleRef, subjects },
    });
    assert.equal(bound.status, 201, bound.text);
  }

  /** A policy of a kind that is the only one then. */
  async function apply(kind: 'validating' | 'mutating', spec: object, binding: object = {}): Promise<void> {
    const kinds = ['validatingadmissionpolic', 'mutatingadmissionpolic'];
    for (const each of kinds)
      for (const ending of ['ybindings', 'ies']) await server.request('DELETE', `${group}/${each}${ending}`);
    const matchConstraints = { resourceRules: [rule] };
    const made = await server.request('POST', `${group}/${kind}admissionpolicies`, {
      body: { metadata: { name: 'p' }, spec: { matchConstraints, ...spec } },
    });
    assert.equal(made.status, 201, made.text);
    const bound = await server.request('POST', `${group}/${kind}admissionpolicybindings`, {
      body: { metadata: { name: 'p' }, spec: { policyName: 'p', ...binding } },
    });
    assert.equal(bound.status, 201, bound.text);
  }

  let count = 0;
  const write = (data: Record<string, string>, as: Credentials) => {
    count += 1;
    return server.request('POST', maps, { body: { metadata: { name: `m${count}` }, data }, as });
  };
  const denying = { validationActions: ['Deny'] };

  it('let those alone use a thing who are allowed to', async () => {
    const asked =
      'authorizer.group("example.com").resource("licenses").name(object.data.license).check("use")';
    await apply(
      'validating',
      {
        variables: [{ name: 'use', expression: asked }],
        validations: [
          {
            expression: 'variables.use.allowed()',
            messageExpression: '"no license: " + object.data.license',
            reason: 'Forbidden',
          },
        ],
      },
      denying,
    );
    assert.equal((await write({ license: 'gold' }, user)).status, 201);
    const other = await write({ license: 'silver' }, user);
    assert.equal(other.status, 403);
    assert.match(other.body.message, /denied request: no license: silver/);
    assert.equal((await write({ license: 'gold' }, stranger)).status, 403);
    assert.equal((await write({ license: 'silver' }, server.admin)).status, 201, 'system:masters');
    // What is bound now counts for the next request.
    await give('joe', ['licenses'], ['use'], [{ kind: 'User', name: 'joe', apiGroup }]);
    assert.equal((await write({ license: 'gold' }, stranger)).status, 201);
  });

  it('ask for service accounts, for paths, and for what the request itself is about', async () => {
    const account = (name: string) =>
      `authorizer.serviceAccount("default", "${name}").group("example.com").resource("licenses").check("use")`;
    await apply(
      'validating',
      {
        validations: [
          { expression: `${account('robot')}.allowed()` },
          { expression: `!${account('other')}.allowed()` },
          { expression: `${account('robot')}.reason().contains("robot")` },
          { expression: 'authorizer.path("/healthz").check("get").allowed()' },
          { expression: '!authorizer.path("/metrics").check("get").allowed()' },
          { expression: 'authorizer.requestResource.check(request.operation.lowerAscii()).allowed()' },
          { expression: '!authorizer.requestResource.check("delete").allowed()' },
          { expression: '!authorizer.requestResource.subresource("x").check("create").errored()' },
        ],
      },
      denying,
    );
    const made = await write({}, user);
    assert.equal(made.status, 201, made.text);
  });

  it('ask twice in one expression, and no more', async () => {
    const asked = 'authorizer.path("/version").check("get").allowed()';
    await apply('validating', { validations: [{ expression: `${asked} && ${asked}` }] }, denying);
    assert.equal((await write({}, user)).status, 201);
    await apply('validating', { validations: [{ expression: `${asked} && ${asked} && ${asked}` }] }, denying);
    assert.match((await write({}, user)).body.message, /cost limit exceeded/);
  });

  it('decide what a policy changes', async () => {
    const asked = 'authorizer.group("example.com").resource("licenses").name("gold").check("use").allowed()';
    await apply('mutating', {
      ...{ failurePolicy: 'Fail', reinvocationPolicy: 'Never' },
      matchConditions: [{ name: 'may', expression: 'authorizer.requestResource.check("create").allowed()' }],
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: `Object{data: {"level": ${asked} ? "gold" : "none"}}` },
        },
      ],
    });
    assert.equal((await write({}, user)).body.data.level, 'gold');
    const nobody = await server.authority.issue({ name: 'nobody' });
    assert.equal((await write({}, nobody)).body.data.level, 'none');
  });

  it('decide whether a webhook is asked', async () => {
    const called: string[] = [];
    const hook = createServer((request, response) => {
      called.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const { port } = hook.address() as AddressInfo;
    await apply('validating', { validations: [{ expression: 'true' }] }, denying);
    const webhook = {
      ...{ name: 'h.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None', rules: [rule] },
      // It speaks no TLS: whoever is asked about fails.
      ...{ clientConfig: { url: `https://127.0.0.1:${port}/` }, failurePolicy: 'Fail' },
      matchConditions: [
        {
          name: 'unlicensed',
          expression:
            '!authorizer.group("example.com").resource("licenses").name("gold").check("use").allowed()',
        },
      ],
    };
    const path = `${group}/validatingwebhookconfigurations`;
    const made = await server.request('POST', path, {
      body: { metadata: { name: 'h' }, webhooks: [webhook] },
    });
    assert.equal(made.status, 201, made.text);
    try {
      assert.equal((await write({}, user)).status, 201);
      const nobody = await server.authority.issue({ name: 'nobody' });
      assert.match((await write({}, nobody)).body.message, /failed calling webhook "h\.example\.com"/);
    } finally {
      await server.request('DELETE', path);
      hook.close();
    }
  });

  it('may not be asked by messages, nor for what is not there', async () => {
    const refused = await server.request('POST', `${group}/validatingadmissionpolicies`, {
      body: {
        metadata: { name: 'wrong' },
        spec: {
          matchConstraints: { resourceRules: [rule] },
          validations: [
            { expression: 'true', messageExpression: 'authorizer.path("/").check("get").reason()' },
            { expression: 'authorizer.group("").check("get").allowed()' },
          ],
        },
      },
    });
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /messageExpression: .*undeclared reference to 'authorizer'/);
    assert.match(refused.body.message, /found no matching overload for 'check' applied to/);
  });
});
