import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGoTests, readReport, surprises } from './outcome.ts';

const spec = (State: string, LeafNodeText: string, LeafNodeType = 'It') => ({
  ...{ State, LeafNodeText, LeafNodeType },
  ContainerHierarchyTexts: LeafNodeType === 'It' ? ['client', 'Get'] : null,
});

test('specs are told by their whole names, and a suite that could not begin has failed', () => {
  const specs = [
    ...[spec('passed', '', 'BeforeSuite'), spec('passed', 'finds'), spec('panicked', 'names')],
    ...[spec('pending', 'waits'), spec('skipped', 'idles'), spec('failed', '', 'AfterSuite')],
  ];
  assert.deepEqual(readReport(JSON.stringify([{ SpecReports: specs }, { SpecReports: null }])), {
    ...{ passed: ['client Get finds'], failed: ['client Get names', 'AfterSuite'] },
  });
});

test('Go’s own tests are told of beside them, a failure by the part that failed', () => {
  const lines = [
    ...['=== RUN TestA', '--- PASS: TestA (0.00s)', '    --- PASS: TestA/b (0.00s)', '--- FAIL: TestC (1s)'],
    ...['    --- FAIL: TestC/d=false (1s)', '    --- PASS: TestC/e (1s)', '--- FAIL: TestF (1s)'],
    '--- FAIL: TestAll (9s)',
  ];
  assert.deepEqual(readGoTests(lines.join('\n'), 'TestAll'), {
    ...{ passed: ['TestA', 'TestA/b', 'TestC/e'], failed: ['TestC/d=false', 'TestF'] },
  });
});

test('a failure counts unless it is known, and so does a known one that is none any more', () => {
  const known = { old: 'meant', other: 'meant' };
  assert.deepEqual(surprises({ passed: ['a'], failed: ['other', 'new'] }, known), {
    ...{ unknown: ['new'], gone: ['old'] },
  });
});
