import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { doubledMember } from './doubled-members.ts';

for (const [text, doubled] of [
  ['{"a":1,"b":2,"a":3}', 'a'],
  ['{"a":{"c":1,"c":2}}', 'c'],
  ['[{"a":1},{"b":1,"\\u0062":2}]', 'b'],
  ['{"a" \n\t: 1, "a"\r:2}', 'a'],
  ['{"":1,"":2}', ''],
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":"a"}]}', undefined],
  ['{"a":"\\"b\\":","b":"{\\"b\\":1,\\"b\\":2}"}', undefined],
  ['{"__proto__":1,"constructor":{"__proto__":2}}', undefined],
  ['["a","a"]', undefined],
] as const)
  test(`in ${JSON.stringify(text)} the doubled member is ${doubled}`, () => {
    JSON.parse(text);
    assert.equal(doubledMember(text), doubled);
  });

test('what JSON.stringify writes has no member twice', () => {
  fc.assert(fc.property(fc.json(), (text) => assert.equal(doubledMember(text), undefined)));
});
