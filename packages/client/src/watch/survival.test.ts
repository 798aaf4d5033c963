import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, FakeClock, systemClock } from '@wherry/clock';
import { type Answer, json, startScriptedServer } from '../../test/scripted-server.ts';
import * as kinds from '../generated/kinds.ts';
import { limits } from '../limits.ts';
import { Informer, type InformerOptions } from './informer.ts';

/** Every wait is so many times shorter: two minutes of silence take 1.2 s. */
const haste = 100;
const hastyClock: Clock = {
  nowMs: () => systemClock.nowMs(),
  monotonicMs: () => systemClock.monotonicMs(),
  after: (delayMs, call) => systemClock.after(delayMs / haste, call),
};

const object = (name: string, resourceVersion: string) => ({
  metadata: { name, namespace: 'default', uid: name, resourceVersion },
});
const list = (resourceVersion: string, ...names: string[]): Answer =>
  json({ metadata: { resourceVersion }, items: names.map((name) => object(name, resourceVersion)) });
const status = (code: number, more: object = {}, headers: Record<string, string> = {}): Answer =>
  json({ kind: 'Status', status: 'Failure', code, message: `failed with ${code}`, ...more }, code, headers);
const expired = status(410, { reason: 'Expired' });

type Sent = [type: string, value: unknown];
const added = (name: string, version: string): Sent => ['ADDED', object(name, version)];
const bookmark = (resourceVersion: string, annotations?: object): Sent => [
  'BOOKMARK',
  { metadata: { resourceVersion, ...(annotations ? { annotations } : {}) } },
];
const initialEnd = (version: string) => bookmark(version, { 'k8s.io/initial-events-end': 'true' });
const lineOf = ([type, value]: Sent) => `${JSON.stringify({ type, object: value })}\n`;

/** A watch that sends these events and then stays open, unless `then` says otherwise. */
const watch =
  (events: Sent[], then: (response: ServerResponse) => void = () => {}): Answer =>
  (response: ServerResponse, _request: IncomingMessage) => {
    response.flushHeaders();
    for (const event of events) response.write(lineOf(event));
    then(response);
  };
const tear = (response: ServerResponse) => void setTimeout(() => response.destroy(), 5);

async function follow(
  context: TestContext,
  answers: Answer[],
  options: Partial<InformerOptions<ReturnType<typeof object>>> = {},
) {
  const { client, requests } = await startScriptedServer(context, answers, { clock: hastyClock });
  const seen: string[] = [];
  const informer = new Informer({
    resource: client.resource(kinds.configMaps),
    clock: hastyClock,
    handlers: {
      added: ({ metadata }) => seen.push(`+${metadata.name}`),
      updated: ({ metadata }) => seen.push(`~${metadata.name}@${metadata.resourceVersion}`),
      deleted: ({ metadata }) => seen.push(`-${metadata.name}`),
      synced: () => seen.push('synced'),
      failed: () => seen.push('failed'),
    },
    ...(options as object),
  }).start();
  context.after(() => informer.close());
  const until = async (last: string) => {
    for (let waited = 0; seen.at(-1) !== last; waited += 5) {
      assert.ok(waited < 20_000, `waited for ${last}; seen ${seen.join(' ')}`);
      await delay(5);
    }
    return seen;
  };
  const asked = () =>
    requests.map(({ url }) => {
      const query = new URLSearchParams(url.split('?')[1]);
      const verb = query.has('watch') ? 'watch' : query.has('continue') ? 'continue' : 'list';
      return `${verb} ${query.get('resourceVersion') ?? (query.has('sendInitialEvents') ? 'stream' : 'newest')}`;
    });
  return { informer, until, asked, requests };
}

test('a list and a watch that are refused for load (429) are asked again after the Retry-After', async (context) => {
  const busy = status(429, { reason: 'TooManyRequests' }, { 'retry-after': '1' });
  const { until, asked } = await follow(context, [
    ...[busy, list('1', 'a'), busy, status(429, { reason: 'TooManyRequests' })],
    watch([added('b', '2')]),
  ]);
  assert.deepEqual(await until('+b'), ['+a', 'synced', 'failed', '+b']);
  assert.deepEqual(asked(), ['list 0', 'list 0', 'watch 1', 'watch 1', 'watch 1']);
});

test('a server that answers 5xx for a while is asked again, and nothing is lost', async (context) => {
  const failures = [500, 502, 503, 504].map((code) => status(code));
  const { until, asked } = await follow(context, [
    ...[...failures, list('1', 'a'), status(500), list('3', 'a', 'b')],
    watch([added('c', '4')]),
  ]);
  const seen = (await until('+c')).filter((line) => line !== 'failed');
  assert.deepEqual(seen, ['+a', 'synced', '~a@3', '+b', 'synced', '+c']);
  // The second list may not be older than what was seen.
  assert.deepEqual(asked().slice(4), ['list 0', 'watch 1', 'list 1', 'watch 3']);
});

test('an informer tells that a watch stands again after one that failed, though no event comes', async (context) => {
  const stands: string[] = [];
  const handlers = { failed: () => stands.push('failed'), watching: () => stands.push('watching') };
  await follow(context, [list('1', 'a'), watch([], tear), status(429), watch([])], { handlers });
  while (stands.length < 4) await delay(5);
  assert.deepEqual(stands, ['watching', 'failed', 'failed', 'watching']);
});

test('a watch that is torn inside an event goes on after the last whole one', async (context) => {
  const { until, asked } = await follow(context, [
    list('1', 'a'),
    watch([added('b', '2')], (response) => {
      response.write(lineOf(added('c', '3')).slice(0, 40));
      tear(response);
    }),
    watch([added('c', '3')]),
  ]);
  assert.deepEqual(await until('+c'), ['+a', 'synced', '+b', 'failed', '+c']);
  assert.deepEqual(asked(), ['list 0', 'watch 1', 'watch 2']);
});

test('a watch that falls silent is begun again after the last bookmark', async (context) => {
  const { until, asked } = await follow(context, [
    list('1', 'a'),
    watch([bookmark('7')]),
    watch([added('b', '8')]),
  ]);
  assert.deepEqual(await until('+b'), ['+a', 'synced', 'failed', '+b']);
  assert.deepEqual(asked(), ['list 0', 'watch 1', 'watch 7']);
});

test('bookmarks keep a quiet watch: one that is not silent is left alone', async (context) => {
  const everyMs = limits.watchSilenceMs / haste / 3;
  const { until, asked } = await follow(context, [
    list('1', 'a'),
    watch([], async (response) => {
      for (let version = 2; version < 6; version += 1) {
        await delay(everyMs);
        response.write(lineOf(bookmark(String(version))));
      }
      response.write(lineOf(added('b', '20')));
    }),
  ]);
  assert.deepEqual(await until('+b'), ['+a', 'synced', '+b']);
  assert.equal(asked().length, 2);
});

test('a list and a watch that are never answered are given up and asked again', async (context) => {
  const silent: Answer = () => {};
  const { until, asked } = await follow(context, [silent, list('1', 'a'), silent, watch([added('b', '2')])]);
  assert.deepEqual(await until('+b'), ['failed', '+a', 'synced', 'failed', '+b']);
  assert.deepEqual(asked(), ['list 0', 'list 0', 'watch 1', 'watch 1']);
});

test('after 410 the newest state is asked for, and later lists are not older than what was seen', async (context) => {
  const { until, asked } = await follow(context, [
    list('5', 'a'),
    expired,
    list('9', 'a', 'b'),
    watch([['ERROR', { kind: 'Status', code: 410, reason: 'Expired' }]]),
    list('12', 'b'),
    watch([added('c', '13')]),
  ]);
  assert.deepEqual(await until('+c'), [
    '+a',
    'synced',
    '~a@9',
    '+b',
    'synced',
    '~b@12',
    '-a',
    'synced',
    '+c',
  ]);
  assert.deepEqual(asked(), ['list 0', 'watch 5', 'list newest', 'watch 9', 'list newest', 'watch 12']);
});

test('a server that does not know the asked version yet is asked for the newest', async (context) => {
  const tooLarge = status(504, {
    reason: 'Timeout',
    details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
  });
  const { until, asked } = await follow(context, [
    ...[list('5', 'a'), status(500), tooLarge, list('4', 'a')],
    watch([added('b', '6')]),
  ]);
  await until('+b');
  assert.deepEqual(asked(), ['list 0', 'watch 5', 'list 5', 'list newest', 'watch 4']);
});

test('servers that say in words alone that a version is too large for them are understood', async (context) => {
  const { until, asked } = await follow(context, [
    ...[list('5', 'a'), status(500), status(504, { message: 'Too large resource version: 5, current: 4' })],
    ...[list('4', 'a'), watch([added('b', '6')])],
  ]);
  await until('+b');
  assert.deepEqual(asked(), ['list 0', 'watch 5', 'list 5', 'list newest', 'watch 4']);
});

test('what is no event of a watch is not asked for again and again: all is listed', async (context) => {
  const { until, asked } = await follow(context, [
    list('1', 'a'),
    watch([], (response) => void response.write('{"type":"RENAMED","object":{}}\n')),
    list('2', 'a', 'b'),
    watch([added('c', '3')]),
  ]);
  assert.deepEqual(await until('+c'), ['+a', 'synced', 'failed', '~a@2', '+b', 'synced', '+c']);
  assert.deepEqual(asked(), ['list 0', 'watch 1', 'list 1', 'watch 2']);
});

test('what a client follows by watch goes on behind a server that fails, where it was', async (context) => {
  const failures = [500, 502, 503, 504].map((code) => status(code));
  const { client, requests } = await startScriptedServer(
    context,
    [list('1', 'a'), ...failures, watch([added('b', '2')], tear), status(500), watch([added('c', '3')])],
    { clock: hastyClock },
  );
  const seen: (string | undefined)[] = [];
  for await (const { object } of client.watch(kinds.configMaps)) {
    if (seen.length === 0) assert.deepEqual([object.apiVersion, object.kind], ['v1', 'ConfigMap']);
    seen.push(object.metadata.name);
    if (seen.length === 3) break;
  }
  assert.deepEqual(seen, ['a', 'b', 'c']);
  assert.match(requests.at(-1)?.url ?? '', /resourceVersion=2&/);
});

test('what a client follows by watch ends where the store can not be read, which would go on for ever', async (context) => {
  const unreadable = { kind: 'Status', code: 500, reason: 'StorageReadError', message: 'no key' };
  const { client } = await startScriptedServer(context, [list('1'), watch([['ERROR', unreadable]])], {
    clock: hastyClock,
  });
  await assert.rejects(client.watch(kinds.configMaps).next(), { code: 500, reason: 'StorageReadError' });
});

test('a list whose snapshot is gone between two pages is fetched whole', async (context) => {
  const first = json({ metadata: { resourceVersion: '5', continue: 'more' }, items: [object('a', '1')] });
  const { informer, until, asked } = await follow(context, [first, expired, list('9', 'a', 'b'), watch([])]);
  await until('synced');
  assert.deepEqual([...informer.objects.keys()], ['default/a', 'default/b']);
  assert.deepEqual(asked().slice(0, 3), ['list 0', 'continue newest', 'list newest']);
});

test('the first state comes as a stream where the server offers it, and what is gone since is told', async (context) => {
  const { until, asked } = await follow(
    context,
    [
      watch([added('a', '1'), added('b', '2'), initialEnd('5'), added('c', '6')], tear),
      watch([['ERROR', { kind: 'Status', code: 410, reason: 'Expired' }]]),
      watch([added('b', '2'), added('c', '6'), initialEnd('9'), added('d', '10')]),
    ],
    { streamsList: true },
  );
  assert.deepEqual(await until('+d'), ['+a', '+b', 'synced', '+c', 'failed', '-a', 'synced', '+d']);
  assert.deepEqual(asked(), ['watch stream', 'watch 6', 'watch stream']);
});

test('a stream of the first state that breaks off is no state', async (context) => {
  const { until } = await follow(
    context,
    [
      watch([added('a', '1')], tear),
      watch([added('b', '2')], (response) => response.end()),
      watch([added('c', '3'), initialEnd('5')]),
    ],
    { streamsList: true },
  );
  assert.deepEqual(await until('synced'), ['failed', '+c', 'synced']);
});

test('servers without streams of the first state are listed: those that refuse, and those that fall silent', async (context) => {
  const refusals = [422, 403, 405].map((code) => status(code));
  for (const refusal of [...refusals, watch([added('a', '1')])]) {
    const { until, asked } = await follow(context, [refusal, list('5', 'a'), watch([added('b', '6')])], {
      streamsList: true,
    });
    assert.deepEqual(await until('+b'), ['+a', 'synced', '+b']);
    assert.deepEqual(asked(), ['watch stream', 'list 0', 'watch 5']);
  }
});

test('a handler that throws keeps nobody from hearing the rest', async (context) => {
  const { informer, until } = await follow(context, [list('1', 'a', 'b'), watch([added('c', '2')])]);
  const told: string[] = [];
  informer.on({
    added: () => {
      throw new Error('a mistake');
    },
    failed: ({ message }) => told.push(message),
  });
  assert.deepEqual(await until('+c'), ['+a', '+b', 'synced', '+c']);
  assert.ok(told.length > 0 && told.every((message) => message === 'a mistake'), told.join());
});

test('informers that are closed leave no connection and no timer', async (context) => {
  const clock = new FakeClock();
  const open = new Set<ServerResponse>();
  const { client, server } = await startScriptedServer(context, [
    (response, request) => {
      if (!request.url?.includes('watch=')) return list('1', 'a')(response, request);
      open.add(response);
      response.on('close', () => open.delete(response));
      return watch([])(response, request);
    },
  ]);
  const signals = new AbortController();
  const informers = Array.from({ length: 50 }, () =>
    new Informer({ resource: client.resource(kinds.configMaps), clock, signal: signals.signal }).start(),
  );
  await Promise.all(informers.map((informer) => informer.synced()));
  for (let turns = 0; open.size < 50 && turns < 500; turns += 1) await delay(5);
  assert.equal(open.size, 50);
  await Promise.all(informers.map((informer) => informer.close()));
  for (let turns = 0; open.size > 0 && turns < 500; turns += 1) await delay(5);
  assert.deepEqual([open.size, clock.pendingTimers], [0, 0]);
  client.close();
  const connections = await new Promise((resolve) =>
    server.getConnections((_error, count) => resolve(count)),
  );
  assert.equal(connections, 0);
});
