import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goText } from './go-text.ts';

test('values stand as Go prints them', () => {
  for (const [value, text] of [
    [{ b: [1, { z: null }], a: 'x y' }, 'map[a:x y b:[1 map[z:<nil>]]]'],
    [[], '[]'],
    [{}, 'map[]'],
    [null, '<nil>'],
    ['', ''],
    [true, 'true'],
    [0.5, '0.5'],
    [1e-7, '1e-07'],
    [1e21, '1e+21'],
    [100_000_000, '100000000'],
    [1_234_567.5, '1.2345675e+06'],
    [1e20, '1e+20'],
  ] as const)
    assert.equal(goText(value), text);
});
