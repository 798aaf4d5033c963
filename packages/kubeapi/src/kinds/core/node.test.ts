import assert from 'node:assert/strict';
import { it } from 'node:test';
import { joinFieldErrors } from '../../status/field-error.ts';
import { validateCreate } from '../validate.ts';

const violations = (declaredFeatures: string[]) =>
  joinFieldErrors(
    validateCreate(
      { group: '', version: 'v1', kind: 'Node' },
      { metadata: { name: 'a' }, spec: {}, status: { declaredFeatures } },
    ),
  );

it('the features that a node declares are names, sorted, each once', () => {
  assert.equal(violations(['A', 'B/c', 'B9/Cd']), '');
  assert.match(violations(['B', 'A']), /declaredFeatures\[1\]: Invalid value: "A": list must be sorted/);
  assert.match(violations(['A', 'A']), /declaredFeatures\[1\]: Duplicate value: "A"/);
  for (const name of ['a', '', 'A/', 'A/1', 'A-b', 'A'.repeat(254)]) {
    assert.match(violations([name]), /^\[?status\.declaredFeatures\[0\]: Invalid value/, name);
  }
});
