import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownJson } from './shown-json.ts';

test('plain values are shown as they are', () => {
  assert.deepEqual(['a "b"', 3, true, null, undefined].map(shownJson), [
    'a "b"',
    '3',
    'true',
    'null',
    'undefined',
  ]);
});

test('a value that says itself how it becomes a text is shown as JSON', () => {
  for (const text of [
    '{"toString":1}',
    '{"valueOf":{},"toString":null}',
    '{"__proto__":null}',
    '[{"toString":1}]',
  ])
    assert.equal(shownJson(JSON.parse(text)), text);
});

test('a value that is too deep for JSON is shown by what it is, where there is one that is', () => {
  const depth = 100_000;
  const list = '['.repeat(depth) + ']'.repeat(depth);
  const object = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  // From Node 26 on none is.
  assert.ok(['[...]', list].includes(shownJson(JSON.parse(list))));
  assert.ok(['{...}', object].includes(shownJson(JSON.parse(object))));
});
