import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { podOf, TestNode } from './node.ts';

interface Answer {
  code: number;
  status: {
    kind?: string;
    status?: string;
    reason?: string;
    message?: string;
    code?: number;
    details?: object;
  };
}

let node: TestNode;
let api: URL;
let agent: Agent;

before(async () => {
  node = await TestNode.start();
  await node.apply(podOf('steady'));
  api = new URL((await node.status()).endpoints.api);
  const pem = (name: string) => readFileSync(join(node.dataDir, 'pki', name));
  agent = new Agent({ keepAlive: true, ca: pem('ca.crt'), cert: pem('admin.crt'), key: pem('admin.key') });
});
after(async () => {
  agent?.destroy();
  await node?.remove();
});

interface Sent {
  method?: string;
  path: string;
  type?: string;
  body?: string | Buffer;
}

function send({ method = 'GET', path, type, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = type ? { 'content-type': type } : {};
    const outgoing = request(
      { host: api.hostname, port: api.port, agent, method, path, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            code: response.statusCode ?? 0,
            status: text.startsWith('{') ? JSON.parse(text) : { message: text },
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const json = 'application/json';
const configMap = (metadata: object, more: object = {}) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, ...more });
const post = (body: string | Buffer, type = json, query = '') =>
  ({ method: 'POST', path: configMaps + query, type, body }) satisfies Sent;

const cases: [string, Sent, number, string, RegExp][] = [
  ['malformed JSON', post('{"apiVersion":'), 400, 'BadRequest', /json|JSON/],
  ['a body that is not an object', post('[1]'), 400, 'BadRequest', /./],
  ['malformed YAML', post('a: [', 'application/yaml'), 400, 'BadRequest', /yaml|YAML/],
  [
    'malformed protobuf',
    post(Buffer.from('k8s\0\xff\xff\xff', 'latin1'), 'application/vnd.kubernetes.protobuf'),
    400,
    'BadRequest',
    /./,
  ],
  [
    'protobuf without its magic',
    post('nonsense', 'application/vnd.kubernetes.protobuf'),
    400,
    'BadRequest',
    /./,
  ],
  [
    'an unknown field with strict validation',
    post(configMap({ name: 'a' }, { bogus: 1 }), json, '?fieldValidation=Strict'),
    400,
    'BadRequest',
    /strict decoding error: unknown field "bogus"/,
  ],
  ['a wrong type of a field', post(configMap({ name: 7 })), 400, 'BadRequest', /name/],
  ['a wrong content type', post('x', 'text/plain'), 415, 'UnsupportedMediaType', /./],
  ['an invalid name', post(configMap({ name: 'Not_A_Name' })), 422, 'Invalid', /Invalid value: "Not_A_Name"/],
  ['no name at all', post(configMap({})), 422, 'Invalid', /name or generateName is required/],
  [
    'another namespace than the path',
    post(configMap({ name: 'a', namespace: 'other' })),
    400,
    'BadRequest',
    /namespace/,
  ],
  [
    'another kind than the path',
    post(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } })),
    400,
    'BadRequest',
    /./,
  ],
  [
    'an unknown resource',
    { path: '/api/v1/namespaces/default/gadgets' },
    404,
    'NotFound',
    /could not find the requested resource/,
  ],
  [
    'an object that is not there',
    { path: `${configMaps}/absent` },
    404,
    'NotFound',
    /configmaps "absent" not found/,
  ],
  ['a bad label selector', { path: `${configMaps}?labelSelector=a%3D%3D%3Db` }, 400, 'BadRequest', /./],
  [
    'a bad field selector',
    { path: `${configMaps}?fieldSelector=spec.color%3Dred` },
    400,
    'BadRequest',
    /field label not supported|spec.color/,
  ],
  ['a bad limit', { path: `${configMaps}?limit=many` }, 400, 'BadRequest', /./],
  [
    'a bad continue token',
    { path: `${configMaps}?limit=1&continue=nonsense` },
    400,
    'BadRequest',
    /continue/,
  ],
  [
    'a bad resourceVersion',
    { path: `${configMaps}?watch=true&resourceVersion=soon` },
    400,
    'BadRequest',
    /./,
  ],
  [
    'a method that the resource lacks',
    { method: 'PUT', path: configMaps, type: json, body: '{}' },
    405,
    'MethodNotAllowed',
    /./,
  ],
  [
    'an unknown patch type',
    { method: 'PATCH', path: '/api/v1/namespaces/default/pods/steady', type: json, body: '{}' },
    415,
    'UnsupportedMediaType',
    /./,
  ],
  [
    'a JSON patch that is none',
    {
      method: 'PATCH',
      path: '/api/v1/namespaces/default/pods/steady',
      type: 'application/json-patch+json',
      body: '{}',
    },
    400,
    'BadRequest',
    /./,
  ],
  [
    'a change of a field that is fixed',
    {
      method: 'PATCH',
      path: '/api/v1/namespaces/default/pods/steady',
      type: 'application/merge-patch+json',
      body: '{"spec":{"nodeName":"other"}}',
    },
    422,
    'Invalid',
    /./,
  ],
];

for (const [title, sent, code, reason, message] of cases) {
  test(`${title} is answered ${code} ${reason}`, async () => {
    const answer = await send(sent);
    assert.equal(answer.code, code, JSON.stringify(answer.status));
    assert.deepEqual([answer.status.kind, answer.status.status], ['Status', 'Failure']);
    assert.deepEqual([answer.status.reason, answer.status.code], [reason, code]);
    assert.match(answer.status.message ?? '', message);
    assert.equal(typeof answer.status.details, 'object');
  });
}

test('a body of 100 MB is refused with 413 when 3 MiB of it are there, and others are answered meanwhile', {
  timeout: 60_000,
}, async () => {
  const piece = Buffer.alloc(1 << 20, 'x');
  let sentBytes = 0;
  async function* body() {
    yield configMap({ name: 'huge' }, { data: { a: '' } }).replace('""', '"');
    for (; sentBytes < 100_000_000; sentBytes += piece.length) {
      if (sentBytes === piece.length) assert.equal((await send({ path: `${configMaps}?limit=1` })).code, 200);
      yield piece;
    }
  }
  const code = await new Promise<number | undefined>((resolve, reject) => {
    const to = { host: api.hostname, port: api.port, agent, method: 'POST', path: configMaps };
    const outgoing = request({ ...to, headers: { 'content-type': json } }, ({ statusCode }) => {
      resolve(statusCode);
      outgoing.destroy();
    });
    outgoing.on('error', reject);
    pipeline(Readable.from(body()), outgoing, () => {});
  });
  assert.equal(code, 413);
  assert.ok(sentBytes < 50_000_000, `${sentBytes} bytes were taken`);
});

test('after all this every process is the one it was, and works', async () => {
  const { processes } = await node.status();
  assert.ok(processes.every(({ state }) => state === 'running'));
  assert.equal((await node.kubectl(['exec', 'steady', '--', 'echo', 'fine'])).stdout, 'fine\n');
});
