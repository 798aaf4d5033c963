import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { extract, pack } from 'tar-stream';
import { Unpacking } from './unpacking.ts';

/** What comes of an archive with these files, below `work`, in a folder that has links of somebody else's repository. */
async function unpack(context: TestContext, names: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-unpacking-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const [target, outside] = [join(folder, 'target'), join(folder, 'outside')];
  mkdirSync(join(target, 'own'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, 'precious'), 'old');
  symlinkSync(outside, join(target, 'away'));
  symlinkSync(join(outside, 'precious'), join(target, 'own', 'file'));
  symlinkSync('/nowhere', join(target, 'dangling'));
  symlinkSync('own', join(target, 'inside'));
  const archive = pack();
  for (const name of names) archive.entry({ name: `work/${name}` }, 'new');
  archive.finalize();
  const unpacking = new Unpacking(target, 'work', {});
  const into = extract();
  archive.pipe(into);
  await unpacking.run(into);
  return { target, outside, warnings: unpacking.warnings };
}

test('no link of the destination leads what a container sends out of it', async (context) => {
  const names = ['away/precious', 'away/deep/er/new', 'dangling/new', '../outside/precious', 'own/file'];
  const { target, outside, warnings } = await unpack(context, names);
  assert.equal(readFileSync(join(outside, 'precious'), 'utf8'), 'old');
  assert.equal(existsSync(join(outside, 'deep')), false);
  assert.equal(readFileSync(join(target, 'own', 'file'), 'utf8'), 'new');
  const said = (name: string) => `warning: file "work/${name}" is outside target destination, skipping`;
  assert.deepEqual(warnings, names.slice(0, 4).map(said));
});

test('a link that stays inside of the destination is followed', async (context) => {
  const { target, warnings } = await unpack(context, ['inside/a', 'new/b']);
  assert.deepEqual(warnings, []);
  assert.equal(readFileSync(join(target, 'own', 'a'), 'utf8'), 'new');
  assert.equal(readFileSync(join(target, 'new', 'b'), 'utf8'), 'new');
});
