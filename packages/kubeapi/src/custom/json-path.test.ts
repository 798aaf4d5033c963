import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { customPrinter } from './columns.ts';
import { parseJsonPath } from './json-path.ts';

const spec: JsonObject = {
  ...{ a: 'aa', b: 'bb', 'a.b': 'dotted', none: null, empty: [], deep: { z: { n: 7 }, k: '<' } },
  list: [
    { type: 'x', n: 1 },
    { type: 'y', n: 2, ok: true },
    { type: 'a) b', n: 3 },
  ],
};

/** What kube-apiserver 1.36.2 takes the same values from, the first of which it shows. */
const found: readonly [string, ...JsonValue[]][] = [
  ['.'],
  ['.spec.a', 'aa'],
  [String.raw`.spec.a\.b`, 'dotted'],
  [".spec['a']", 'aa'],
  [String.raw`.spec['a\.b']`, 'dotted'],
  [".spec['a.b']"],
  [".spec['a','b']", 'aa', 'bb'],
  ['.spec.missing[0]'],
  ['.spec.none', null],
  ['.spec.none.n'],
  ['.spec.list[0].n', 1],
  ['.spec.list[-1].n', 3],
  ['.spec.list[9].n'],
  ['.spec.list[].n', 1],
  ['.spec.list[-1:].n', 3],
  ['.spec.list[:-1].n', 1, 2],
  ['.spec.list[0:2].n', 1, 2],
  ['.spec.list[::2].n', 1, 3],
  ['.spec.list[2:1].n'],
  ['.spec.list[1:1].n'],
  ['.spec.list[0:3:0].n'],
  ['.spec.list[0, 2].n', 1, 3],
  ['.spec.list[*].n', 1, 2, 3],
  ['.spec.empty[-1:].n'],
  ['.spec.a[0]'],
  ['.spec.deep.*', { n: 7 }, '<'],
  ['.spec.deep..n', 7],
  ['..n', 7, 1, 2, 3],
  ['.spec.list[?(@.type=="y")].n', 2],
  [".spec.list[?( @.type != 'y' )].n", 1, 3],
  ['.spec.list[?(@.type=="a) b")].n', 3],
  ['.spec.list[?(@.type==y)].n'],
  ['.spec.list[?(@.n=="1")].type'],
  ['.spec.list[?(@.n>=2)].n', 2, 3],
  ['.spec.list[?(@.ok)].n', 2],
  ['.spec.list[?(@.ok==true)].n', 2],
  ['.spec.a[?(@.n)]'],
];

test('a column’s path leads where it leads in kube-apiserver', () => {
  for (const [text, ...values] of found) assert.deepEqual(parseJsonPath(text)?.find({ spec }), values, text);
});

test('a path on which too many values are leads nowhere', () => {
  const list = Array.from({ length: 200 }, () => Array.from({ length: 1_000 }, () => 1));
  const some = Array.from({ length: 1_000 }, () => 'list').join("','");
  assert.deepEqual(parseJsonPath('.list[*][*]')?.find({ list }), []);
  assert.deepEqual(parseJsonPath(`.a['${some}'][*][?(@.b)]`)?.find({ a: { list } }), []);
  assert.equal(parseJsonPath('.list[0][*]')?.find({ list }).length, 1_000);
  assert.deepEqual(parseJsonPath(`['${'a.'.repeat(200_000)}']`)?.find({ list }), []);
});

test('what is no path is told from paths', () => {
  for (const text of ['.spec[', '.list[x]', '.list[1:x]', '.list["a"]', '.list[?(@.a=="b")', '....a', '.a,b'])
    assert.equal(parseJsonPath(text), undefined, text);
});

test('columns end before the first whose path is none, and show the first value alone, as Go writes it', () => {
  const columnsOf = (...paths: string[]) =>
    customPrinter(paths.map((jsonPath) => ({ name: jsonPath, type: 'string', jsonPath })));
  const cellsOf = (...paths: string[]) => columnsOf(...paths).cells({ metadata: { name: 'one' }, spec }, 0);
  assert.deepEqual(cellsOf('.spec.a', '.spec[', '.spec.b'), ['one', 'aa']);
  assert.deepEqual(
    columnsOf('.spec.a', '.spec[', '.spec.b').columns.map(({ name }) => name),
    ['Name', '.spec.a'],
  );
  assert.deepEqual(cellsOf('.spec.list[*].n', '.spec.none', '.spec.deep', '.spec.missing'), [
    ...['one', '1', '<no value>', String.raw`{"k":"\u003c","z":{"n":7}}`, null],
  ]);
});
