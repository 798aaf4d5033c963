import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { accessFrom, KubeClient, kinds, parseKubeconfig } from '../src/index.ts';
import { type Answer, json, startScriptedServer } from './scripted-server.ts';

const pod = { metadata: { name: 'p', namespace: 'n' }, spec: { containers: [] } };
const key = { name: 'p', namespace: 'n' };
const torn: Answer = (response) => response.destroy();
const failing = (code: number, headers: Record<string, string> = {}) =>
  json({ kind: 'Status', status: 'Failure', code, message: `failed with ${code}` }, code, headers);

test('any 5xx with a Retry-After in seconds is tried again, ten times at most', async (context) => {
  const answers = [500, 502, 503, 504].map((code) => failing(code, { 'retry-after': '0' }));
  const patient = await startScriptedServer(context, [...answers, json(pod)]);
  await patient.client.resource(kinds.pods).create(pod);
  assert.equal(patient.requests.length, 5);
  const { client, requests } = await startScriptedServer(context, [failing(503, { 'retry-after': '0' })]);
  await assert.rejects(client.resource(kinds.pods).get(key), /failed with 503/);
  assert.equal(requests.length, 11);
});

test('a Retry-After that is a date, or on another status, is not waited out', async (context) => {
  const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
  for (const answer of [
    failing(503, { 'retry-after': date }),
    failing(409, { 'retry-after': '0' }),
    failing(500),
  ]) {
    const { client, requests } = await startScriptedServer(context, [answer]);
    await assert.rejects(client.resource(kinds.pods).get(key), /failed with/);
    assert.equal(requests.length, 1);
  }
});

test('a GET whose connection is torn is sent again; a write is not', async (context) => {
  const reading = await startScriptedServer(context, [torn, json(pod)]);
  assert.equal((await reading.client.resource(kinds.pods).get(key)).metadata.name, 'p');
  const writing = await startScriptedServer(context, [torn, json(pod)]);
  await assert.rejects(writing.client.resource(kinds.pods).create(pod), { code: 'unreachable' });
  assert.equal(writing.requests.length, 1);
});

test('answers may come packed, unless the kubeconfig is against it', async (context) => {
  const asked: (string | undefined)[] = [];
  const packed: Answer = (response, request) => {
    asked.push(request.headers['accept-encoding']);
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(pod)));
  };
  const { client } = await startScriptedServer(context, [packed]);
  assert.equal((await client.resource(kinds.pods).get(key)).metadata.name, 'p');
  const plain = new KubeClient({ access: { ...client.access, disableCompression: true } });
  await plain.resource(kinds.pods).get(key);
  plain.close();
  assert.deepEqual(asked, ['gzip', undefined]);
});

test('what a server warns of is told, each text as it was meant', async (context) => {
  const said: string[] = [];
  const warning: Answer = (response) => {
    response.appendHeader('warning', '299 - "v1 Gadget is \\"old\\", use v2"');
    response.appendHeader('warning', '299 - ""');
    response.appendHeader('warning', Buffer.from('299 - "größer"').toString('latin1'));
    json(pod)(response, undefined as never);
  };
  const onWarning = (text: string) => said.push(text);
  const { client } = await startScriptedServer(context, [warning], { onWarning });
  await client.resource(kinds.pods).create(pod);
  assert.deepEqual(said, ['v1 Gadget is "old", use v2', 'größer']);
});

test('a 404 of what is served nowhere says what was asked for', async (context) => {
  const nowhere: Answer = (response) => response.writeHead(404).end('404 page not found\n');
  const { client } = await startScriptedServer(context, [nowhere]);
  await assert.rejects(client.resource(kinds.pods).get(key), {
    ...{ code: 404, reason: 'NotFound' },
    message: 'the server could not find the requested resource (GET /api/v1/namespaces/n/pods/p)',
  });
});

test('an answer without a Status has the reason of its code, and no more words than one can read', async (context) => {
  const page = 'x'.repeat(3 * 1024 * 1024);
  const answering =
    (code: number, body = ''): Answer =>
    (response) =>
      void response.writeHead(code).end(body);
  const { client } = await startScriptedServer(context, [
    ...[answering(406), answering(502, 'bad gateway'), answering(409), answering(500, page)],
    (response) =>
      void response.writeHead(503, { 'content-length': '9' }).write('torn', () => response.destroy()),
  ]);
  const pods = client.resource(kinds.pods);
  await assert.rejects(pods.get(key), { code: 406, reason: 'NotAcceptable' });
  await assert.rejects(pods.get(key), { code: 502, reason: 'InternalError', message: 'bad gateway' });
  await assert.rejects(pods.create(pod), { code: 409, reason: 'AlreadyExists' });
  await assert.rejects(
    pods.get(key),
    ({ code, message }) => code === 500 && message === page.slice(0, 2_000),
  );
  await assert.rejects(pods.get(key), { code: 503, reason: 'ServiceUnavailable', message: 'torn' });
});

test('a server that redirects is no answer, and where to is told', async (context) => {
  const { client } = await startScriptedServer(context, [
    (response) => response.writeHead(301, { location: 'https://elsewhere/' }).end('<a>Moved</a>'),
  ]);
  await assert.rejects(client.resource(kinds.pods).get(key), {
    ...{ name: 'StatusError', code: 301 },
    message: 'the server answered 301 and redirects to https://elsewhere/',
  });
});

test('a deletion whose answer has no body was a deletion; of a read that is a bad answer', async (context) => {
  const { client } = await startScriptedServer(context, [
    (response) => response.writeHead(204).end(),
    (response) => response.end(),
  ]);
  await client.resource(kinds.pods).delete(key);
  await client.resource(kinds.pods).deleteCollection({ namespace: 'n' });
  await assert.rejects(client.resource(kinds.pods).get(key), { code: 'bad-answer' });
});

test('a packed answer that is torn or is no gzip is an error', async (context) => {
  const whole = gzipSync(JSON.stringify(pod));
  for (const body of [whole.subarray(0, whole.length - 9), Buffer.from('{}')]) {
    const { client } = await startScriptedServer(context, [
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
    ]);
    await assert.rejects(client.resource(kinds.pods).get(key), { code: 'bad-answer' });
  }
});

test('requests say who asks, on requests and upgrades', async (context) => {
  const agents: (string | undefined)[] = [];
  const note: Answer = (response, request) => {
    agents.push(request.headers['user-agent']);
    json(pod)(response, request);
  };
  const { client } = await startScriptedServer(context, [note]);
  await client.resource(kinds.pods).get(key);
  await client.upgrade({ path: '/x' }, async ({ headers }) => agents.push(String(headers?.['user-agent'])));
  assert.match(agents[0] ?? '', /^wherry\/\d+\.\d+\.\d+ \(linux\/amd64\)$|^wherry\/[\d.]+ \(\w+\/\w+\)$/);
  assert.equal(agents[0], agents[1]);
});

test('a request that takes longer than it may fails; a body counts as well', async (context) => {
  const silent: Answer = () => {};
  const slow: Answer = (response) => void response.writeHead(200).write('{');
  for (const answer of [silent, slow]) {
    const { client } = await startScriptedServer(context, [answer], { requestTimeoutMs: 50 });
    await assert.rejects(client.resource(kinds.pods).get(key));
  }
});

test('a request that was sent again and runs out of time says why it was', async (context) => {
  const busy = failing(429, { 'retry-after': '1' });
  const { client } = await startScriptedServer(context, [busy], { requestTimeoutMs: 100 });
  await assert.rejects(client.resource(kinds.pods).get(key), {
    code: 'unreachable',
    message: /no answer within 0.1 s - error from a previous attempt: the server answered 429$/,
  });
});

test('an IPv6 server and one below a path are spoken to', async (context) => {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.end(JSON.stringify(pod));
  });
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const config = parseKubeconfig('', '/k');
  for (const path of ['/k8s/clusters/c-1', '/k8s/clusters/c-1/', '']) {
    const access = accessFrom(config, { server: `http://[::1]:${port}${path}` });
    const client = new KubeClient({ access });
    await client.resource(kinds.pods).get(key);
    client.close();
  }
  const below = '/k8s/clusters/c-1/api/v1/namespaces/n/pods/p';
  assert.deepEqual(paths, [below, below, '/api/v1/namespaces/n/pods/p']);
});

test('who listens hears how large requests and answers are, refusals too, and which are sent again', async (context) => {
  const heard: unknown[] = [];
  const refusal = failing(409);
  const { client } = await startScriptedServer(
    context,
    [failing(429, { 'retry-after': '0' }), json(pod), refusal],
    {
      onExchange: ({ method, status, sentBytes, willRepeat }) =>
        void heard.push([method, status, sentBytes, willRepeat]),
      onRead: ({ method, bytes }) => void heard.push([method, bytes]),
    },
  );
  await client.resource(kinds.pods).get(key);
  await assert.rejects(client.resource(kinds.pods).create(pod), /failed with 409/);
  const asked = Buffer.byteLength(JSON.stringify(pod));
  const [, , [, got], [, , sent], [, refused]] = heard as [
    unknown,
    unknown,
    [string, number],
    number[],
    number[],
  ];
  assert.deepEqual(heard, [
    ['GET', 429, 0, true],
    ['GET', 200, 0, false],
    ['GET', got],
    ['POST', 409, sent, false],
    ['POST', refused],
  ]);
  assert.equal(got, Buffer.byteLength(JSON.stringify(pod)));
  assert.equal(sent, asked);
  assert.ok(refused! > 50, String(refused));
});
