import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { celRunCostMax } from '../limits.ts';
import { loadPatternEngine } from '../values/pattern.ts';
import { Environment } from './environment.ts';
import { CompileError } from './syntax/ast.ts';
import { dyn } from './types.ts';
import { fromJson } from './values/json.ts';
import { CostLimitError, isError } from './values/value.ts';

const environment = new Environment({ variables: { self: dyn } });
const self = fromJson({ a: 3, b: 'text', list: [1, 2, 3], map: { x: 1 } });
const run = (text: string, costMax = celRunCostMax) =>
  environment.compile(text).evaluate((name) => (name === 'self' ? self : undefined), costMax);
const complaintOf = (text: string): string => {
  try {
    environment.compile(text);
    return '';
  } catch (error) {
    if (error instanceof CompileError) return error.message;
    throw error;
  }
};

describe('expressions in CEL', () => {
  before(loadPatternEngine);

  it('trim a text in time by its length', { timeout: 30_000 }, () => {
    const text = ` \u0085a${' '.repeat(1_000_000)}b\u3000`;
    const { value } = environment.compile('self.trim()').evaluate(() => text, celRunCostMax);
    assert.ok(value === text.slice(2, -1));
  });

  const truths = [
    ...['1 + 2 * 3 == 7', '7 / -2 == -3', '-7 % 3 == -1', '1u + 2u == 3u', '1.5 < 2 && 2u > 1', '0x10 == 16'],
    ...[
      '"a" + "b" == "ab"',
      'b"\\x61" == b"a"',
      'size("héé") == 3',
      'r"\\d" == "\\\\d"',
      '"""a"b""" == "a\\"b"',
    ],
    ...['true || self.none', '!(self.none && false)', 'self.a == 3 ? true : self.none', 'self.list[1] == 2'],
    ...['has(self.a) && !has(self.z)', '"x" in self.map', '2 in self.list', 'self["b"] == "text"'],
    ...[
      'self.list.all(x, x > 0)',
      'self.list.exists_one(x, x == 2)',
      'self.list.map(x, x > 1, x * 2) == [4, 6]',
    ],
    ...[
      'self.list.all(i, v, v == i + 1)',
      'self.list.transformMap(i, v, v)[0] == 1',
      'self.map.all(k, k == "x")',
    ],
    ...[
      'self.?z.orValue(5) == 5',
      'optional.of(1).optMap(x, x + 1).value() == 2',
      '[?self.?z, dyn(1)] == [1]',
    ],
    ...[
      '{?"k": self.?z} == {}',
      'self.list.sum() == 6 && [3, 1].min() == 1',
      '[3, 1, 2].sort() == [1, 2, 3]',
    ],
    ...['sets.contains([1, 2], [2])', '[[1], [2]].flatten() == [1, 2]', 'lists.range(3) == [0, 1, 2]'],
    ...[
      '"Ab".lowerAscii() == "ab"',
      '"a,b".split(",") == ["a", "b"]',
      '"%s=%d".format([dyn("x"), 1]) == "x=1"',
    ],
    ...[
      '"abc123".find("[0-9]+") == "123"',
      '"a1b2".findAll("[0-9]", 1) == ["1"]',
      '"aaa".replace("a", "b", 2) == "bba"',
    ],
    ...[
      'quantity("1Gi").isGreaterThan(quantity("1G"))',
      'quantity("1").add(1) == quantity("2")',
      'sign(quantity("-1")) == -1',
    ],
    ...[
      'ip("::1").isLoopback() && ip("10.0.0.1").family() == 4',
      'cidr("10.0.0.0/8").containsIP("10.9.9.9")',
    ],
    ...['!isIP("1.2.3") && ip.isCanonical("::1")', 'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8")'],
    ...['url("https://h:80/p?q=1").getPort() == "80"', 'url("https://h/p?q=1").getQuery() == {"q": ["1"]}'],
    ...['semver("1.2.3-a").isLessThan(semver("1.2.3"))', 'isSemver("v1", true) && !isSemver("v1")'],
    ...['!format.dns1123Label().validate("a").hasValue()', 'format.named("uuid").hasValue()'],
    ...['timestamp("2024-02-29T10:00:00Z").getDate() == 29', 'duration("90m").getHours() == 1'],
    ...[
      'timestamp("2024-07-01T00:00:00Z").getHours("Europe/Berlin") == 2',
      'type(1) == int && type(self.b) == string',
    ],
    ...[
      'int("12") == 12 && double("1e3") == 1000.0 && string(1.5) == "1.5" && string(1e6) == "1e+06"',
      'duration("1h") - duration("30m") == duration("30m")',
    ],
  ];
  for (const text of truths)
    it(`${text} holds`, () => {
      assert.equal(run(text).value, true);
    });

  const errors: [string, string][] = [
    ['self.z', 'no such key: z'],
    ['self.list[9]', 'index out of bounds: 9'],
    ['1 / 0', 'division by zero'],
    ['9223372036854775807 + 1', 'integer overflow'],
    ['self.a + self.b', 'no such overload'],
    ['self.a.startsWith("x")', 'no such overload: startsWith(int, string)'],
    ['optional.none().value()', 'optional.none() dereference'],
    ['[1].max() > 0 && [].max() > 0', 'max called on empty list'],
  ];
  for (const [text, message] of errors)
    it(`${text} fails while it runs`, () => {
      const { value } = run(text);
      assert.ok(isError(value));
      assert.equal(value.message, message);
    });

  const complaints: [string, RegExp][] = [
    [
      'foo == 1',
      /^ERROR: <input>:1:1: undeclared reference to 'foo' \(in container ''\)\n \| foo == 1\n \| \^$/,
    ],
    ['1 == "a"', /found no matching overload for '_==_' applied to '\(int, string\)'/],
    ['"a".nothing()', /undeclared reference to 'nothing'/],
    ['[1, "a"]', /expected type 'int' but found 'string'/],
    ['1.all(x, true)', /Syntax error|cannot be range of a comprehension/],
    ['(1).all(x, true)', /expression of type 'int' cannot be range of a comprehension/],
    ['duration("x")', /invalid duration argument/],
    ['"a".matches("(")', /invalid matches argument/],
    ['has(1)', /invalid argument to has\(\) macro/],
    ['1 +', /Syntax error: mismatched input '<EOF>'/],
    [`${'('.repeat(300)}1${')'.repeat(300)}`, /recursion limit exceeded/],
    [`1${'+1'.repeat(300)}`, /recursion limit exceeded/],
    ['"\\q"', /unable to unescape string/],
    ['99999999999999999999', /invalid int literal/],
  ];
  for (const [text, message] of complaints)
    it(`${text.slice(0, 30)} is refused before it runs`, () => {
      assert.match(complaintOf(text), message);
    });

  it('loops within loops end at the bound of costs', () => {
    const list = `[${Array.from({ length: 60 }, (_item, index) => index)}]`;
    const text = `${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, a + b + c + d >= 0))))`;
    assert.throws(() => run(text), CostLimitError);
  });

  it('lists that hold one another many times are not written out', () => {
    const joined = '.map(x, [x, x])'.repeat(40);
    const text = `([1]${joined}) == ([1]${joined})`;
    assert.throws(() => run(text), CostLimitError);
  });

  it('patterns take time by the length of the text alone', () => {
    const text = `("a".${'replace("a", "aa").'.repeat(14)}matches("^(a+)+$"))`;
    assert.equal(run(text).value, true);
    assert.throws(() => run(text.replace('14', '20'), 1_000), CostLimitError);
  });
});
