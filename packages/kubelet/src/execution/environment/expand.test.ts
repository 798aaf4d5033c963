import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandReferences } from './expand.ts';

const cases: [string, string][] = [
  ['$(A)', 'one'],
  ['x$(A)y$(B)z', 'xoneytwoz'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$one'],
  ['$(UNKNOWN)', '$(UNKNOWN)'],
  ['$(A', '$(A'],
  ['$A', '$A'],
  ['cost: 5$', 'cost: 5$'],
  ['$$', '$'],
  ['$(EMPTY)|', '|'],
  ['$(A)$(A)', 'oneone'],
  ['$( A)', '$( A)'],
];

for (const [input, expected] of cases) {
  test(`"${input}" expands to "${expected}"`, () => {
    const values: Record<string, string> = { A: 'one', B: 'two', EMPTY: '' };
    assert.equal(
      expandReferences(input, (name) => values[name]),
      expected,
    );
  });
}
