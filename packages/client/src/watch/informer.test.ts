import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { KubeClient } from '../kube-client/kube-client.ts';
import type { KubeObject, ResourceType } from '../objects/objects.ts';
import { Informer } from './informer.ts';

const configMaps: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

const object = (name: string, resourceVersion: string, uid = name): KubeObject => ({
  metadata: { namespace: 'default', name, uid, resourceVersion },
});

type Answer = (response: ServerResponse, url: URL) => void;

/** Serves scripted answers, one per request, in order; the last one repeats. */
async function startServer(context: TestContext, answers: Answer[]) {
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request.url ?? '');
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response, new URL(request.url ?? '', 'http://loopback'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new KubeClient({
    access: {
      server: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      tls: { rejectUnauthorized: true },
      namespace: 'default',
      headers: () => ({}),
    },
  });
  context.after(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, requests };
}

const list =
  (resourceVersion: string, ...items: KubeObject[]): Answer =>
  (response) =>
    response.end(JSON.stringify({ kind: 'List', metadata: { resourceVersion }, items }));

const watch =
  (ends: boolean, ...events: [string, unknown][]): Answer =>
  (response) => {
    response.flushHeaders();
    for (const [type, value] of events) response.write(`${JSON.stringify({ type, object: value })}\n`);
    if (ends) response.end();
  };

const expired = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' };

function follow(context: TestContext, client: KubeClient) {
  const seen: string[] = [];
  const waiters: (() => void)[] = [];
  const note = (line: string) => {
    seen.push(line);
    for (const wake of waiters.splice(0)) wake();
  };
  const informer = new Informer({
    resource: client.resource(configMaps),
    clock: systemClock,
    handlers: {
      added: (added) => note(`+${added.metadata?.name}`),
      updated: (updated) => note(`~${updated.metadata?.name}@${updated.metadata?.resourceVersion}`),
      deleted: (deleted) => note(`-${deleted.metadata?.name}`),
      synced: () => note('synced'),
      failed: () => note('failed'),
    },
  }).start();
  context.after(() => informer.close());
  const until = async (count: number) => {
    while (seen.length < count) await new Promise<void>((resolve) => waiters.push(resolve));
    return seen;
  };
  return { informer, until };
}

test('an informer lists, then follows the changes from the version of the list', async (context) => {
  const { client, requests } = await startServer(context, [
    list('7', object('a', '5'), object('b', '6')),
    watch(
      false,
      ['ADDED', object('c', '8')],
      ['MODIFIED', object('a', '9')],
      ['DELETED', object('b', '10')],
      ['BOOKMARK', { metadata: { resourceVersion: '11' } }],
    ),
  ]);
  const { informer, until } = follow(context, client);
  assert.deepEqual(await until(6), ['+a', '+b', 'synced', '+c', '~a@9', '-b']);
  assert.deepEqual([...informer.objects.keys()], ['default/a', 'default/c']);
  assert.match(requests[1] ?? '', /resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=\d+&watch=true/);
});

test("a list whose items are null, as upstream's server says of metadata of no objects, is an empty one", async (context) => {
  const { client } = await startServer(context, [
    (response) => response.end(JSON.stringify({ metadata: { resourceVersion: '7' }, items: null })),
    watch(false, ['ADDED', object('a', '8')]),
  ]);
  const { until } = follow(context, client);
  assert.deepEqual(await until(2), ['synced', '+a']);
});

test('a watch that ends in order is continued from the last bookmark', async (context) => {
  const { client, requests } = await startServer(context, [
    list('1'),
    watch(true, ['BOOKMARK', { metadata: { resourceVersion: '40' } }]),
    watch(false, ['ADDED', object('a', '41')]),
  ]);
  const { until } = follow(context, client);
  assert.deepEqual(await until(2), ['synced', '+a']);
  assert.match(requests[2] ?? '', /resourceVersion=40/);
});

test('after 410 the informer lists anew and reports only the difference', async (context) => {
  const { client } = await startServer(context, [
    list('1', object('kept', '1'), object('changed', '1'), object('gone', '1'), object('reborn', '1', 'old')),
    watch(false, ['ERROR', expired]),
    list('9', object('kept', '1'), object('changed', '8'), object('reborn', '9', 'new')),
    watch(false),
  ]);
  const { until } = follow(context, client);
  const seen = await until(10);
  assert.deepEqual(seen.slice(5), ['~changed@8', '-reborn', '+reborn', '-gone', 'synced']);
});

test('a server that fails is asked again, and the informer syncs when it is back', async (context) => {
  const { client } = await startServer(context, [
    (response) => response.writeHead(500).end('broken'),
    list('1', object('a', '1')),
    watch(false),
  ]);
  const { informer, until } = follow(context, client);
  await informer.synced(AbortSignal.timeout(5000));
  assert.deepEqual(await until(3), ['failed', '+a', 'synced']);
});

test('close ends the watch and a synced() that can no longer come', async (context) => {
  const { client } = await startServer(context, [() => {}]);
  const { informer } = follow(context, client);
  const synced = informer.synced();
  await informer.close();
  await assert.rejects(synced, /informer closed/);
});

test('close ends a synced() of an informer that was never started', async (context) => {
  const { client } = await startServer(context, [list('1')]);
  const informer = new Informer({ resource: client.resource(configMaps) });
  const synced = informer.synced();
  await informer.close();
  await assert.rejects(synced, /informer closed/);
  await assert.rejects(informer.start().synced(), /informer closed/);
});

test('a listener that another one stops hears no more, not even of the same change', async (context) => {
  const { client } = await startServer(context, [list('1', object('a', '1')), watch(false)]);
  const heard: string[] = [];
  const stops: (() => void)[] = [];
  const informer = new Informer({
    resource: client.resource(configMaps),
    handlers: { added: () => stops.forEach((stop) => void stop()) },
  });
  context.after(() => informer.close());
  stops.push(informer.on({ added: () => heard.push('added'), synced: () => heard.push('synced') }));
  await informer.start().synced();
  assert.deepEqual([heard, informer.objects.size], [[], 1]);
});
