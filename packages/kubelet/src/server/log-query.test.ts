import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparableTime } from '@wherry/cri/log';
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

test('seconds that reach back before all time mean the whole log', () => {
  for (const seconds of ['99999999999', '9007199254740993']) {
    const { since = '' } = read(`sinceSeconds=${seconds}`);
    assert.ok(comparableTime(since) < '1971', since);
  }
});

test('an empty tail is none, and one that is no number is refused', () => {
  assert.equal(read('tail=').tailLines, undefined);
  assert.equal(read('tail=&tailLines=3').tailLines, 3);
  assert.equal(read('tail=5').tailLines, 5);
  assert.equal(read('tail=all').tailLines, undefined);
  for (const tail of ['1.5', '0x10', 'some']) assert.throws(() => read(`tail=${tail}`), { statusCode: 400 });
});
