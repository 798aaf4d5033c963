import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nestingDepthMax } from '../limits.ts';
import { describeSyntaxError, findDuplicateKeys, findDuplicateKeysOf, JsonSyntaxError } from './json-scan.ts';

describe('a second look at JSON', () => {
  it('finds doubled keys with their paths', () => {
    const text = '{"a":1,"b":{"c":1,"c":2},"l":[{},{"x":1,"x":1}],"a":2}';
    assert.deepEqual(findDuplicateKeys(text), ['b.c', 'l[1].x', 'a']);
  });

  it('takes the same key in different objects for what it is', () => {
    assert.deepEqual(findDuplicateKeys('[{"a":{"a":1}},{"a":2}]'), []);
  });

  it('sees through escapes', () => {
    assert.deepEqual(findDuplicateKeys('{"a":1,"\\u0061":2}'), ['a']);
  });

  it('finds the same in text that was parsed before', () => {
    const texts = [
      '{"a":1,"b":{"c":1,"c":2},"l":[{},{"x":1,"x":1}],"a":2}',
      '[{"a":{"a":1}},{"a":2}]',
      '{"a":1,"\\u0061":2}',
      '{"a":"no: \\"key\\": here, {","b":": ["}',
      '{"__proto__":1,"__proto__":{"a":1}}',
      '{"__proto__":{"a":1},"constructor":":"}',
      '{"a":{"b":1},"a":{"b":1,"c":2}}',
      '":{"',
    ];
    for (const text of texts)
      assert.deepEqual(findDuplicateKeysOf(JSON.parse(text), text), findDuplicateKeys(text), text);
    const deep = `${'['.repeat(nestingDepthMax + 1)}${']'.repeat(nestingDepthMax + 1)}`;
    assert.throws(() => findDuplicateKeysOf(JSON.parse(deep), deep), JsonSyntaxError);
  });

  const complaints: [text: string, message: string][] = [
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['hello', "invalid character 'h' looking for beginning of value"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['\u001f', "invalid character '\\x1f' looking for beginning of value"],
    ['\u0007', "invalid character '\\a' looking for beginning of value"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['tru', 'unexpected end of JSON input'],
    ['nulx', "invalid character 'x' in literal null (expecting 'l')"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ];
  for (const [text, message] of complaints) {
    it(`says of ${JSON.stringify(text)} what Go says`, () =>
      assert.equal(describeSyntaxError(text), message));
  }

  it('stops at the depth limit', () => {
    assert.throws(() => findDuplicateKeys('['.repeat(nestingDepthMax + 1)), JsonSyntaxError);
  });

  it('agrees with JSON.parse on what is JSON', () => {
    const pieces = ['{', '}', '[', ']', ':', ',', '"a"', '1', '-', 'true', ' ', '"', '\\', 'e5', '.'];
    for (let seed = 0; seed < 5000; seed++) {
      let rest = seed * 2654435761;
      const text = Array.from({ length: 1 + (seed % 7) }, () => {
        rest = (rest * 1103515245 + 12345) % 2 ** 31;
        return pieces[rest % pieces.length];
      }).join('');
      assert.equal(
        succeeds(() => findDuplicateKeys(text)),
        succeeds(() => JSON.parse(text)),
        text,
      );
    }
  });
});

function succeeds(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
