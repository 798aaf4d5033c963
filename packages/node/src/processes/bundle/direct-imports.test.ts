import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { DirectImports } from './direct-imports.ts';

const packages = mkdtempSync(join(tmpdir(), 'wherry-direct-'));
after(() => rmSync(packages, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(packages, path)), { recursive: true });
  writeFileSync(join(packages, path), text);
};
write(
  'part/package.json',
  '{"exports":{".":{"browser":"./src/page.ts","default":"./src/index.ts"},"./more":"./src/more.ts"}}',
);
write(
  'part/src/index.ts',
  `export { far } from '@wherry/other';
export { type A, near, inner as outer } from './near.ts';
export * from './all.ts';
export type * from './types.ts';
`,
);
write(
  'part/src/near.ts',
  'export interface A {}\nexport const near = 1;\nexport async function inner() {}\n',
);
write('part/src/all.ts', "export class Both {}\nexport * from './deep/deep.ts';\n");
write('part/src/deep/deep.ts', 'export function deep() {}\n');
write('part/src/more.ts', 'export const more = 1;\n');

const at = (path: string) => JSON.stringify(join(packages, 'part/src', path));

test('names come from the modules that they stand in, under the names that they have there', () => {
  const read: string[] = [];
  const direct = new DirectImports(packages, (path) => read.push(path));
  const source = `import {
  type A,
  Both,
  deep as below,
  outer,
} from '@wherry/part';
import { more } from '@wherry/part/more';
const line = 7;
`;
  const rewritten = direct.rewrite(source);
  assert.equal(
    rewritten.split('\n')[0],
    `import { Both as Both } from ${at('all.ts')}; import { deep as below } from ${at('deep/deep.ts')}; ` +
      `import { inner as outer } from ${at('near.ts')};`,
  );
  assert.equal(rewritten.split('\n')[6], `import { more as more } from ${at('more.ts')};`);
  assert.equal(
    rewritten.split('\n').indexOf('const line = 7;'),
    source.split('\n').indexOf('const line = 7;'),
  );
  assert.ok(read.includes(join(packages, 'part/src/index.ts')));
});

test('what nobody of the workspace declares is imported as it was', () => {
  const direct = new DirectImports(packages);
  assert.equal(
    direct.rewrite("import { far, near } from '@wherry/part';\n"),
    `import { far as far } from "@wherry/part"; import { near as near } from ${at('near.ts')};\n`,
  );
  for (const source of [
    "import { x } from '@wherry/nobody';\n",
    "import { x } from 'yaml';\n",
    "import type { A } from '@wherry/part';\n",
    "import { readFileSync } from 'node:fs';\n",
  ])
    assert.equal(direct.rewrite(source), source);
});
