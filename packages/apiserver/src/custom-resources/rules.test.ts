import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../test/test-server.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const crates = '/apis/example.com/v1/namespaces/default/crates';

const crateDefinition = (spec: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crates.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'crates', kind: 'Crate' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      },
    ],
  },
});
const spec = {
  type: 'object',
  properties: {
    min: { type: 'integer' },
    max: { type: 'integer' },
    name: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'the name stays' }],
    },
    tags: {
      ...{ type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } },
      'x-kubernetes-validations': [{ rule: 'self.all(t, t.matches("^[a-z]+$"))' }],
    },
  },
  'x-kubernetes-validations': [
    {
      rule: '!has(self.min) || !has(self.max) || self.min <= self.max',
      messageExpression: '"min %d is above max %d".format([self.min, self.max])',
      ...{ fieldPath: '.min', reason: 'FieldValueForbidden' },
    },
  ],
};
const crate = (name: string, content: object) => ({
  ...{ apiVersion: 'example.com/v1', kind: 'Crate', metadata: { name }, spec: content },
});

describe('rules in CEL', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const answer = await server.request('POST', definitions, { body: crateDefinition(spec) });
    assert.equal(answer.status, 201, answer.text);
    for (let attempt = 0; attempt < 400; attempt += 1) {
      if ((await server.request('GET', crates)).status === 200) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  after(() => server.close());

  const causesOf = async (method: string, path: string, body: object, headers = {}) => {
    const answer = await server.request(method, path, { body, headers });
    return (answer.body.details?.causes ?? []).map(
      ({ reason, field, message }: { reason: string; field: string; message: string }) =>
        `${reason} ${field}: ${message}`,
    );
  };

  it('what they do not allow is refused with their message, where they say', async () => {
    assert.deepEqual(await causesOf('POST', crates, crate('a', { min: 3, max: 1 })), [
      'FieldValueForbidden spec.min: Forbidden: min 3 is above max 1',
    ]);
    assert.deepEqual(await causesOf('POST', crates, crate('a', { tags: ['ok', 'NO'] })), [
      'FieldValueInvalid spec.tags: Invalid value: failed rule: self.all(t, t.matches("^[a-z]+$"))',
    ]);
    const sound = crate('a', { min: 1, max: 3, name: 'first', tags: ['ok'] });
    assert.equal((await server.request('POST', crates, { body: sound })).status, 201);
  });

  it('rules of change see what was there', async () => {
    const merge = { 'content-type': 'application/merge-patch+json' };
    assert.deepEqual(await causesOf('PATCH', `${crates}/a`, { spec: { name: 'second' } }, merge), [
      'FieldValueInvalid spec.name: Invalid value: "second": the name stays',
    ]);
    const other = await server.request('PATCH', `${crates}/a`, {
      body: { spec: { max: 9 } },
      headers: merge,
    });
    assert.equal(other.status, 200, other.text);
  });

  it('what was so before a rule came may stay, with a warning', async () => {
    const stricter = structuredClone(spec);
    stricter.properties.tags['x-kubernetes-validations'].push({ rule: 'self.size() > 2' });
    const path = `${definitions}/crates.example.com`;
    const { body } = await server.request('GET', path);
    const next = { ...body, spec: crateDefinition(stricter).spec };
    assert.equal((await server.request('PUT', path, { body: next })).status, 200);
    const headers = { 'content-type': 'application/merge-patch+json' };
    for (let attempt = 0; attempt < 400; attempt += 1) {
      const refused = await server.request('POST', crates, { body: crate('b', { tags: ['a'] }) });
      if (refused.status === 422) break;
      await server.request('DELETE', `${crates}/b`);
    }
    const kept = await server.request('PATCH', `${crates}/a`, { body: { spec: { max: 8 } }, headers });
    assert.equal(kept.status, 200, kept.text);
    assert.match(String(kept.headers['warning'] ?? ''), /failed rule: self\.size\(\) > 2/);
    const changed = { spec: { tags: ['x'] } };
    assert.equal((await server.request('PATCH', `${crates}/a`, { body: changed, headers })).status, 422);
  });

  const refused: [string, object, RegExp][] = [
    [
      'an unknown field',
      { rule: 'self.nothing == 1' },
      /compilation failed: ERROR: <input>:1:5: undefined field 'nothing'/,
    ],
    ['no bool', { rule: 'self.min' }, /cel expression must evaluate to a bool/],
    [
      'a message that is no text',
      { rule: 'true', messageExpression: '1' },
      /messageExpression must evaluate to a string/,
    ],
    ['a path to nowhere', { rule: 'true', fieldPath: '.other' }, /must be a valid path/],
    [
      'oldSelf without need',
      { rule: 'true', optionalOldSelf: true },
      /may not be set if oldSelf is not used in rule/,
    ],
  ];
  for (const [what, rule, message] of refused)
    it(`a rule with ${what} is refused`, async () => {
      const body = crateDefinition({ ...spec, 'x-kubernetes-validations': [rule] });
      const answer = await server.request('POST', definitions, { body });
      assert.equal(answer.status, 422);
      assert.match(answer.body.message, message);
    });

  it('rules that may cost too much are refused before anything is evaluated', async () => {
    const list = {
      type: 'array',
      items: { type: 'string' },
      'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x == y))' }],
    };
    const answer = await server.request('POST', definitions, {
      body: crateDefinition({ type: 'object', properties: { list } }),
    });
    assert.equal(answer.status, 422);
    assert.match(answer.body.message, /estimated rule cost exceeds budget by factor of more than 100x/);
  });
});
