import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StatusError } from '@wherry/kubeapi';
import { Query } from '../http/query.ts';
import { readVersion } from './list-options.ts';

const unless = 'resourceVersionMatch is forbidden unless resourceVersion is provided';
const withContinue = 'resourceVersionMatch is forbidden when continue is provided';
const exactZero = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
const forList = 'sendInitialEvents is forbidden for list';
const requires = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
const forWatch = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
const unknown = 'Unsupported value: "x": supported values: "Exact", "NotOlderThan", ""';
const notForWatch = (match: string) => `Unsupported value: "${match}": supported values: "NotOlderThan"`;

/** By kind and query: what is found wrong; nothing is wrong with those that name nothing. */
const matrix: [kind: 'list' | 'watch', query: string, ...wrong: string[]][] = [
  ['list', ''],
  ['list', 'resourceVersion=0'],
  ['list', 'resourceVersion=7'],
  ['list', 'resourceVersion=7&resourceVersionMatch=Exact'],
  ['list', 'resourceVersion=7&resourceVersionMatch=NotOlderThan'],
  ['list', 'resourceVersion=0&resourceVersionMatch=NotOlderThan'],
  ['list', 'resourceVersion=0&resourceVersionMatch=Exact', exactZero],
  ['list', 'resourceVersionMatch=Exact', unless],
  ['list', 'resourceVersionMatch=NotOlderThan', unless],
  ['list', 'resourceVersion=7&resourceVersionMatch=x', unknown],
  ['list', 'resourceVersionMatch=x&continue=t', unless, withContinue, unknown],
  ['list', 'resourceVersion=0&resourceVersionMatch=NotOlderThan&continue=t', withContinue],
  ['list', 'sendInitialEvents=false', forList],
  ['watch', ''],
  ['watch', 'resourceVersion=7'],
  ['watch', 'resourceVersion=7&continue=t'],
  ['watch', 'continue=t', withContinue],
  ['watch', 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'],
  ['watch', 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=7'],
  ['watch', 'sendInitialEvents=true', requires],
  ['watch', 'sendInitialEvents=true&resourceVersionMatch=Exact', requires, notForWatch('Exact')],
  ['watch', 'resourceVersion=7&resourceVersionMatch=NotOlderThan', forWatch],
  [
    'watch',
    'resourceVersion=7&resourceVersionMatch=Exact&continue=t',
    forWatch,
    notForWatch('Exact'),
    withContinue,
  ],
];

for (const [kind, query, ...wrong] of matrix) {
  it(`a ${kind} with ${query || 'no version'} is ${wrong.length > 0 ? 'refused' : 'taken'}`, () => {
    const read = () => readVersion(new Query(new URLSearchParams(query)), kind);
    if (wrong.length === 0) return assert.ok(read());
    assert.throws(read, (error: StatusError) => {
      assert.deepEqual([error.code, error.reason], [422, 'Invalid']);
      const said = error.causes.map(({ message }) => message);
      assert.equal(said.length, wrong.length, said.join('; '));
      for (const [index, text] of wrong.entries()) assert.ok(said[index]?.includes(text), said[index]);
      return true;
    });
  });
}

it('a version that is no number is refused with 400', () => {
  for (const kind of ['list', 'watch'] as const) {
    assert.throws(() => readVersion(new Query(new URLSearchParams('resourceVersion=abc')), kind), {
      code: 400,
      message:
        'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    });
  }
});
