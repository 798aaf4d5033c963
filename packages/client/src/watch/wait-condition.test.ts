import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeOf } from './wait-condition.ts';

test('a field that says itself how it becomes a text is compared as JSON', () => {
  const object = JSON.parse(
    '{"metadata":{"name":"x"},"spec":{"list":[{"type":{"toString":1}},{"type":"A","is":{"toString":1}}]}}',
  );
  const holds = (condition: string) => judgeOf(condition)(object);
  assert.ok(holds('jsonpath={.spec.list[?(@.type=="A")].is}={"toString":1}'));
  assert.ok(!holds('jsonpath={.spec.list[?(@.type=="B")].is}=x'));
  assert.ok(!holds('jsonpath={.spec.list[0].type}=B'));
});
