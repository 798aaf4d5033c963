/** docs/SECURITY.md names known holes and the tests that try them; this keeps it true. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absentFiles, cellsOf, isThere, readDocument, referencesIn } from '../documented-tests.ts';

const document = readDocument('docs/SECURITY.md');

/** Holes of nodes, API servers and their clients that must have a row. */
const known = `
  2017-1002101 2018-1002100 2018-1002105 2019-1002101 2019-11245 2019-11246 2019-11247 2019-11248 2019-11249
  2019-11251 2019-11253 2019-11254 2020-8554 2020-8557 2020-8558 2020-8559 2020-8562 2020-10749 2020-15257
  2021-25735 2021-25737 2021-25740 2021-25741 2021-25743 2021-30465 2021-41103 2021-41190 2022-0811 2022-1708 2022-3162
  2022-3294 2022-23648 2022-31030 2023-2431 2023-2727 2023-2728 2024-3177 2024-10220 2024-21626 2024-25621
  2025-0426 2025-4563 2025-5187 2025-64329 2026-35469`
  .trim()
  .split(/\s+/);

const rows = [...document.matchAll(/^\| CVE-.*\|$/gm)].map(([row]) => {
  const [number = '', was = '', why = '', shown = ''] = cellsOf(row);
  return { number: number.replace('CVE-', ''), was, why, shown };
});

test('every known hole has one row, in order, that says what it was and why it is not here', () => {
  const order = (number: string) => number.split('-').map(Number) as [number, number];
  const numbers = rows.map(({ number }) => number);
  assert.deepEqual(
    known.filter((number) => !numbers.includes(number)),
    [],
  );
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((left, right) => {
      const [[leftYear, leftCount], [rightYear, rightCount]] = [order(left), order(right)];
      return leftYear - rightYear || leftCount - rightCount;
    }),
  );
  for (const { number, was, why } of rows) assert.ok(was !== '' && why !== '', number);
});

test('every row names a test, and every test is in its file', () => {
  for (const { number, shown } of rows)
    assert.ok(referencesIn(shown).length > 0, `CVE-${number} is not shown`);
  const missing = referencesInAll().filter((reference) => !isThere(reference));
  assert.deepEqual(missing, []);
});

test('every file that the document names exists', () => {
  assert.deepEqual(absentFiles(document), []);
});

/** Those of the other tables and lists too, which stand at a line's end or in its last cell. */
function referencesInAll() {
  return document
    .split('\n')
    .map((line) => (line.startsWith('|') ? (cellsOf(line).at(-1) ?? '') : line))
    .flatMap(referencesIn);
}
