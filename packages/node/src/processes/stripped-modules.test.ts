import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const strip = fileURLToPath(new URL('./strip-types.ts', import.meta.url));
const lean = fileURLToPath(new URL('../../bin/lean.cjs', import.meta.url));
const loaded = /(amaro|undici)\b/;
const source = `import { createServer, type Server } from 'node:http';
const server: Server = createServer();
console.log(JSON.stringify({ served: typeof server.listen, loaded: process.moduleLoadList }));
`;

describe('modules without their types', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-stripped-'));
    mkdirSync(join(folder, 'packages/part/src/inner'), { recursive: true });
    mkdirSync(join(folder, 'kept'));
    writeFileSync(join(folder, 'packages/part/src/inner/main.ts'), source);
    writeFileSync(join(folder, 'packages/part/src/main.test.ts'), source);
    writeFileSync(join(folder, 'kept/of-an-older-source'), '');
    stripAll();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function stripAll(): void {
    const words = [strip, join(folder, 'packages'), join(folder, 'kept/all')];
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...words]);
  }

  const kept = () => readdirSync(join(folder, 'kept')).filter((name) => name !== 'all');
  function run(): { served: string; loaded: string[] } {
    const main = join(folder, 'packages/part/src/inner/main.ts');
    const { NODE_COMPILE_CACHE: _, ...rest } = process.env;
    const env = { ...rest, WHERRY_STRIPPED_MODULES: join(folder, 'kept') };
    const answer = execFileSync(process.execPath, ['--require', lean, main], { env, encoding: 'utf8' });
    const { served, loaded: all } = JSON.parse(answer);
    return { served, loaded: all.filter((name: string) => loaded.test(name)) };
  }

  it('that another process has yet to finish stay there for it, and those of a process that is gone do not', () => {
    const [ofUs, ofNobody] = [`half.${process.pid}`, 'half.4194999'];
    for (const name of [ofUs, ofNobody]) writeFileSync(join(folder, 'kept', name), '');
    stripAll();
    assert.ok(kept().includes(ofUs));
    assert.ok(!kept().includes(ofNobody));
  });

  it('are kept for what a package ships, and nothing older beside them', () => {
    assert.equal(kept().length, 1);
    const [name = ''] = kept();
    assert.doesNotMatch(readFileSync(join(folder, 'kept', name), 'utf8'), /: Server/);
    assert.match(readFileSync(join(folder, 'kept', name), 'utf8'), /const server +=/);
  });

  it('are run without the TypeScript parser and the HTTP client that no part uses', () => {
    assert.deepEqual(run(), { served: 'function', loaded: [] });
  });

  it('are stripped by Node where one is cut short, missing, or of another source', () => {
    const [name = ''] = kept();
    truncateSync(join(folder, 'kept', name), 10);
    const { served, loaded: parser } = run();
    assert.equal(served, 'function');
    assert.match(parser.join(), /amaro/);
    rmSync(join(folder, 'kept', name));
    assert.equal(run().served, 'function');
  });
});
