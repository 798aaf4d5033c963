import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const policies = `${group}/validatingadmissionpolicies`;
const bindings = `${group}/validatingadmissionpolicybindings`;
const maps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data: object = {}, labels: object = {}) => ({
  metadata: { name, labels },
  data,
});

const policy = (name: string, spec: object) => ({
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
      ],
    },
    ...spec,
  },
});
const binding = (name: string, spec: object) => ({
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'], ...spec },
});

describe('policies in CEL', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const post = async (path: string, body: object) => server.request('POST', path, { body });
  /** With its binding; whatever else was there is gone. */
  const apply = async (spec: object, bound: object = {}) => {
    for (const path of [bindings, policies]) await server.request('DELETE', path);
    const made = await post(policies, policy('p', spec));
    assert.equal(made.status, 201, made.text);
    const tied = await post(bindings, binding('p', bound));
    assert.equal(tied.status, 201, tied.text);
  };
  let count = 0;
  const write = (data: object, labels?: object) => {
    count += 1;
    return post(maps, configMap(`m${count}`, data, labels));
  };

  it('refuse what does not hold, with their message and reason', async () => {
    await apply({
      variables: [{ name: 'size', expression: 'size(object.data)' }],
      validations: [
        {
          expression: 'variables.size < 2',
          ...{ messageExpression: '"%d are too many".format([variables.size])', reason: 'Forbidden' },
        },
      ],
    });
    const refused = await write({ a: '1', b: '2' });
    assert.equal(refused.status, 403);
    assert.match(
      refused.body.message,
      /configmaps "m1" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: 2 are too many$/,
    );
    assert.equal((await write({ a: '1' })).status, 201);
    // As upstream, whose store alone minds a version: who is refused by a policy reads that.
    const stale = {
      ...configMap('stale', { a: '1', b: '2' }),
      metadata: { name: 'stale', resourceVersion: '7' },
    };
    assert.match((await post(maps, stale)).body.message, /2 are too many$/);
    assert.match(
      (await post(maps, { ...stale, data: { a: '1' } })).body.message,
      /^resourceVersion should not be set on objects to be created$/,
    );
  });

  it('warn where the binding says so', async () => {
    await apply({ validations: [{ expression: 'false', message: 'no' }] }, { validationActions: ['Warn'] });
    const warned = await write({});
    assert.equal(warned.status, 201);
    assert.match(
      String(warned.headers['warning']),
      /Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': no/,
    );
  });

  it('see who asks, the namespace and what was there', async () => {
    await apply({
      validations: [
        {
          expression:
            "request.operation == 'CREATE' && request.resource.resource == 'configmaps' && oldObject == null",
        },
        { expression: "namespaceObject.metadata.name == 'default' && request.userInfo.username != ''" },
      ],
    });
    const made = await write({});
    assert.equal(made.status, 201, made.text);
    const changed = await server.request('PUT', `${maps}/m${count}`, {
      body: configMap(`m${count}`, { x: 'y' }),
    });
    assert.equal(changed.status, 422);
    assert.match(changed.body.message, /denied request: failed expression: request\.operation == 'CREATE'/);
  });

  it('take parameters, one by one', async () => {
    const limits = await post(maps, configMap('limits', { most: '3' }));
    assert.equal(limits.status, 201, limits.text);
    await apply(
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConditions: [{ name: 'not-limits', expression: "object.metadata.name != 'limits'" }],
        validations: [{ expression: 'size(object.data) <= int(params.data.most)' }],
      },
      { paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } },
    );
    const made = await write({ a: '1' });
    assert.equal(made.status, 201, made.text);
    assert.equal((await write({ a: '1', b: '2', c: '3', d: '4' })).status, 422);
    await server.request('DELETE', `${maps}/limits`);
    assert.match((await write({})).body.message, /no params found for policy binding with `Deny`/);
  });

  it('take every parameter that a selector finds where the request is', async () => {
    const labels = { limits: 'yes' };
    for (const path of [bindings, policies]) await server.request('DELETE', path);
    await post(maps, configMap('loose', { most: '3' }, labels));
    await post(maps, configMap('strict', { most: '1' }, labels));
    await apply(
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [
          {
            expression: 'size(object.data) <= int(params.data.most)',
            messageExpression: "'more than ' + params.metadata.name + ' of ' + params.kind",
          },
        ],
      },
      { paramRef: { selector: { matchLabels: labels }, parameterNotFoundAction: 'Deny' } },
    );
    assert.equal((await write({ a: '1' })).status, 201);
    assert.match((await write({ a: '1', b: '2' })).body.message, /: more than strict of ConfigMap$/);
    for (const name of ['loose', 'strict']) await server.request('DELETE', `${maps}/${name}`);
  });

  it('have variables that are null, and conditions that do not see the namespace', async () => {
    await apply({
      variables: [{ name: 'before', expression: 'oldObject' }],
      matchConditions: [{ name: 'no-namespace', expression: 'namespaceObject == null' }],
      validations: [{ expression: 'variables.before != null', message: 'new' }],
    });
    assert.match((await write({})).body.message, /denied request: new$/);
  });

  it('refuse when an annotation can not be worked out, whatever their binding says', async () => {
    const auditAnnotations = [{ key: 'x', valueExpression: 'string(object.data.missing)' }];
    await apply({ auditAnnotations }, { validationActions: ['Audit'] });
    assert.match(
      (await write({})).body.message,
      /'string\(object\.data\.missing\)' resulted in error: no such key/,
    );
    assert.equal((await write({ missing: 'no more' })).status, 201);
    await apply({ auditAnnotations, failurePolicy: 'Ignore' }, { validationActions: ['Audit'] });
    assert.equal((await write({})).status, 201);
  });

  it('are written and bound by nobody who may not read their parameters', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const may = async (user: string, rules: object[]) => {
      await post(`${rbac}/clusterroles`, { metadata: { name: user }, rules });
      const made = await post(`${rbac}/clusterrolebindings`, {
        metadata: { name: user },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
        subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
      });
      assert.equal(made.status, 201, made.text);
      return server.authority.issue({ name: user });
    };
    const writer = { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] };
    const curious = await may('curious', [writer]);
    const reader = await may('reader', [
      writer,
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] },
    ]);
    for (const path of [bindings, policies]) await server.request('DELETE', path);
    const secrets = policy('p', {
      paramKind: { apiVersion: 'v1', kind: 'Secret' },
      validations: [{ expression: 'false', messageExpression: 'string(params.data.password)' }],
    });
    const bound = binding('p', { paramRef: { name: 's', parameterNotFoundAction: 'Deny' } });
    const refused = await server.request('POST', policies, { body: secrets, as: curious });
    assert.equal(refused.status, 422);
    assert.match(
      refused.body.message,
      /spec\.paramKind: Forbidden: user "curious" must have "get" permission/,
    );
    const unknown = await server.request('POST', bindings, { body: bound, as: reader });
    assert.match(
      unknown.body.message,
      /spec\.paramRef: Forbidden: user "reader" does not have "get" permission/,
    );
    const made = await server.request('POST', policies, { body: secrets, as: reader });
    assert.equal(made.status, 201, made.text);
    const unbound = await server.request('POST', bindings, { body: bound, as: curious });
    assert.match(unbound.body.message, /spec\.paramRef: Forbidden: user "curious" does not have "get"/);
    const tied = await server.request('POST', bindings, { body: bound, as: reader });
    assert.equal(tied.status, 201, tied.text);
    // What stays as it is may be written by those who may write it.
    const labelled = await server.request('PATCH', `${bindings}/p`, {
      ...{ body: { metadata: { labels: { a: 'b' } } }, as: curious },
      type: 'application/merge-patch+json',
    });
    assert.equal(labelled.status, 200, labelled.text);
    for (const path of [bindings, policies]) await server.request('DELETE', path);
  });

  it('fail closed when they can not be evaluated, and open where they are to be ignored', async () => {
    const validations = [{ expression: 'object.data.missing == "x"' }];
    await apply({ validations });
    assert.match((await write({})).body.message, /resulted in error: no such key: /);
    await apply({ validations, failurePolicy: 'Ignore' });
    assert.equal((await write({})).status, 201);
  });

  it('leave alone what their selectors and conditions leave out', async () => {
    await apply(
      { validations: [{ expression: 'false' }] },
      { matchResources: { objectSelector: { matchLabels: { strict: 'yes' } } } },
    );
    assert.equal((await write({}, { strict: 'no' })).status, 201);
    assert.equal((await write({}, { strict: 'yes' })).status, 422);
    await apply({
      validations: [{ expression: 'false' }],
      matchConditions: [{ name: 'never', expression: 'false' }],
    });
    assert.equal((await write({})).status, 201);
  });

  it('refuse for reasons that upstream knows alone', async () => {
    const refused = await post(
      policies,
      policy('wrong', { validations: [{ expression: 'true', reason: 'Unauthorized' }] }),
    );
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"$/);
  });

  it('are refused when they do not compile', async () => {
    const refused = await post(
      policies,
      policy('wrong', {
        validations: [{ expression: 'object.x +' }, { expression: '1' }],
        auditAnnotations: [{ key: 'x', valueExpression: 'object.x' }],
        variables: [{ name: 'true', expression: '1' }],
      }),
    );
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /spec\.validations\[0\]\.expression: .*Syntax error/s);
    assert.match(
      refused.body.message,
      /spec\.validations\[1\]\.expression: .*must evaluate to bool but got int/s,
    );
    assert.match(refused.body.message, /variables\[0\]\.name: Invalid value: "true": must be a valid CEL/);
    assert.match(refused.body.message, /must evaluate to one of \[string null_type\] but got dyn/);
  });
});
