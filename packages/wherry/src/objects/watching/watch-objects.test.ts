import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { HttpAnswer, KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi';
import { limits } from '../../limits.ts';
import { resourceOfKind } from '../of-kind.ts';
import { plainTable } from '../server-table.ts';
import { watchObjects } from './watch-objects.ts';
import { watchTable } from './watch-table.ts';

const resource = resourceOfKind({ apiVersion: 'v1', kind: 'ConfigMap' });
const map = (name: string, resourceVersion: string) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name, resourceVersion, managedFields: [] },
});
const style = { isWide: false, withNamespace: false, withLabels: false, labelColumns: [], prefix: '' };

/** What is printed over a server that has `a`, whose watch tells of `b` and then of `a`'s end; then it refuses. */
async function printed(watch: (client: KubeClient, clock: FakeClock) => Promise<void>): Promise<string[]> {
  const clock = new FakeClock();
  const lines: string[] = [];
  const said = mock.method(console, 'log', (text: string) => lines.push(text));
  const changes = [
    { type: 'ADDED', object: map('b', '2') },
    { type: 'BOOKMARK', object: { metadata: { resourceVersion: '3' } } },
    { type: 'DELETED', object: map('a', '4') },
  ];
  async function* body() {
    for (const change of changes) yield Buffer.from(`${JSON.stringify(change)}\n`);
  }
  let watches = 0;
  const { apiVersion: _version, kind: _kind, ...item } = map('a', '1');
  const client = {
    request: async () => ({ metadata: { resourceVersion: '1' }, items: [item] }),
    stream: async () => {
      watches += 1;
      if (watches > 1) throw new StatusError({ code: 403, reason: 'Forbidden', message: 'no more' });
      return { body: body() } as unknown as HttpAnswer;
    },
  } as unknown as KubeClient;
  let end: Error | undefined;
  const ending = watch(client, clock).catch((error: Error) => {
    end = error;
  });
  for (let turns = 0; !end && turns < 100; turns += 1) await clock.advanceAsync(limits.watchPauseMs);
  await ending;
  said.mock.restore();
  assert.equal(end?.message, 'no more');
  return lines;
}

const path = () => '/';
const told = (more: Partial<Parameters<typeof watchObjects>[1]>) =>
  printed((client, clock) => watchObjects(client, { resource, path, format: 'name', clock, ...more }));

test('a watch tells of objects one by one, in the form asked for', async () => {
  assert.deepEqual(await told({}), ['configmap/a', 'configmap/b', 'configmap/a']);
  const documents = await told({ format: 'yaml' });
  assert.deepEqual(
    documents.map((text) => text.split('\n').at(-1)),
    ['  resourceVersion: "1"', '---', '  resourceVersion: "2"', '---', '  resourceVersion: "4"'],
  );
  assert.deepEqual(await told({ format: 'custom-columns=NAME:.metadata.name' }), ['NAME\na', 'b', 'a']);
  const [first = ''] = await told({ format: 'json' });
  assert.deepEqual(JSON.parse(first), {
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { name: 'a', resourceVersion: '1' },
  });
});

test('a watch of changes alone leaves out what is there', async () => {
  assert.deepEqual(await told({ isOnlyChanges: true }), ['configmap/b', 'configmap/a']);
});

test('events of a watch are lines of JSON, and a column of a table', async () => {
  const events = await told({ format: 'json', withEvents: true });
  assert.deepEqual(
    events.map((line) => JSON.parse(line)).map(({ type, object }) => [type, object.metadata.name]),
    [
      ['ADDED', 'a'],
      ['ADDED', 'b'],
      ['DELETED', 'a'],
    ],
  );
  const rows = await printed((client, clock) =>
    watchTable(client, {
      path,
      style: { ...style, hasHeader: true },
      isServers: false,
      withEvents: true,
      clock,
    }),
  );
  assert.deepEqual(rows, [
    'EVENT      NAME   AGE\nADDED      a      <unknown>',
    'ADDED      b      <unknown>',
    'DELETED    a      <unknown>',
  ]);
});

test('a table of changes alone has its header in front of the first', async () => {
  const rows = await printed((client, clock) =>
    watchTable(client, {
      ...{ path, style: { ...style, hasHeader: true }, isServers: false, isOnlyChanges: true, clock },
    }),
  );
  assert.deepEqual(rows, ['NAME   AGE\nb      <unknown>', 'a      <unknown>']);
  assert.deepEqual(plainTable({ items: null }).rows, []);
});
