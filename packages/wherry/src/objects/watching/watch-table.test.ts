import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { ClientError, type HttpAnswer, type KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi';
import { limits } from '../../limits.ts';
import type { ServerTable } from '../server-table.ts';
import { watchTable } from './watch-table.ts';

const style = {
  isWide: false,
  withNamespace: false,
  withLabels: false,
  labelColumns: [],
  hasHeader: true,
  prefix: '',
};
const table = (name: string, resourceVersion: string): ServerTable => ({
  kind: 'Table',
  ...{ metadata: { resourceVersion }, columnDefinitions: [{ name: 'Name' }], rows: [{ cells: [name] }] },
});
const away = () => Promise.reject(new ClientError('unreachable', 'refused'));
const refused = () => Promise.reject(new StatusError({ code: 403, reason: 'Forbidden', message: 'no more' }));

/** A watch of these events, then torn or at its end. */
const watch = (events: object[], { isTorn = false } = {}) => {
  async function* body() {
    for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
    if (isTorn) throw new Error('socket hang up');
  }
  return async () => ({ body: body() }) as unknown as HttpAnswer;
};

/** Watches over a server whose watches go as said; answers what was printed, asked for, and how it ended. */
async function watched(answers: (() => Promise<HttpAnswer>)[]) {
  const clock = new FakeClock();
  const asked: unknown[] = [];
  const printed: string[] = [];
  const said = mock.method(console, 'log', (text: string) => printed.push(text));
  const client = {
    request: async () => table('one', '1'),
    stream: () => (answers.length > 1 ? answers.shift() : answers[0])?.(),
  } as unknown as KubeClient;
  const path = (query: { resourceVersion?: string }) => {
    if (query.resourceVersion) asked.push(query.resourceVersion);
    return '/';
  };
  let end: Error | undefined;
  const ending = watchTable(client, { path, style, clock }).catch((error: Error) => {
    end = error;
  });
  for (let turns = 0; !end && turns < 1_000; turns += 1) await clock.advanceAsync(limits.watchPauseMs);
  await ending;
  said.mock.restore();
  return { asked, printed, message: end?.message, atMs: clock.monotonicMs() };
}

test('a watch that is torn, or whose server is away for a while, goes on where it was', async () => {
  const added = { type: 'ADDED', object: table('two', '2') };
  const late = { type: 'ADDED', object: table('three', '3') };
  const { asked, printed, message } = await watched([
    watch([added], { isTorn: true }),
    away as () => Promise<HttpAnswer>,
    watch([late]),
    refused,
  ]);
  assert.deepEqual(printed, ['NAME\none', 'two', 'three']);
  assert.deepEqual(asked, ['1', '2', '2', '3']);
  assert.equal(message, 'no more');
});

test('a watch whose version is too old shows what is there anew', async () => {
  const { printed } = await watched([watch([{ type: 'ERROR', object: {} }]), refused]);
  assert.deepEqual(printed, ['NAME\none', 'one']);
});

test('a watch ends with a failure when the server stays away', async () => {
  const { message, atMs } = await watched([away]);
  assert.equal(message, 'refused');
  assert.ok(atMs > limits.watchOutageMs && atMs < 2 * limits.watchOutageMs, `${atMs}`);
});
