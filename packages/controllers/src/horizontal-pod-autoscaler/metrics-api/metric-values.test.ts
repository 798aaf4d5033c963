import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@wherry/kubeapi';
import { readMetricValues } from './metric-values.ts';

const listOf = (...items: JsonValue[]): JsonValue => ({ kind: 'MetricValueList', items });
const read = (answer: JsonValue) => readMetricValues(answer, 'MetricValueList', 'custom');
const item = { describedObject: { name: 'p' }, timestamp: '2026-01-01T00:00:00Z', value: '1500m' };

test('values are read from either version of custom metrics, which call their window differently', () => {
  const windows = read(listOf(item, { ...item, window: 30 }, { ...item, windowSeconds: 20 }));
  assert.deepEqual(
    windows.map(({ windowMs }) => windowMs),
    [60_000, 30_000, 20_000],
  );
  const [value] = windows;
  assert.deepEqual([value?.objectName, value?.milli, value?.atMs], ['p', 1500n, 1_767_225_600_000]);
});

test('a value may be a number, and is at most what 64 bits hold', () => {
  const values = read(listOf({ ...item, value: 3 }, { ...item, value: '9e30' }, { ...item, value: '-9e30' }));
  assert.deepEqual(
    values.map(({ milli }) => milli),
    [3000n, 2n ** 63n - 1n, 1n - 2n ** 63n],
  );
});

test('an answer that is no such list is refused, and so is a value that is none', () => {
  const wrong: [JsonValue, RegExp][] = [
    ['no', /didn't return MetricValueList, the type is string/],
    [{ kind: 'Thing' }, /the type is Thing/],
    [{ kind: 'MetricValueList', items: {} }, /are no list/],
    [listOf(1), /items\[0\] of the MetricValueList is no object/],
    [listOf({ ...item, value: null }), /has no value/],
    [listOf({ ...item, value: 'much' }), /quantities must match/],
    [listOf({ ...item, value: '1e999999999' }), /unable to parse quantity's suffix/],
  ];
  for (const [answer, message] of wrong) assert.throws(() => read(answer), message);
  assert.deepEqual(read({ kind: 'MetricValueList', items: null }), []);
});
