import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Ask, TestServer } from '../../test/test-server.ts';

const path = '/api/v1/namespaces/default/configmaps';
const protobuf = 'application/vnd.kubernetes.protobuf';
const strategic = 'application/strategic-merge-patch+json';

interface Case {
  name: string;
  method?: string;
  path?: string;
  ask?: Ask;
  status: number;
  message: RegExp;
}

const valid = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'bad-input' } };
const named = (name: string) => ({ ...valid, metadata: { name } });

const cases: Case[] = [
  {
    name: 'malformed JSON',
    ask: { body: '{"kind":' },
    status: 400,
    message: /json parse error|unexpected end/,
  },
  {
    name: 'malformed YAML',
    ask: { body: 'a: [b', type: 'application/yaml' },
    status: 400,
    message: /yaml/,
  },
  {
    name: 'malformed protobuf',
    ask: { body: 'k8s\0\xff\xff\xff', type: protobuf },
    status: 400,
    message: /unrecognized|must be of type ConfigMap/,
  },
  {
    name: 'a read without what the server adds, which is no longer',
    ...{
      method: 'GET',
      path: `${path}/any?export=true`,
      status: 400,
      message: /export parameter.*no longer/,
    },
  },
  { name: 'an empty body', ask: { body: '' }, status: 400, message: /ConfigMap/ },
  {
    name: 'a value of the wrong type',
    ask: { body: { ...valid, data: 'text' } },
    status: 400,
    message: /cannot unmarshal string/,
  },
  {
    name: 'an unknown field under strict validation',
    path: `${path}?fieldValidation=Strict`,
    ask: { body: { ...valid, dta: {} } },
    status: 400,
    message: /strict decoding error: unknown field "dta"/,
  },
  {
    name: 'a doubled field under strict validation',
    path: `${path}?fieldValidation=Strict`,
    ask: {
      body: '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"},"data":{"a":"b"},"data":{"a":"c"}}',
    },
    status: 400,
    message: /duplicate field "data"/,
  },
  {
    name: 'another content type',
    ask: { body: 'x', type: 'text/plain' },
    status: 415,
    message: /accepted media types include/,
  },
  {
    name: 'another patch type',
    method: 'PATCH',
    path: `${path}/x`,
    ask: { body: {}, type: 'application/json' },
    status: 415,
    message: /^415: Unsupported Media Type$/,
  },
  {
    name: 'an Accept header that nothing meets',
    method: 'GET',
    ask: { accept: 'image/png' },
    status: 406,
    message: /^406: Not Acceptable\n\nAvailable representations: application\/json, /,
  },
  {
    name: 'discovery in a form that nothing is told in',
    method: 'GET',
    path: '/apis',
    ask: { accept: 'text/html' },
    status: 406,
    message: /only the following media types are accepted/,
  },
  {
    name: 'a list of the very state of a version that has not come to be',
    method: 'GET',
    path: '/api/v1/namespaces?resourceVersion=999999999&resourceVersionMatch=Exact',
    status: 504,
    message: /^Timeout: Too large resource version: 999999999, current: \d+$/,
  },
  {
    name: 'a GET of a version that is none',
    method: 'GET',
    path: '/api/v1/namespaces/default?resourceVersion=new',
    status: 400,
    message: /invalid resource version/,
  },
  {
    name: 'a review that is asked for as a Table',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    ask: {
      body: {
        ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' },
        spec: { nonResourceAttributes: { verb: 'get', path: '/' } },
      },
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    },
    status: 406,
    message: /only the following media types are accepted/,
  },
  { name: 'another kind', ask: { body: { ...valid, kind: 'Secret' } }, status: 400, message: /Secret/ },
  {
    name: 'an unknown kind',
    ask: { body: { ...valid, kind: 'Nonsense' } },
    status: 400,
    message: /no kind "Nonsense" is registered for version "v1"/,
  },
  {
    name: 'another version',
    ask: { body: { ...valid, apiVersion: 'apps/v1' } },
    status: 400,
    message: /apps\/v1/,
  },
  {
    name: 'a bad apiVersion',
    ask: { body: { ...valid, apiVersion: 'a/b/c' } },
    status: 400,
    message: /unexpected GroupVersion string: a\/b\/c/,
  },
  {
    name: 'an invalid name',
    ask: { body: named('Upper_Case') },
    status: 422,
    message: /metadata.name: Invalid value: "Upper_Case"/,
  },
  { name: 'no name', ask: { body: named('') }, status: 422, message: /name or generateName is required/ },
  {
    name: 'another namespace',
    ask: { body: { ...valid, metadata: { name: 'x', namespace: 'other' } } },
    status: 400,
    message: /namespace of the provided object does not match/,
  },
  {
    name: 'another name on PUT',
    method: 'PUT',
    path: `${path}/x`,
    ask: { body: named('y') },
    status: 400,
    message: /name of the object \(y\) does not match the name on the URL \(x\)/,
  },
  {
    name: 'an unknown resource',
    method: 'GET',
    path: '/api/v1/nonsense',
    status: 404,
    message: /could not find the requested resource/,
  },
  {
    name: 'an unknown version of a group',
    method: 'GET',
    path: '/apis/apps/v9/things',
    status: 404,
    message: /could not find the requested resource/,
  },
  {
    name: 'an unknown resource of a group',
    method: 'GET',
    path: '/apis/apps/v1/things',
    status: 404,
    message: /could not find the requested resource/,
  },
  {
    name: 'an unknown sub-resource',
    method: 'GET',
    path: `${path}/x/nonsense`,
    status: 404,
    message: /could not find the requested resource/,
  },
  {
    name: 'an object that is not there',
    method: 'GET',
    path: `${path}/absent`,
    status: 404,
    message: /configmaps "absent" not found/,
  },
  {
    name: 'a namespace that is not there',
    path: '/api/v1/namespaces/absent/configmaps',
    ask: { body: valid },
    status: 404,
    message: /namespaces "absent" not found/,
  },
  {
    name: 'a verb that the resource does not know',
    method: 'DELETE',
    path: '/api/v1/namespaces',
    status: 405,
    message: /the server does not allow this method on the requested resource/,
  },
  {
    name: 'a time for the request that is none',
    method: 'GET',
    path: '/api/v1/namespaces?timeout=5',
    status: 400,
    message: /^invalid timeout specified in the request URL - time: missing unit in duration "5"$/,
  },
  {
    name: 'PUT on a collection',
    method: 'PUT',
    ask: { body: valid },
    status: 405,
    message: /the server does not allow this method on the requested resource/,
  },
  {
    name: 'a JSON patch of too many operations',
    method: 'PATCH',
    path: `${path}/x`,
    ask: {
      body: Array(10_001).fill({ op: 'test', path: '/kind', value: 'ConfigMap' }),
      type: 'application/json-patch+json',
    },
    status: 413,
    message: /^Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001$/,
  },
  {
    name: 'a JSON patch whose copies explode',
    method: 'PATCH',
    path: `${path}/x`,
    ask: {
      body: Array.from({ length: 30 }, (_, at) => ({
        op: 'copy',
        from: '/metadata',
        path: `/metadata/x${at}`,
      })),
      type: 'application/json-patch+json',
    },
    status: 422,
    message: /the server rejected our request/,
  },
  {
    name: 'a patch that nests too deeply',
    method: 'PATCH',
    path: `${path}/x`,
    ask: { body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, type: 'application/merge-patch+json' },
    status: 400,
    message: /exceeded max depth/,
  },
  {
    name: 'YAML whose aliases explode',
    ask: {
      body: `a: &a [x,x,x,x,x,x,x,x]\n${'bcdefghi'.replace(/./g, (c) => {
        const before = `*${String.fromCharCode(c.charCodeAt(0) - 1)}`;
        return `${c}: &${c} [${Array(9).fill(before).join(',')}]\n`;
      })}`,
      type: 'application/yaml',
    },
    status: 400,
    message: /yaml: document contains excessive aliasing/,
  },
  {
    name: 'YAML that costs too much to read',
    ask: { body: '\n'.repeat(1_000_000), type: 'application/yaml' },
    status: 413,
    message: /Request entity too large: a YAML document may have 50000 tokens; send longer ones as JSON/,
  },
  {
    name: 'YAML that nests too deeply',
    ask: { body: `values: ${'['.repeat(1_000_000)}`, type: 'application/yaml' },
    status: 400,
    message: /yaml: exceeded max depth/,
  },
  {
    name: 'a bad label selector',
    method: 'GET',
    path: `${path}?labelSelector=a%3D%3D%3Db`,
    status: 400,
    message: /selector|found/,
  },
  {
    name: 'a bad field selector',
    method: 'GET',
    path: `${path}?fieldSelector=nonsense`,
    status: 400,
    message: /invalid selector/,
  },
  {
    name: 'a field that can not be selected',
    method: 'GET',
    path: `${path}?fieldSelector=data.a%3Db`,
    status: 400,
    message: /"data.a" is not a known field selector: only "metadata.name"/,
  },
  { name: 'a bad limit', method: 'GET', path: `${path}?limit=many`, status: 400, message: /invalid syntax/ },
  {
    name: 'a bad resourceVersion',
    method: 'GET',
    path: `${path}?resourceVersion=abc`,
    status: 400,
    message: /invalid resource version/,
  },
  {
    name: 'a bad continue token',
    method: 'GET',
    path: `${path}?continue=abc`,
    status: 400,
    message: /continue key is not valid/,
  },
  {
    name: 'a bad resourceVersionMatch',
    method: 'GET',
    path: `${path}?resourceVersion=1&resourceVersionMatch=Nearly`,
    status: 422,
    message: /Unsupported value: "Nearly"/,
  },
  {
    name: 'a bad dryRun',
    path: `${path}?dryRun=Some`,
    ask: { body: valid },
    status: 422,
    message: /Unsupported value: \["Some"\]: supported values: "All"/,
  },
  {
    name: 'a bad fieldValidation',
    path: `${path}?fieldValidation=Harsh`,
    ask: { body: valid },
    status: 422,
    message: /Unsupported value: "Harsh"/,
  },
  {
    name: 'a bad propagation policy',
    method: 'DELETE',
    path: `${path}/x?propagationPolicy=Sideways`,
    status: 422,
    message: /Unsupported value: "Sideways"/,
  },
  {
    name: 'a malformed patch',
    method: 'PATCH',
    path: `${path}/x`,
    ask: { body: '[', type: strategic },
    status: 400,
    message: /./,
  },
  {
    name: 'a path that is not percent-encoded as it should be',
    method: 'GET',
    path: `${path}/%zz`,
    status: 400,
    message: /percent-encoded/,
  },
  {
    name: 'a pod without containers',
    path: '/api/v1/namespaces/default/pods',
    ask: { body: { metadata: { name: 'x' }, spec: { containers: [] } } },
    status: 403,
    message: /service account default\/default/,
  },
];

describe('bad input', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await server.request('POST', path, { body: named('x') });
  });
  after(() => server.close());

  for (const { name, method = 'POST', path: where = path, ask = {}, status, message } of cases) {
    it(`${name}: ${status}, with a Status that says what is wrong`, async () => {
      const answer = await server.request(method, where, ask);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.body.kind, 'Status');
      assert.equal(answer.body.status, 'Failure');
      assert.equal(answer.body.code, status);
      assert.equal(typeof answer.body.details, 'object', 'kubectl looks into details unasked');
      assert.match(answer.body.message, message);
    });
  }

  it('a JSON patch whose operation does not fit: 422', async () => {
    const body = [{ op: 'remove', path: '/data/absent' }];
    const answer = await server.request('PATCH', `${path}/x`, { body, type: 'application/json-patch+json' });
    assert.equal(answer.status, 422);
    assert.equal(answer.body.reason, 'Invalid');
  });

  it('an unknown field without strict validation: a warning', async () => {
    const answer = await server.request('POST', path, { body: { ...named('warned'), dta: {} } });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['warning'], '299 - "unknown field \\"dta\\""');
  });

  it('a pod without containers: 422 with the field, once it has a service account', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', accounts, { body: { metadata: { name: 'default' } } });
    const body = { metadata: { name: 'x' }, spec: { containers: [] } };
    const answer = await server.request('POST', '/api/v1/namespaces/default/pods', { body });
    assert.equal(answer.status, 422);
    assert.equal(answer.body.details.causes[0].field, 'spec.containers');
    assert.equal(answer.body.message, 'Pod "x" is invalid: spec.containers: Required value');
  });

  it('a body of 100 MB: 413, and everybody else is served meanwhile', async () => {
    const body = Buffer.alloc(100 * 1024 * 1024, 0x20);
    const large = server.request('POST', path, { body });
    const startedMs = performance.now();
    const small = await server.request('GET', '/readyz');
    assert.equal(small.status, 200);
    assert.ok(performance.now() - startedMs < 2_000);
    const answer = await large;
    assert.equal(answer.status, 413);
    assert.match(answer.body.message, /Request entity too large: limit is 3145728/);
  });

  it('deeply nested JSON: refused, and the server lives', async () => {
    const depth = 100_000;
    const body = `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const answer = await server.request('POST', path, { body });
    assert.ok(answer.status >= 400 && answer.status < 500, answer.text.slice(0, 200));
    assert.equal((await server.request('GET', '/readyz')).status, 200);
  });
});
