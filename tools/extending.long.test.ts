/** The examples of docs/EXTENDING.md, put into a copy of the tree: they fit, they pass, and the checks still hold. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/EXTENDING.md'), 'utf8');
let copy = '';

/** What stands in the page's blocks of one language, in order. */
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

/** Every installed package as it is, but our own, which are those of the copy. */
function linkPackages(): void {
  const installed = join(root, 'node_modules');
  const own = new Set(['@wherry', 'wherry']);
  mkdirSync(join(copy, 'node_modules/@wherry'), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (!own.has(name)) symlinkSync(join(installed, name), join(copy, 'node_modules', name));
  }
  for (const room of readdirSync(join(copy, 'packages'))) {
    const { name } = JSON.parse(readFileSync(join(copy, 'packages', room, 'package.json'), 'utf8'));
    const link = join(copy, 'node_modules', name);
    symlinkSync(relative(dirname(link), join(copy, 'packages', room)), link);
  }
}

async function inCopy(command: string): Promise<void> {
  const { NODE_TEST_CONTEXT: _, PATH: path, ...rest } = process.env;
  const environment = { ...rest, PATH: `${join(root, 'node_modules/.bin')}:${path}` };
  try {
    await run('sh', ['-ec', command], { cwd: copy, env: environment, maxBuffer: 64 << 20 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command}\n${stdout.slice(-4000)}\n${stderr.slice(-4000)}`);
  }
}

before(() => {
  copy = mkdtempSync(join(tmpdir(), 'wherry-extended-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached'], { cwd: root, encoding: 'utf8' });
  for (const path of files.split('\0')) if (path) cpSync(join(root, path), join(copy, path));
  linkPackages();
  for (const diff of blocks('diff')) execFileSync('git', ['apply', '-'], { cwd: copy, input: diff });
});
after(() => rmSync(copy, { recursive: true, force: true }));

for (const commands of blocks('sh')) {
  const title = commands.trim().split('\n').at(-1) ?? '';
  test(`an example passes: ${title}`, () => inCopy(commands));
}

test('with all examples in place the tree has its types, its style and its floors', async () => {
  await inCopy('tsc --noEmit -p .');
  await inCopy('biome check packages');
  await inCopy('node tools/floors.ts');
});
