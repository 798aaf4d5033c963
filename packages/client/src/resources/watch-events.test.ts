import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWatch } from './watch-events.ts';

async function eventsOf(...lines: string[]): Promise<unknown[]> {
  async function* body() {
    for (const line of lines) yield Buffer.from(`${line}\n`);
  }
  return Array.fromAsync(readWatch(body()));
}

test('events are read as they come', async () => {
  assert.deepEqual(await eventsOf('{"type":"ADDED","object":{"kind":"Pod","metadata":{}}}'), [
    { type: 'ADDED', object: { kind: 'Pod', metadata: {} } },
  ]);
});

for (const line of [
  'null',
  '3',
  '{"object":{}}',
  '{"type":"constructor","object":{}}',
  '{"type":{"toString":1},"object":{}}',
  '{"type":"ADDED","object":null}',
  '{"type":"ADDED","object":"x"}',
]) {
  test(`a line that is no event ends the watch as a bad answer: ${line}`, async () => {
    await assert.rejects(eventsOf(line), { name: 'ClientError', code: 'bad-answer' });
  });
}

for (const line of [
  '{"type":"ERROR"}',
  '{"type":"ERROR","object":3}',
  '{"type":"ERROR","object":{"message":{"toString":1}}}',
]) {
  test(`an error that says nothing is an error all the same: ${line}`, async () => {
    await assert.rejects(eventsOf(line), { name: 'StatusError', code: 500, message: 'unknown' });
  });
}
