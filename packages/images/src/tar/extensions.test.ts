import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyPax } from './extensions.ts';
import type { RawHeader } from './header.ts';

describe('PAX records', () => {
  it('of names that every object inherits change nothing', () => {
    const header = { path: 'a', xattrs: new Map() } as unknown as RawHeader;
    const names = ['constructor', '__proto__', '__defineGetter__', 'toString', 'valueOf'];
    applyPax(
      header,
      names.map((name) => [name, Buffer.from('x')] as const),
    );
    assert.deepEqual(header, { path: 'a', xattrs: new Map() });
    assert.equal(Object.getPrototypeOf(header), Object.prototype);
  });
});
