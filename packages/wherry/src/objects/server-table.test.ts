import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTable } from '../output/table.ts';
import { showTable } from './server-table.ts';

const style = { isWide: false, withNamespace: false, withLabels: false, labelColumns: [], prefix: '' };
const hostile = 'Killed\u001b[2J\u009b2J\u0007\u0008';
const shown = String.raw`Killed^[[2J\x9b2J\x07\x08`;

test('a table has of a text of several lines the first, and nothing that a terminal obeys', () => {
  const rows = [{ cells: [hostile, 3] }, { cells: ['one\nI am root', null] }, { cells: ['two\rI', 'x'] }];
  const columnDefinitions = [{ name: 'Message' }, { name: 'Count' }];
  const text = showTable({ columnDefinitions, rows } as never, { ...style, hasHeader: true });
  assert.deepEqual(
    text.split('\n').map((line) => line.split(/ {2,}/)),
    [
      ['MESSAGE', 'COUNT'],
      [shown, '3'],
      ['one...', '<none>'],
      ['two...', 'x'],
    ],
  );
});

test('so has one of custom columns', () => {
  assert.equal(formatTable(['A'], [[hostile]]), `A\n${shown}`);
});
