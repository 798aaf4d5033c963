import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exactJson, exactWhole, parseExactJson } from './exact-json.ts';

describe('JSON with all digits of whole numbers', () => {
  it('reads as bigint what a double does not hold and 64 bits do, wherever it stands', () => {
    for (const padding of ['', ' ', '"x":"0123456789abcdef",', '\n\t"long":"9007199254740993",'])
      assert.deepEqual(
        parseExactJson(
          `{${padding}"a":9007199254740993,"b":[-9223372036854775808,[9223372036854775807]],"__proto__":9007199254740995}`,
        ),
        JSON.parse(`{${padding}"a":0,"b":[1,[2]],"__proto__":3}`, (_key, value) =>
          typeof value === 'number'
            ? [9007199254740993n, -(2n ** 63n), 2n ** 63n - 1n, 9007199254740995n][value]
            : value,
        ),
      );
  });

  it('reads all other numbers, and texts, as JSON.parse does', () => {
    const text =
      '{"a":9007199254740991,"b":9223372036854775808,"c":1234567890123456.5,"d":1e300,"e":"9007199254740993","f":12345678901234567e2}';
    assert.deepEqual(parseExactJson(text), JSON.parse(text));
  });

  it('finds a long number at any place of a text', () => {
    for (let before = 0; before < 40; before += 1)
      for (const digits of ['1000000000000001', '9007199254740993', '9223372036854775807'])
        assert.equal(
          exactJson(parseExactJson(`${' '.repeat(before)}[1,${digits}]`)),
          `[1,${digits}]`,
          `${digits} behind ${before}`,
        );
  });

  it('writes whole numbers in digits, in lines where that is asked for', () => {
    assert.equal(exactJson({ a: 9007199254740993n, b: [1n, 'x'] }), '{"a":9007199254740993,"b":[1,"x"]}');
    assert.equal(exactJson([9007199254740993n], 2), '[\n  9007199254740993\n]');
  });

  it('refuses what JSON does not know, and what is nested too deep beside a long number', () => {
    const deep = 20_000;
    for (const text of [
      '9007199254740993,',
      `9007199254740993${'}'}`,
      `${'[9007199254740993,'.repeat(deep)}0${']'.repeat(deep)}`,
    ])
      assert.throws(() => parseExactJson(text), SyntaxError);
    const circle: unknown[] = [];
    circle.push(circle);
    assert.throws(() => exactJson(circle), TypeError);
  });

  it('takes a whole number for a double where a double is exact, or 64 bits are too few', () => {
    assert.deepEqual(
      ['5', '-9007199254740991', '9007199254740992', '9223372036854775808'].map((digits) =>
        exactWhole(digits),
      ),
      [5, -9007199254740991, 9007199254740992n, 2 ** 63],
    );
  });
});
