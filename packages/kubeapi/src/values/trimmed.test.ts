import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { trimmedOf, withoutTrailing } from './trimmed.ts';

describe('a text', () => {
  it('loses what is at its end, and nothing else', () => {
    for (const [text, expected] of [
      ['/a/b//', '/a/b'],
      ['//', ''],
      ['', ''],
      ['/a', '/a'],
    ] as const)
      assert.equal(withoutTrailing(text, '/'), expected);
  });

  it('loses what is at both ends', () => {
    const characters = new Set(' \n');
    assert.equal(trimmedOf(' \na b ', characters), 'a b');
    assert.equal(trimmedOf(' \n ', characters), '');
  });
});
