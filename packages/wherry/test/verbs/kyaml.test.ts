/** `-o kyaml` wherever `-o yaml` is. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Command } from 'commander';
import { parse, parseAllDocuments } from 'yaml';
import { createProgram } from '../../src/cli/program.ts';
import { Served } from './served.ts';

let served: Served;
const configMap = (name: string, data: Record<string, string>) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { of: 'test' } } },
  data,
});
const odd = { yes: 'no', '10': 'a\n  b\n', 'a.b': '1e5', empty: '' };

before(async () => {
  served = await Served.start();
  await served.client.create(configMap('odd', odd));
  await served.client.create(configMap('plain', { a: '1' }));
});
after(() => served?.close());

const shown = async (line: string) => {
  const { code, stdout, stderr } = await served.run(line);
  assert.deepEqual([code, stderr], [0, ''], line);
  return stdout;
};

test('get -o kyaml prints objects and lists as kubectl 1.36 does', async () => {
  const text = await shown('get cm odd -o kyaml');
  assert.match(
    text,
    /^---\n\{\n {2}apiVersion: "v1",\n {2}data: \{\n {4}"10": "\\\n {7}a\\n\\\n {6}\\ {2}b\\n\\\n {6}",\n/,
  );
  assert.match(
    text,
    /\n {4}a\.b: "1e5",\n {4}empty: "",\n {4}"yes": "no",\n {2}\},\n {2}kind: "ConfigMap",\n/,
  );
  assert.deepEqual(parse(text), JSON.parse(await shown('get cm odd -o json')));
  const list = await shown('get cm -l of=test -o kyaml');
  assert.match(list, /\n {2}items: \[\{\n[\s\S]*\n {2}\}, \{\n[\s\S]*\n {2}\}\],\n {2}kind: "List",\n/);
  assert.deepEqual(parse(list), JSON.parse(await shown('get cm -l of=test -o json')));
});

test('what changes objects prints each as a document of its own', async () => {
  const file = served.file('two.json', configMap('one', odd), configMap('two', odd));
  const text = await shown(`create -f ${file} --dry-run=client -o kyaml`);
  assert.equal(text.match(/^---$/gm)?.length, 2);
  assert.deepEqual(
    parseAllDocuments(text).map((document) => document.toJS().metadata.name),
    ['one', 'two'],
  );
});

test('every command that has YAML has KYAML', () => {
  const formatsOf = (command: Command): [string, readonly string[]][] => [
    ...command.options.flatMap(({ long, argChoices }): [string, readonly string[]][] =>
      long === '--output' && argChoices ? [[command.name(), argChoices]] : [],
    ),
    ...command.commands.flatMap(formatsOf),
  ];
  const without = formatsOf(createProgram().program).filter(
    ([, formats]) => formats.includes('yaml') && !formats.includes('kyaml'),
  );
  // As in kubectl: what is edited, and what was applied last.
  assert.deepEqual([...new Set(without.map(([name]) => name))].sort(), [
    'edit',
    'edit-last-applied',
    'view-last-applied',
  ]);
});
