import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCpuSet, parseCpuSet } from './cpu-set.ts';

test('lists of processors are read, and written as short as can be', () => {
  for (const [text, short] of [
    ['', ''],
    ['0', '0'],
    ['0-3,8', '0-3,8'],
    ['8,1,0,2', '0-2,8'],
    ['1,1-2', '1-2'],
  ] as const)
    assert.equal(formatCpuSet(parseCpuSet(text)), short);
});

test('what is no list of processors is refused, and so is one that would fill the memory', () => {
  for (const text of ['a', '1-', '-1', '3-1', '1,,2', ' 1', '0-4294967295'])
    assert.throws(() => parseCpuSet(text), /is not a list of processors/, text);
});
