import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { keptBundle } from './kept-bundle.ts';

const lean = fileURLToPath(new URL('../../../bin/lean.cjs', import.meta.url));
const main = `import { createServer, type Server } from 'node:http';
import { Worker } from 'node:worker_threads';
import { beside } from './inner/beside.ts';
const server: Server = createServer();
const loaded = (process as unknown as { moduleLoadList: string[] }).moduleLoadList;
new Worker(new URL('./inner/count-thread.ts', import.meta.url)).once('message', (counted: number) => {
  console.log(JSON.stringify({ served: typeof server.listen, beside, counted, loaded }));
});
`;
const beside = `import words from './words.json' with { type: 'json' };\nexport const beside: string = words.beside;\n`;
const thread = `import { parentPort } from 'node:worker_threads';
const answer: number = 42;
parentPort!.postMessage(answer);
`;

describe('the bundle of a program', () => {
  let folder = '';
  let made = 0;
  const inner = () => join(folder, 'packages/part/src/inner');
  const cache = () => join(folder, 'cache');
  const make = () =>
    keptBundle({
      program: join(folder, 'packages/part/src/main.ts'),
      packages: join(folder, 'packages'),
      lockfile: join(folder, 'package-lock.json'),
      cache: cache(),
      onMake() {
        made += 1;
      },
    });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-bundle-'));
    made = 0;
    mkdirSync(inner(), { recursive: true });
    mkdirSync(cache());
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    writeFileSync(join(inner(), '../main.ts'), main);
    writeFileSync(join(inner(), 'beside.ts'), beside);
    writeFileSync(join(inner(), 'words.json'), '{"beside":"here"}');
    writeFileSync(join(inner(), 'count-thread.ts'), thread);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('runs with its threads and what lies beside its modules, without parser and unused HTTP client', async () => {
    const program = (await make())!;
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    const answer = execFileSync(process.execPath, ['--require', lean, program], { env, encoding: 'utf8' });
    const { loaded, ...said } = JSON.parse(answer);
    assert.deepEqual(said, { served: 'function', beside: 'here', counted: 42 });
    assert.deepEqual(
      loaded.filter((name: string) => /(amaro|undici)\b/.test(name)),
      [],
    );
  });

  it('is made once for a state of the sources, also by several starts at once', async () => {
    const [first, second] = await Promise.all([make(), make()]);
    assert.equal(first, second);
    writeFileSync(first!, 'kept');
    made = 0;
    assert.equal(await make(), first);
    assert.equal(made, 0);
    assert.equal(readFileSync(first!, 'utf8'), 'kept');
    const [folder, note] = readdirSync(cache()).sort((one, other) => one.length - other.length);
    assert.equal(folder, basename(dirname(first!)));
    assert.match(note!, /\.json$/);
    assert.equal(readdirSync(cache()).length, 2);
  });

  it('is another one after a module or the installed packages have changed', async () => {
    const programs = [await make()];
    writeFileSync(join(inner(), 'beside.ts'), `${beside}// longer\n`);
    programs.push(await make());
    writeFileSync(join(folder, 'package-lock.json'), '{ }');
    programs.push(await make());
    assert.equal(new Set(programs).size, 3);
    assert.equal(made, 3);
  });

  it('stays when a module has changed that is not in it', async () => {
    const first = await make();
    writeFileSync(join(inner(), 'another.ts'), 'export const another = 1;\n');
    assert.equal(await make(), first);
  });

  it('finds what lies beside its modules where these lie', async () => {
    const shown = `new URL('./words.json', import.meta.url).pathname`;
    writeFileSync(join(inner(), 'beside.ts'), `export const beside = ${shown};\n`);
    const answer = execFileSync(process.execPath, [(await make())!], { encoding: 'utf8' });
    assert.equal(JSON.parse(answer).beside, join(inner(), 'words.json'));
  });

  it('is not made of a module that asks for more than its URL', async () => {
    writeFileSync(join(inner(), 'beside.ts'), `export const beside = import.meta.dirname;\n`);
    await assert.rejects(make(), /beside\.ts: in a bundle import\.meta has no more than a URL/);
    assert.deepEqual(readdirSync(cache()), []);
  });

  it('is none where its folder takes no files', async () => {
    rmSync(cache(), { recursive: true });
    writeFileSync(cache(), '');
    assert.equal(await make(), undefined);
  });

  it('goes when no start has used it for a month', async () => {
    const first = (await make())!;
    const long = new Date(Date.now() - 31 * 24 * 3_600_000);
    utimesSync(dirname(first), long, long);
    writeFileSync(join(inner(), 'beside.ts'), `${beside}// longer\n`);
    const second = (await make())!;
    assert.deepEqual([existsSync(first), existsSync(second)], [false, true]);
  });
});
