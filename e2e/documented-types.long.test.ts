/** The programs that the packages' READMEs show have the types of the packages as they are. */

import assert from 'node:assert/strict';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { run } from './command.ts';
import { blocksOf } from './documented-blocks.ts';
import { repository } from './documented-tests.ts';

const root = repository.pathname;
const timeoutMs = 600_000;

test('the programs of the packages’ READMEs compile', async (context) => {
  const folder = mkdtempSync(join(root, 'node_modules/.documented-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const files = globSync('packages/*/README.md', { cwd: root }).flatMap((document) =>
    blocksOf(document)
      .filter(({ language }) => language === 'ts')
      .map(({ text, line }) => {
        const name = `${basename(dirname(document))}-${line}.ts`;
        writeFileSync(join(folder, name), `${text}\nexport {};\n`);
        return name;
      }),
  );
  const compilerOptions = { incremental: false, noUnusedLocals: false, noUnusedParameters: false };
  const config = { extends: '../../tsconfig.json', compilerOptions, include: [], files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { code, stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { timeoutMs });
  assert.equal(code, 0, stdout);
});
