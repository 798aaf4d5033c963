import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const policies = `${group}/mutatingadmissionpolicies`;
const bindings = `${group}/mutatingadmissionpolicybindings`;
const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
let server: TestServer;
before(async () => {
  server = await TestServer.start({ disableAdmissionPlugins: ['ServiceAccount'] });
});
after(() => server?.close());
beforeEach(async () => {
  for (const path of [bindings, policies, maps, pods]) await server.request('DELETE', path);
});

const rule = (resource: string) => ({
  ...{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource] },
});
const applied = (expression: string) => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patched = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

/** A policy on config maps, and its binding. */
async function bind(
  name: string,
  mutations: object[],
  more: object = {},
  binding: object = {},
): Promise<void> {
  const spec = {
    matchConstraints: { resourceRules: [rule('configmaps')] },
    ...{ failurePolicy: 'Fail', reinvocationPolicy: 'Never', mutations, ...more },
  };
  const made = await server.request('POST', policies, { body: { metadata: { name }, spec } });
  assert.equal(made.status, 201, made.text);
  const bound = await server.request('POST', bindings, {
    body: { metadata: { name }, spec: { policyName: name, ...binding } },
  });
  assert.equal(bound.status, 201, bound.text);
}

const create = (object: object, path = maps) => server.request('POST', path, { body: object });
const configMap = (name: string, data: object = {}, labels: object = {}) => ({
  metadata: { name, labels },
  data,
});

async function refusal(mutation: object, more: object = {}): Promise<string> {
  const spec = {
    matchConstraints: { resourceRules: [rule('configmaps')] },
    ...{ failurePolicy: 'Fail', reinvocationPolicy: 'Never', mutations: [mutation], ...more },
  };
  const { status, body } = await server.request('POST', policies, {
    body: { metadata: { name: 'x' }, spec },
  });
  assert.equal(status, 422, JSON.stringify(body));
  return body.message;
}

describe('a policy that changes objects', () => {
  it('lays over them what it makes', async () => {
    await bind('labels', [
      applied(
        'Object{metadata: Object.metadata{labels: {"owner": request.userInfo.username}}, data: {"size": string(size(object.data))}}',
      ),
    ]);
    const { body, status, text } = await create(configMap('a', { b: 'c' }, { d: 'e' }));
    assert.equal(status, 201, text);
    assert.deepEqual(body.metadata.labels, { d: 'e', owner: 'admin' });
    assert.deepEqual(body.data, { b: 'c', size: '1' });
  });

  it('merges lists by their keys, and refuses to replace what is only replaced as a whole', async () => {
    const container = 'Object.spec.containers';
    const more = { matchConstraints: { resourceRules: [rule('pods')] } };
    await bind(
      'images',
      [
        applied(
          `Object{spec: Object.spec{containers: object.spec.containers.map(c, ${container}{name: c.name, imagePullPolicy: "Never"})}}`,
        ),
      ],
      more,
    );
    const spec = { containers: [{ name: 'main', image: 'busybox:1.36', command: ['true'] }] };
    const pod = await create({ metadata: { name: 'a' }, spec }, pods);
    assert.equal(pod.status, 201, pod.text);
    const { name, image, imagePullPolicy, command } = pod.body.spec.containers[0];
    assert.deepEqual([name, image, imagePullPolicy, command], ['main', 'busybox:1.36', 'Never', ['true']]);
    const whole = `Object{spec: Object.spec{containers: [${container}{name: "main", command: ["false"]}]}}`;
    await bind('whole', [applied(whole)], more);
    const refused = await create({ metadata: { name: 'b' }, spec }, pods);
    assert.equal(refused.status, 403, refused.text);
    assert.match(
      refused.body.message,
      /policy 'whole' with binding 'whole' denied request: .*may not mutate atomic arrays, maps or structs: \.spec\.containers\[0\]\.command/,
    );
  });

  it('patches them with JSON patches', async () => {
    await bind('patches', [
      patched(`[
        JSONPatch{op: "test", path: "/data/kind", value: "a"},
        JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("~b"), value: "1"},
        JSONPatch{op: "copy", from: "/data/kind", path: "/data/copy"},
        JSONPatch{op: "add", path: "/metadata/labels", value: {"example.com/c": "d"}}
      ]`),
      patched('[JSONPatch{op: "remove", path: "/data/kind"}]'),
    ]);
    const keys = (await create(configMap('a', { kind: 'a' }))).body;
    // No key of a config map has a tilde.
    assert.equal(keys.code, 422);
    await server.request('DELETE', bindings);
    await server.request('DELETE', policies);
    await bind('patches', [
      patched(`[
        JSONPatch{op: "test", path: "/data/kind", value: "a"},
        JSONPatch{op: "copy", from: "/data/kind", path: "/data/copy"},
        JSONPatch{op: "add", path: "/metadata/labels", value: {}},
        JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/c"), value: "d"}
      ]`),
      patched('[JSONPatch{op: "remove", path: "/data/kind"}]'),
    ]);
    const { body, text } = await create(configMap('a', { kind: 'a' }));
    assert.deepEqual([body.data, body.metadata?.labels], [{ copy: 'a' }, { 'example.com/c': 'd' }], text);
    const other = (await create(configMap('b', { kind: 'b' }))).body;
    assert.equal(other.data, undefined, 'a test that fails keeps its own patch alone from being applied');
  });

  it('has conditions, variables and parameters', async () => {
    await create(configMap('most', { colour: 'red' }));
    await bind(
      'params',
      [applied('Object{data: {"colour": variables.colour}}')],
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        variables: [{ name: 'colour', expression: 'params.data.colour' }],
        matchConditions: [{ name: 'named', expression: "object.metadata.name.startsWith('a')" }],
      },
      { paramRef: { name: 'most', namespace: 'default', parameterNotFoundAction: 'Deny' } },
    );
    assert.deepEqual((await create(configMap('a'))).body.data, { colour: 'red' });
    assert.equal((await create(configMap('b'))).body.data, undefined);
    await server.request('DELETE', `${maps}/most`);
    const { status, body } = await create(configMap('a2'));
    assert.equal(status, 403);
    assert.match(body.message, /failed to configure binding: no params found/);
  });

  it('is applied to changes, and in the order of names; what failed refuses as its policy says', async () => {
    await bind('one', [applied('Object{data: {"steps": object.?data.steps.orValue("") + "1"}}')]);
    await bind('two', [applied('Object{data: {"steps": object.data.steps + "2"}}')]);
    assert.equal((await create(configMap('a'))).body.data.steps, '12');
    const { body } = await server.request('PUT', `${maps}/a`, { body: configMap('a', { steps: 'x' }) });
    assert.equal(body.data.steps, 'x12');
    await bind('wrong', [applied('Object{data: {"n": object.data.none}}')], { failurePolicy: 'Ignore' });
    assert.equal((await create(configMap('b'))).status, 201);
    await bind('worse', [applied('Object{data: {"n": object.data.none}}')]);
    const refused = await create(configMap('c'));
    assert.match(
      refused.body.message,
      /policy 'worse' with binding 'worse' denied request: .*no such key: none/,
    );
  });

  it('is applied once more when a later one has changed the object, if it wants to be', async () => {
    const add = (step: string) => [
      applied(`Object{data: {"steps": object.?data.steps.orValue("") + "${step}"}}`),
    ];
    await bind('a', add('a'), { reinvocationPolicy: 'IfNeeded' });
    await bind('b', add('b'));
    assert.equal((await create(configMap('a'))).body.data.steps, 'aba');
  });

  it('may not make parts of one place in another, nor change what the server has settled', async () => {
    await bind('wrong', [applied('Object{metadata: Object.spec{labels: {"a": "b"}}}')]);
    assert.match(
      (await create(configMap('a'))).body.message,
      /type mismatch: unexpected type name "Object\.spec", expected "Object\.metadata"/,
    );
    await server.request('DELETE', bindings);
    await bind('uid', [applied('Object{metadata: Object.metadata{uid: "mine", labels: {"a": "b"}}}')]);
    const { metadata } = (await create(configMap('b'))).body;
    assert.equal(metadata.labels.a, 'b');
    assert.notEqual(metadata.uid, 'mine');
  });

  it('writes nothing that the type of the object has not: its failure policy says what becomes of that', async () => {
    const wrong = [
      applied('Object{dta: {"a": "b"}}'),
      applied('Object{data: {"a": 1}}'),
      applied('Object{data: null}'),
      patched('[JSONPatch{op: "add", path: "/dta", value: {}}]'),
      patched('[JSONPatch{op: "add", path: "/data", value: 1}]'),
    ];
    for (const [index, mutation] of wrong.entries()) {
      await bind('wrong', [mutation]);
      const refused = await create(configMap('a', { x: 'y' }));
      assert.equal(refused.status, 403, refused.text);
      assert.match(
        refused.body.message,
        /policy 'wrong' with binding 'wrong' denied request: (?:error applying patch|JSON Patch|a value of type)/,
      );
      await server.request('DELETE', policies);
      await server.request('DELETE', bindings);
      await bind('ignored', [mutation], { failurePolicy: 'Ignore' });
      assert.deepEqual((await create(configMap(`a${index}`, { x: 'y' }))).body.data, { x: 'y' });
      await server.request('DELETE', policies);
      await server.request('DELETE', bindings);
    }
    await bind('kind', [applied('Object{kind: "Pod", apiVersion: "v9", data: {"a": "b"}}')]);
    assert.deepEqual((await create(configMap('kind'))).body.data, { a: 'b' });
  });

  it('is refused for expressions that make something else', async () => {
    assert.match(
      await refusal(applied('1')),
      /applyConfiguration\.expression: .*must evaluate to Object but got int/,
    );
    assert.match(await refusal(applied('Object{}.x')), /must evaluate to Object but got dyn/);
    assert.match(
      await refusal(patched('[1]')),
      /jsonPatch\.expression: .*must evaluate to list\(JSONPatch\) but got list\(int\)/,
    );
    assert.match(
      await refusal(patched('[JSONPatch{op: 1, path: "/a"}]')),
      /expected type of field 'op' is 'string' but provided type is 'int'/,
    );
    assert.match(await refusal(patched('[JSONPatch{nothing: "a"}]')), /undefined field 'nothing'/);
    assert.match(await refusal(applied('Thing{}')), /undeclared reference to 'Thing'/);
    assert.match(
      await refusal({ ...applied('Object{}'), jsonPatch: { expression: '[]' } }),
      /jsonPatch: Invalid value: "\{jsonPatch\}": must not be specified when patchType is ApplyConfiguration/,
    );
    const variables = [{ name: 'a', expression: 'Object{}' }];
    assert.match(await refusal(applied('Object{}'), { variables }), /undeclared reference to 'Object'/);
    const deletions = { resourceRules: [{ ...rule('configmaps'), operations: ['DELETE'] }] };
    assert.match(
      await refusal(applied('Object{}'), { matchConstraints: deletions }),
      /operations: Unsupported value: "DELETE": supported values: "\*", "CONNECT", "CREATE", "UPDATE"/,
    );
  });
});
