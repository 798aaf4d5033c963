import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sendWarnings } from './warnings.ts';

function sent(texts: readonly string[]): string[] {
  const values: string[] = [];
  const response = { headersSent: false, appendHeader: (_: string, value: string) => values.push(value) };
  sendWarnings(response as unknown as ServerResponse, texts);
  return values;
}

test('a warning of a thousand characters comes whole', () => {
  const text = 'violates '.repeat(111);
  assert.deepEqual(sent([text]), [`299 - "${text}"`]);
});

test('warnings of more than 4,096 characters together are cut to 256 each, and the rest is left out', () => {
  const values = sent(Array.from({ length: 20 }, () => 'x'.repeat(1_000)));
  assert.equal(values.length, 16);
  assert.ok(values.every((value) => value === `299 - "${'x'.repeat(256)}"`));
});
