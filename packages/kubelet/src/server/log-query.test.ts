import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLogQuery } from './log-query.ts';

const read = (query: string, splitStreams = false) =>
  parseLogQuery(new URLSearchParams(query), { nowMs: 0, splitStreams });

test('92: one stream alone is refused with 400 while its gate is off, and read while it is on', () => {
  assert.throws(() => read('stream=Stderr'), {
    statusCode: 400,
    message: /"Stderr".*PodLogsQuerySplitStreams/,
  });
  assert.equal(read('stream=All').stream, undefined);
  assert.equal(read('stream=Stderr', true).stream, 'stderr');
});

test('92: one stream alone with a tail, and a stream that there is not, are refused with 422 either way', () => {
  for (const splitStreams of [false, true]) {
    for (const query of ['stream=Stdout&tailLines=1', 'stream=stderr']) {
      assert.throws(() => read(query, splitStreams), { statusCode: 422 });
    }
  }
});
