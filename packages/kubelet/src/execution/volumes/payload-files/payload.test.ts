import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyedPayload } from './payload.ts';

for (const [name, message] of [
  ['configmap m', 'configmap references non-existent config key: k'],
  ['secret s', 'references non-existent secret key: k'],
] as const) {
  test(`a key that a ${name.split(' ')[0]} does not have is named in upstream's words`, () => {
    const source = { name, data: new Map(), defaultMode: 0o644, optional: false };
    assert.throws(() => keyedPayload({ ...source, items: [{ key: 'k', path: 'k' }] }), { message });
  });
}
