import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasColours } from './colours.ts';

test('colours are for terminals; NO_COLOR and FORCE_COLOR decide otherwise', () => {
  const terminal = { isTTY: true };
  const rows: [target: { isTTY?: boolean }, environment: NodeJS.ProcessEnv, expected: boolean][] = [
    [terminal, {}, true],
    [{}, {}, false],
    [terminal, { TERM: 'dumb' }, false],
    [terminal, { NO_COLOR: '1' }, false],
    [terminal, { NO_COLOR: '' }, true],
    [{}, { FORCE_COLOR: '1' }, true],
    [{}, { FORCE_COLOR: '' }, true],
    [terminal, { FORCE_COLOR: '0' }, false],
    [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ];
  for (const [target, environment, expected] of rows) {
    assert.equal(hasColours(target, environment), expected, JSON.stringify({ target, environment }));
  }
});
