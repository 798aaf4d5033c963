/** docs/COMPATIBILITY.md names tests; this keeps it true: every line of the list is there, and so is every test. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { absentFiles, cellsOf, isThere, readDocument, referencesIn, repository } from './documented-tests.ts';

const document = readDocument('docs/COMPATIBILITY.md');
const lineCount = 119;

/** A document, or those in a folder. */
const documentsBelow = (path: string): string[] =>
  path.endsWith('.md')
    ? [path]
    : readdirSync(new URL(path, repository))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${path}/${name}`);

const lines = [...document.matchAll(/^\| \d+ \|.*\|$/gm)].map(([row]) => {
  const [number, , shown = ''] = cellsOf(row);
  return { number: Number(number), shown };
});

test('every line of the streaming checklist has its row, in order', () => {
  assert.deepEqual(
    lines.map(({ number }) => number),
    Array.from({ length: lineCount }, (_, index) => index + 1),
  );
});

test('every row names a test or gives a reason', () => {
  for (const { number, shown } of lines)
    assert.ok(referencesIn(shown).length > 0 || /Not run:/.test(shown), `line ${number}`);
});

test('every test that a row names is in its file', () => {
  const missing = lines.flatMap(({ number, shown }) =>
    referencesIn(shown)
      .filter((reference) => !isThere(reference))
      .map(({ file, name }) => `line ${number}: ${file} has no test "${name}"`),
  );
  assert.deepEqual(missing, []);
});

test('every file of code that a document names exists', () => {
  for (const path of ['README.md', 'CONTRIBUTING.md', 'docs'].flatMap(documentsBelow))
    assert.deepEqual({ path, absent: absentFiles(readDocument(path)) }, { path, absent: [] });
});
