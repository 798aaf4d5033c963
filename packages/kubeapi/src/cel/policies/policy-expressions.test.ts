import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadPatternEngine } from '../../values/pattern.ts';
import { PolicyExpressions } from './policy-expressions.ts';

before(loadPatternEngine);

test('who has no variables can not name them', () => {
  const text = 'variables.known == 1';
  const without = new PolicyExpressions({ hasParams: false }).compile(text, 'bool');
  assert.match(without.error ?? '', /undeclared reference to 'variables'/);
  const expressions = new PolicyExpressions({ hasParams: false, hasVariables: true });
  assert.match(expressions.compile(text, 'bool').error ?? '', /undefined field 'known'/);
  expressions.define('known', '1');
  assert.equal(expressions.compile(text, 'bool').error, undefined);
});

test('options of a request are whatever they are', () => {
  const expressions = new PolicyExpressions({ hasParams: false });
  for (const text of [
    'has(request.options) && request.options != null',
    "request.options.fieldManager == 'me'",
  ])
    assert.equal(expressions.compile(text, 'bool').error, undefined, text);
});
