import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueInFile } from './environment-file.ts';

const values: [text: string, value: string | undefined][] = [
  ["A='1'", '1'],
  ["# A='0'\n\n  \t A='1' # one\r\nA='2'\n", '1'],
  ["B='x'\nA='one\n two # $HOME \\n\n'\n", 'one\n two # $HOME \\n\n'],
  ["A= '1'\n", ''],
  ["A=''\n", ''],
  ["B= two\nA='1'", '1'],
  ["AB='1'\n", undefined],
  ['', undefined],
  ["A='1'\nwhat follows does not count", '1'],
];
for (const [text, value] of values)
  test(`${JSON.stringify(text)} has ${value === undefined ? 'no A' : JSON.stringify(value)}`, () => {
    assert.equal(valueInFile(text, 'A'), value);
  });

const mistakes: [text: string, message: RegExp][] = [
  ['A', /line 1: missing '='/],
  ["\n='1'", /line 2: empty variable name/],
  ["A ='1'", /line 1: whitespace before '='/],
  ['A=1', /line 1: value must be enclosed in single quotes/],
  ['A="1"', /line 1: value must be enclosed in single quotes/],
  ["B='1\n2' x\nA='1'", /line 2: unexpected content after closing quote/],
  ["B='1\n\nA=1", /line 1: unclosed single quote/],
];
for (const [text, message] of mistakes)
  test(`${JSON.stringify(text)} is refused`, () => assert.throws(() => valueInFile(text, 'A'), message));
