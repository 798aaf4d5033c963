/** Every block of code in the documents is run by a test, or says above itself why not: `<!-- not run: REASON -->`. */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { readNodeFile } from '../packages/wherry/src/node-file/node-file.ts';
import { blocksOf, isExample } from './documented-blocks.ts';
import { readDocument, repository } from './documented-tests.ts';

/** Document → language of its blocks → what runs all of these, which names the document. */
const runs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': { '': 'tools/first-minutes.ts' },
  'docs/tutorial.md': { console: 'e2e/documented-commands.long.test.ts' },
  'docs/connections.md': { console: 'e2e/documented-commands.long.test.ts' },
  'docs/testing-your-operator.md': { ts: 'packages/testing/test/documents.test.ts' },
  'docs/EXTENDING.md': { diff: 'tools/extending.long.test.ts', sh: 'tools/extending.long.test.ts' },
  'docs/client-comparison.md': { ts: 'conformance/clientnode.test.ts' },
  'docs/gateways.md': { ts: 'conformance/gateways.test.ts' },
  'docs/running.md': { yaml: 'e2e/documented-blocks.test.ts' },
  'packages/testing/README.md': { ts: 'packages/testing/test/documents.test.ts' },
  'packages/wherry/README.md': { yaml: 'e2e/documented-blocks.test.ts' },
};

const everywhere = [
  ...['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'packages/*/README.md'],
  ...['examples/*/README.md', 'bench/**/README.md'],
];
const documents = everywhere.flatMap((pattern) => globSync(pattern, { cwd: repository })).sort();
/** Programs of packages' READMEs are compiled by e2e/documented-types.long.test.ts where no example is the same. */
const isCompiled = (document: string, language: string) =>
  language === 'ts' && document.startsWith('packages/');

test('every block of code in the documents is run, or says why not', () => {
  const unexplained = documents.flatMap((document) =>
    blocksOf(document)
      .filter(({ notRun }) => notRun === undefined)
      .filter(({ language }) => !runs[document]?.[language] && !isCompiled(document, language))
      .filter((block) => !isExample(document, block))
      .map(({ line, text }) => `${document}:${line}: ${text.split('\n')[0]}`),
  );
  assert.deepEqual(unexplained, []);
});

test('what is said to run a document names it', () => {
  for (const [document, languages] of Object.entries(runs)) {
    for (const file of new Set(Object.values(languages)))
      assert.ok(readDocument(file).includes(basename(document)), `${file} does not name ${document}`);
  }
});

test('the files of nodes that the documents show are read', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-blocks-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const shown = ['docs/running.md', 'packages/wherry/README.md'].flatMap((document) =>
    blocksOf(document).filter(({ language, notRun }) => language === 'yaml' && notRun === undefined),
  );
  assert.ok(shown.length > 1);
  for (const { text } of shown) {
    const path = join(folder, 'node.yaml');
    writeFileSync(path, text);
    assert.ok(readNodeFile(path).length > 0);
  }
});
