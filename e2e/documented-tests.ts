/** What documents say about tests, read and looked up. A reference is `` `file` › test name ``, several apart by <br>. */
import { existsSync, readFileSync } from 'node:fs';

/** The folder of the whole repository. */
export const repository = new URL('../', import.meta.url);

const nameCharactersMax = 400;

/** A test that a document names. */
export interface TestReference {
  /** Path from the repository's root. */
  file: string;
  /** With … for what is filled in when the test runs. */
  name: string;
}

/** The text of a document of the repository. */
export const readDocument = (path: string): string => readFileSync(new URL(path, repository), 'utf8');

/** The cells of a table's row; a \| is no border. */
export const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** The tests that a cell names. */
export const referencesIn = (cell: string): TestReference[] =>
  [...`${cell} `.matchAll(/`([^`]+\.ts)` › (.*?)(?= <br> | \|$| $)/g)].map(([, file = '', name = '']) => ({
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

/** Whether the file is there and the name, as it is written, in it. */
export function isThere({ file, name }: TestReference): boolean {
  const path = new URL(file, repository);
  if (!existsSync(path)) return false;
  const parts = name.split('…').map((part) => part.trim());
  return isInOrder(readFileSync(path, 'utf8').replaceAll("\\'", "'"), parts);
}

/** Files in the folders of code that a document names and that are not there. */
export const absentFiles = (document: string): string[] =>
  [...document.matchAll(/`((?:packages|e2e|conformance|bench|tools|simulation)\/[\w./-]+)`/g)]
    .map(([, file = '']) => file)
    .filter((file) => !existsSync(new URL(file, repository)));
