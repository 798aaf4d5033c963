/** docs/COMPATIBILITY.md names tests; this keeps it true: every line of the list is there, and so is every test. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../', import.meta.url);
const document = readFileSync(new URL('docs/COMPATIBILITY.md', folder), 'utf8');
const lineCount = 119;
const nameCharactersMax = 400;

interface Line {
  number: number;
  cells: string;
}

const lines: Line[] = [...document.matchAll(/^\| (\d+) \|(.*)\|$/gm)].map(([, number, cells]) => ({
  number: Number(number),
  cells: cells ?? '',
}));

/** ``` `file` › test name``` with … for what is filled in when the test runs. */
const references = (cells: string) =>
  [...cells.matchAll(/`([^`]+\.ts)` › (.*?)(?= <br> | \|$| $)/g)].map(([, file = '', name = '']) => ({
    file,
    name: name.replaceAll('\\|', '|').trim(),
  }));

/** Whether the parts of a name follow one another, close enough to be one name. */
function isInOrder(text: string, [first = '', ...rest]: string[]): boolean {
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const name = text.slice(at + first.length, at + nameCharactersMax);
    let from = 0;
    const isWhole = rest.every((part) => {
      const found = name.indexOf(part, from);
      from = found + part.length;
      return found >= 0;
    });
    if (isWhole) return true;
  }
  return false;
}

test('every line of the streaming checklist has its row, in order', () => {
  assert.deepEqual(
    lines.map(({ number }) => number),
    Array.from({ length: lineCount }, (_, index) => index + 1),
  );
});

test('every row names a test or gives a reason', () => {
  for (const { number, cells } of lines) {
    const [, shown = ''] = cells.split(/(?<!\\)\|/);
    assert.ok(references(`${shown} `).length > 0 || /Not run:/.test(shown), `line ${number}`);
  }
});

test('every test that a row names is in its file', () => {
  const missing: string[] = [];
  for (const { number, cells } of lines) {
    const [, shown = ''] = cells.split(/(?<!\\)\|/);
    for (const { file, name } of references(`${shown} `)) {
      const path = new URL(file, folder);
      const parts = name.split('…').map((part) => part.trim());
      const source = existsSync(path) ? readFileSync(path, 'utf8').replaceAll("\\'", "'") : '';
      if (!isInOrder(source, parts)) missing.push(`line ${number}: ${file} has no test "${name}"`);
    }
  }
  assert.deepEqual(missing, []);
});

test('every file that the other tables name exists', () => {
  for (const [, file = ''] of document.matchAll(/`((?:packages|e2e|conformance|bench)\/[\w./-]+)`/g))
    assert.ok(existsSync(new URL(file, folder)), `there is no ${file}`);
});
