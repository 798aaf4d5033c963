import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { StatusError } from '@wherry/kubeapi';
import { type ClientError, exec, kinds, UpgradeError } from '../src/index.ts';
import { json, startScriptedServer } from './scripted-server.ts';

const pod = { metadata: { name: 'p', namespace: 'n' }, spec: { containers: [] } };

test('each verb is the request that the API knows', async (context) => {
  const { client, requests } = await startScriptedServer(context, [json(pod)]);
  const pods = client.resource(kinds.pods);
  await pods.get({ name: 'p', namespace: 'n' });
  await pods.create(pod, { fieldManager: 'me', dryRun: true });
  await pods.update(pod, { subresource: 'status' });
  await pods.patch({ type: 'strategic', name: 'p', namespace: 'n', patch: { a: 1 } });
  await pods.delete({ name: 'p', namespace: 'n' }, { gracePeriodSeconds: 0, preconditions: { uid: 'u' } });
  assert.deepEqual(
    requests.map(({ method, url }) => `${method} ${url}`),
    [
      'GET /api/v1/namespaces/n/pods/p',
      'POST /api/v1/namespaces/n/pods?fieldManager=me&dryRun=All',
      'PUT /api/v1/namespaces/n/pods/p/status',
      'PATCH /api/v1/namespaces/n/pods/p',
      'DELETE /api/v1/namespaces/n/pods/p',
    ],
  );
  assert.equal(requests[3]?.contentType, 'application/strategic-merge-patch+json');
  assert.deepEqual(JSON.parse(requests[4]?.body ?? ''), {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u' },
  });
});

test('a long list is fetched page by page', async (context) => {
  const page = (name: string, more?: string) =>
    json({
      metadata: { resourceVersion: '5', ...(more ? { continue: more } : {}) },
      items: [{ metadata: { name } }],
    });
  const { client, requests } = await startScriptedServer(context, [page('a', 'token'), page('b')]);
  const list = await client.resource(kinds.pods).listAll({ labelSelector: 'x=y' });
  assert.deepEqual(
    [list.items.map(({ metadata }) => metadata.name), list.metadata?.resourceVersion],
    [['a', 'b'], '5'],
  );
  assert.match(requests[1]?.url ?? '', /labelSelector=x%3Dy&limit=500&continue=token/);
});

test("the server's Status becomes a StatusError, and any other failure body one too", async (context) => {
  const status = {
    kind: 'Status',
    status: 'Failure',
    reason: 'NotFound',
    code: 404,
    message: 'pods "p" not found',
  };
  const { client } = await startScriptedServer(context, [
    json(status, 404),
    (response) => response.writeHead(502).end('bad gateway\n'),
  ]);
  const get = () => client.resource(kinds.pods).get({ name: 'p', namespace: 'n' });
  await assert.rejects(
    get,
    (error: StatusError) => error instanceof StatusError && error.reason === 'NotFound',
  );
  await assert.rejects(get, (error: StatusError) => error.code === 502 && error.message === 'bad gateway');
});

test('429 with a Retry-After is waited out and tried again; without one it is final', async (context) => {
  const busy = { kind: 'Status', status: 'Failure', reason: 'TooManyRequests', code: 429, message: 'busy' };
  const { client, requests } = await startScriptedServer(context, [
    json(busy, 429, { 'retry-after': '0' }),
    json(pod),
    json(busy, 429),
  ]);
  const create = () => client.resource(kinds.pods).create(pod);
  await create();
  assert.equal(requests.length, 2);
  await assert.rejects(create, /busy/);
  assert.equal(requests.length, 3);
});

test('a refused connection fails at once, or is tried for as long as asked', async (context) => {
  const { client: impatient, server, port } = await startScriptedServer(context, [json(pod)]);
  server.close();
  const get = { name: 'p', namespace: 'n' };
  await assert.rejects(
    () => impatient.resource(kinds.pods).get(get),
    (error: ClientError) => error.code === 'unreachable' && error.message.includes('was refused'),
  );
  const { KubeClient } = await import('../src/index.ts');
  const patient = new KubeClient({ access: impatient.access, connectRetryMs: 5_000 });
  const answer = patient.resource(kinds.pods).get(get);
  const late = createServer((_request, response) => response.end(JSON.stringify(pod)));
  context.after(() => late.close());
  await delay(150);
  await new Promise<void>((resolve) => late.listen(port, '127.0.0.1', resolve));
  assert.equal((await answer).metadata.name, 'p');
  assert.equal((late.address() as AddressInfo).port, port);
  patient.close();
});

test('a kept connection that died is replaced without a failure', async (context) => {
  const { client, server } = await startScriptedServer(context, [json(pod)]);
  const get = () => client.resource(kinds.pods).get({ name: 'p', namespace: 'n' });
  await get();
  server.closeAllConnections();
  assert.equal((await get()).metadata.name, 'p');
});

test('an abort ends a request and a watch with its reason', async (context) => {
  const { client } = await startScriptedServer(context, [(response) => response.flushHeaders()]);
  const reason = new Error('enough');
  const watching = new AbortController();
  setTimeout(() => watching.abort(reason), 50);
  await assert.rejects(async () => {
    for await (const _event of client.resource(kinds.pods).watch({ signal: watching.signal }));
  }, reason);
  const get = client
    .resource(kinds.pods)
    .get({ name: 'p', namespace: 'n', signal: AbortSignal.abort(reason) });
  await assert.rejects(get, reason);
});

test('a name that would change the path is refused before anything is sent, in the words of client-go', async (context) => {
  const { client, requests } = await startScriptedServer(context, [json(pod)]);
  const refusals = {
    '..': `invalid resource name "..": [may not be '..']`,
    'web/exec': `invalid resource name "web/exec": [may not contain '/']`,
    'web%2fexec': `invalid resource name "web%2fexec": [may not contain '%']`,
    '': 'resource name may not be empty',
  };
  for (const [name, message] of Object.entries(refusals)) {
    assert.throws(() => client.resource(kinds.pods).get({ name, namespace: 'n' }), {
      code: 'bad-argument',
      message,
    });
  }
  assert.throws(
    () => client.resource(kinds.pods).get({ name: 'p', namespace: '../x' }),
    /^ClientError: invalid namespace/,
  );
  await assert.rejects(client.resource(kinds.pods).list({ namespace: 'a/b' }), /invalid namespace "a\/b"/);
  await client.resource(kinds.pods).get({ name: 'system:a b', namespace: 'n' });
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['/api/v1/namespaces/n/pods/system%3Aa%20b'],
  );
});

test('a session that is refused without a Status says the answer’s code and text', async (context) => {
  const { client } = await startScriptedServer(context, [
    (response) => response.writeHead(400).end('you must specify a stream'),
  ]);
  await assert.rejects(exec(client, { pod: 'web', command: ['true'] }), (error) => {
    assert.ok(error instanceof UpgradeError);
    assert.equal(error.statusCode, 400);
    assert.match(error.message, /you must specify a stream/);
    return true;
  });
});
