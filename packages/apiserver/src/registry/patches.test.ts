import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../test/test-server.ts';

const podPath = '/api/v1/namespaces/default/pods/nameless';
const path = '/api/v1/namespaces/default/configmaps/twice';

describe('a key that stands twice in a patch', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const body = { metadata: { name: 'twice' }, data: { a: 'b' } };
    await server.request('POST', '/api/v1/namespaces/default/configmaps', { body });
  });
  after(() => server.close());

  const patches = [
    ['application/merge-patch+json', '{"data":{"a":"1","a":"2"}}', /duplicate field \\?"data\.a\\?"/, 422],
    [
      'application/strategic-merge-patch+json',
      '{"data":{"a":"1","a":"2"}}',
      /duplicate field \\?"data\.a\\?"/,
      422,
    ],
    [
      'application/json-patch+json',
      '[{"op":"replace","op":"test","path":"/data/a","value":"2"}]',
      /json patch duplicate field/,
      422,
    ],
    [
      'application/json-patch+json',
      '[{"op":"replace","path":"/data/a","value":"2","foo":"bar"}]',
      /json patch unknown field \\?"\[0\]\.foo\\?"/,
      422,
    ],
    [
      'application/apply-patch+yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata:\n  z: "1"\n  z: "2"\n',
      /line 6: key \\?"z\\?" already set in map/,
      400,
    ],
  ] as const;
  for (const [type, body, expected, code] of patches) {
    it(`is told of, or refused, or passed over, as fieldValidation says: ${type}`, async () => {
      const force = type.includes('apply') ? '&force=true' : '';
      const patch = (fieldValidation: string) =>
        server.request('PATCH', `${path}?fieldManager=t${force}&fieldValidation=${fieldValidation}`, {
          body,
          type,
        });
      const strict = await patch('Strict');
      assert.equal(strict.status, code, strict.text);
      assert.match(strict.text, expected);
      const { headers, status } = await patch('Warn');
      assert.ok(status === 200 || type.includes('json-patch'), String(status));
      if (status === 200) assert.match(String(headers['warning']), expected);
      assert.equal((await patch('Ignore')).headers['warning'], undefined);
    });
  }

  it('is told of a hundred unknown fields of its operations at most, by their places', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 1]));
    const operations = Array.from({ length: 200 }, () => ({
      ...{ op: 'add', path: '/data/a', value: '1' },
      ...unknown,
    }));
    const { status, body } = await server.request('PATCH', `${path}?fieldManager=t&fieldValidation=Strict`, {
      body: [{ op: 'add', path: '/data/a', value: '1' }, ...operations],
      type: 'application/json-patch+json',
    });
    const told = body.message.match(/json patch unknown field/g);
    assert.deepEqual([status, told?.length], [422, 100]);
    assert.match(body.message, /json patch unknown field "\[1\]\.x0", json patch unknown field "\[1\]\.x1"/);
  });

  const apply = (fieldValidation: string, config: string) =>
    server.request('PATCH', `${path}?fieldManager=t&force=true&fieldValidation=${fieldValidation}`, {
      body: `apiVersion: v1\nkind: ConfigMap\n${config}\n`,
      type: 'application/apply-patch+yaml',
    });

  it('is refused by apply in words of its own, whatever the validation', async () => {
    for (const fieldValidation of ['Strict', 'Warn', 'Ignore']) {
      const { status, body } = await apply(fieldValidation, 'metadata: {name: twice}\ndta: {}');
      assert.deepEqual([status, body.reason], [400, 'BadRequest']);
      assert.equal(
        body.message,
        'failed to create typed patch object (/twice; /v1, Kind=ConfigMap): .dta: field not declared in schema',
      );
    }
    const config = 'metadata: {name: twice, namespace: default, ann: 1}\ndta: {}';
    assert.equal(
      (await apply('Strict', config)).body.message,
      `failed to create typed patch object (default/twice; /v1, Kind=ConfigMap): errors:
  .metadata.ann: field not declared in schema
  .dta: field not declared in schema`,
    );
  });

  it('is refused by apply in metadata, too', async () => {
    for (const fieldValidation of ['Warn', 'Ignore']) {
      const { status, body } = await apply(fieldValidation, 'metadata: {name: twice, ann: 1}');
      assert.equal(status, 400);
      assert.match(body.message, /: \.metadata\.ann: field not declared in schema$/);
    }
  });
});

describe('a patch', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const body = { metadata: { name: 'twice' }, data: { a: 'b' } };
    await server.request('POST', '/api/v1/namespaces/default/configmaps', { body });
  });
  after(() => server.close());

  it('that is an apply and has an item without its key is its author’s mistake', async () => {
    const account = { metadata: { name: 'default' } };
    await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { body: account });
    const { status, body } = await server.request('PATCH', `${podPath}?fieldManager=t`, {
      body: 'apiVersion: v1\nkind: Pod\nmetadata: {name: nameless}\nspec: {containers: [{image: x}]}\n',
      type: 'application/apply-patch+yaml',
    });
    assert.equal(status, 422);
    assert.equal(body.message, 'Pod "nameless" is invalid: spec.containers[0].name: Required value');
  });

  it('whose test fails is invalid, so that clients know it from a malformed one', async () => {
    const patch = (body: string) =>
      server.request('PATCH', path, { body, type: 'application/json-patch+json' });
    const failed = await patch('[{"op":"test","path":"/data/a","value":"other"}]');
    assert.deepEqual([failed.status, failed.body.reason], [422, 'Invalid']);
    const [cause] = failed.body.details.causes;
    assert.deepEqual([cause.field, cause.message], ['patch', 'testing value /data/a failed']);
    assert.equal((await patch('{"a":1}')).status, 400);
  });

  it('that takes the version away leaves nothing that is known of the object, but for strategic ones', async () => {
    const patch = (kind: string, body: string) =>
      server.request('PATCH', path, { body, type: `application/${kind}+json` });
    const bodies = {
      'merge-patch': '{"apiVersion":null}',
      'json-patch': '[{"op":"remove","path":"/apiVersion"}]',
    };
    for (const [kind, text] of Object.entries(bodies)) {
      const { status, body, headers } = await patch(kind, text);
      assert.equal(status, 400);
      assert.match(body.message, /\(twice based on URL\) was undeterminable: name must be provided$/);
      assert.match(String(headers['warning']), /unknown field \\"data\\".*unknown field \\"metadata\\"/);
    }
    assert.equal((await patch('strategic-merge-patch', bodies['merge-patch'])).status, 200);
  });

  it('of JSON that is kept as it was sent puts its fields in order where Go takes it apart', async () => {
    const all = '/apis/apps/v1/namespaces/default/controllerrevisions';
    const made = { metadata: { name: 'r' }, revision: 1, data: { b: 1, $a: 2 } };
    assert.equal((await server.request('POST', all, { body: made })).status, 201);
    const patch = (kind: string) =>
      server.request('PATCH', `${all}/r`, { body: '{"revision":2}', type: `application/${kind}+json` });
    assert.equal((await patch('merge-patch')).status, 200);
    const { status, body } = await patch('strategic-merge-patch');
    assert.equal(status, 422);
    assert.match(body.message, /data: Invalid value: \{"\$a":2,"b":1\}: field is immutable$/);
  });

  it('or another write of an event is refused as that of the form that is stored', async () => {
    const path = '/apis/events.k8s.io/v1/namespaces/default/events';
    const { status, body } = await server.request('POST', path, { body: { metadata: { name: 'e' } } });
    assert.equal(status, 422);
    assert.deepEqual([body.details.kind, body.details.group], ['Event', undefined]);
  });

  it('that is an apply and is refused for its fields is not warned of beside that', async () => {
    const body = '{"apiVersion":null,"apiVersion":"v1","kind":"ConfigMap","data":{"a":"other"}}';
    const ask = (query: string) =>
      server.request('PATCH', `${path}?fieldManager=x${query}`, {
        body,
        type: 'application/apply-patch+yaml',
      });
    const refused = await ask('');
    assert.deepEqual([refused.status, refused.headers['warning']], [409, undefined]);
    assert.match(String((await ask('&force=true&dryRun=All')).headers['warning']), /already set in map/);
  });

  for (const type of ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json']) {
    it(`that is no apply may not be forced: ${type}`, async () => {
      const body = type.startsWith('json') ? '[]' : '{}';
      const forced = await server.request('PATCH', `${path}?force=false`, {
        body,
        type: `application/${type}`,
      });
      assert.equal(forced.status, 422);
      assert.equal(
        forced.body.message,
        'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
      );
    });
  }
});

describe('a strategic patch that makes values of wrong types', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const body = { metadata: { name: 'typed' }, data: { a: 'b' } };
    await server.request('POST', '/api/v1/namespaces/default/configmaps', { body });
  });
  after(() => server.close());

  for (const [patch, words] of [
    [{ metadata: { labels: 'invalid' } }, 'cannot restore map from string'],
    [{ metadata: { finalizers: 7 } }, 'cannot restore slice from int64'],
    [{ metadata: ['a'] }, 'cannot restore struct from: slice'],
    [{ data: { a: 7 } }, 'cannot convert int64 to string'],
    [{ data: { a: {} } }, 'unrecognized type: string'],
    [{ immutable: 'yes' }, 'unrecognized type: bool'],
  ] as const)
    it(`is refused in the words of what reads it: ${words}`, async () => {
      const type = 'application/strategic-merge-patch+json';
      const answer = await server.request('PATCH', '/api/v1/namespaces/default/configmaps/typed', {
        ...{ body: JSON.stringify(patch), type },
      });
      assert.equal(answer.status, 422, answer.text);
      assert.match(JSON.parse(answer.text).message, new RegExp(`: ${words}$`));
    });
});
