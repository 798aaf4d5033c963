import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { yamlBytesMax, yamlTokensMax } from '../limits.ts';
import { StatusError } from '../status/status-error.ts';
import { parseYaml } from './yaml.ts';

const read = (text: string) => parseYaml(Buffer.from(text)).value;
const isTooLong = (error: unknown) => error instanceof StatusError && error.code === 413;
const excessive = /^JsonSyntaxError: yaml: document contains excessive aliasing$/;

/** `first`, then `count` lines, each an anchored list or map that names the line before it several times. */
function chain(first: string, line: (before: string) => string, count: number): string {
  const lines = Array.from({ length: count }, (_, at) => `a${at + 1}: &a${at + 1} ${line(`*a${at}`)}`);
  return [`a0: &a0 ${first}`, ...lines].join('\n');
}

describe('YAML', () => {
  it('has anchors, aliases and merged keys', () => {
    const text =
      'base: &base {a: 1, b: [x]}\none: {<<: *base, a: 2}\ntwo:\n  <<: [{c: 3}, *base]\nlist: [*base]\n';
    const base = { a: 1, b: ['x'] };
    assert.deepEqual(read(text), { base, one: { a: 2, b: ['x'] }, two: { c: 3, ...base }, list: [base] });
    assert.deepEqual(read('a: &x 1\nb: *x\nc: &x 2\nd: *x\n"<<": 3\n'), { a: 1, b: 1, c: 2, d: 2, '<<': 3 });
  });

  it('has octal numbers in both spellings that Go knows', () => {
    assert.deepEqual(read('[0644, 0o644, -0o17, 0x1f, 0o8]'), [420, 420, -15, 31, '0o8']);
  });

  it('has all digits of whole numbers that 64 bits hold', () => {
    assert.deepEqual(
      read('[9007199254740993, -9_223_372_036_854_775_808, 0x7fffffffffffffff, 9223372036854775808]'),
      [9007199254740993n, -(2n ** 63n), 2n ** 63n - 1n, 2 ** 63],
    );
    assert.deepEqual(read('9007199254740993: 1'), { '9007199254740993': 1 });
  });

  it('has texts that have the points and letters of numbers, and no digits', () => {
    const texts = ['.', '._', '-.', '+.', 'e1', 'E5', '-e3', '.e1'];
    assert.deepEqual(read(`[${texts.join(', ')}]`), texts);
    assert.deepEqual(read('[.5, 1., -1.5e3, 1_0.5, +.5e1]'), [0.5, 1, -1500, 10.5, 5]);
  });

  it('has keys that every object inherits', () => {
    const value = read('__proto__: {a: 1}\nconstructor: &c {b: 2}\nm: {<<: *c, toString: x}\n');
    assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor', 'm']);
    assert.deepEqual(Object.entries((value as { m: object }).m), [
      ['b', 2],
      ['toString', 'x'],
    ]);
  });

  it('is refused when its aliases explode', () => {
    const nine = (before: string) => `[${Array(9).fill(before).join(',')}]`;
    assert.throws(() => read(chain('["lol"]', nine, 9)), excessive);
    assert.throws(() => read(chain('[]', (before) => `[${before},${before}]`, 60)), excessive);
    assert.throws(() => read(`a: &a "${'x'.repeat(200_000)}"\nb: [*a, *a]`), excessive);
    const wide = `{${Array.from({ length: 3_000 }, (_, at) => `k${at}: 1`).join(', ')}}`;
    assert.throws(() => read(`a: &a ${wide}\nb: [${Array(500).fill('{<<: *a}').join(',')}]`), excessive);
    assert.throws(() => read(chain('{x: 1}', (before) => `{<<: [${before},${before}]}`, 60)), excessive);
  });

  it('is refused when an alias names nothing, or what it stands in', () => {
    assert.throws(() => read('a: *b'), /yaml: .*b/);
    assert.throws(() => read('a: &a [*a]'), /value contains itself|Unresolved alias/);
    assert.throws(() => read('a: &a {<<: *a}'), /value contains itself|Unresolved alias/);
  });

  it('is refused when it costs too much to read', () => {
    assert.throws(() => read('\n'.repeat(yamlBytesMax - 1)), isTooLong);
    assert.throws(() => read('#\n'.repeat(yamlTokensMax)), isTooLong);
    assert.throws(() => read(`a: [${'1,'.repeat(yamlTokensMax)}1]`), isTooLong);
    assert.throws(() => read(`a: |\n${' x\n'.repeat(yamlBytesMax / 2)}`), isTooLong);
  });

  it('is read without those bounds where it is JSON', () => {
    const value = {
      data: Object.fromEntries(Array.from({ length: yamlTokensMax }, (_, at) => [`k${at}`, 'v'])),
    };
    assert.deepEqual(read(JSON.stringify(value)), value);
    assert.deepEqual(parseYaml(Buffer.from('{"a": 1,\n "a": 2}')).duplicates, [
      'line 2: key "a" already set in map',
    ]);
  });

  it('ends where its brackets or quotes do', () => {
    assert.deepEqual(read('{"a": {"b": 1}} x'), { a: { b: 1 } });
    assert.equal(read('"a" b'), 'a');
    for (const text of ['[', '"a', 'a: {b: 1} x', '- "a" b', '{a: "b" c}'])
      assert.throws(() => read(text), text);
  });

  it('is refused when it nests too deeply', () => {
    for (const text of ['['.repeat(2_000), '- '.repeat(2_000), `${'{a: '.repeat(500)}1${'}'.repeat(500)}`]) {
      assert.throws(() => read(text), /exceeded max depth|Maximum call stack/);
    }
  });
});
