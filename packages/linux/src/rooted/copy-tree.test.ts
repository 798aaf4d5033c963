import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { deviceNumbers, makeNode, setXattr } from '../filesystem/file-attributes.ts';
import { copyTree } from './copy-tree.ts';
import { OpenFolder } from './open-folder.ts';

const place = mkdtempSync(join(tmpdir(), 'wherry-copy-tree-'));
after(() => rmSync(place, { recursive: true }));

test('a copy has the content, owners, modes, times, links and devices of what was copied', () => {
  const [source, target] = [join(place, 'source'), join(place, 'target')];
  for (const folder of [source, join(source, 'below'), target]) mkdirSync(folder);
  writeFileSync(join(source, 'below/file'), 'content');
  chownSync(join(source, 'below/file'), 7, 8);
  chmodSync(join(source, 'below/file'), 0o4751);
  setXattr(join(source, 'below/file'), 'trusted.mark', Buffer.from('kept'));
  utimesSync(join(source, 'below/file'), 1_000, 2_000);
  linkSync(join(source, 'below/file'), join(source, 'again'));
  symlinkSync('/nowhere', join(source, 'link'));
  makeNode(join(source, 'device'), { type: 'character', mode: 0o640, major: 300, minor: 70_000 });
  chmodSync(join(source, 'below'), 0o1777);
  chmodSync(source, 0o710);
  {
    using from = OpenFolder.at(source);
    using to = OpenFolder.at(target);
    copyTree(from, to);
  }
  const of = (path: string) => lstatSync(join(target, path));
  const file = of('below/file');
  assert.equal(readFileSync(join(target, 'below/file'), 'utf8'), 'content');
  assert.deepEqual([file.uid, file.gid, file.mode & 0o7777, file.mtimeMs], [7, 8, 0o4751, 2_000_000]);
  assert.equal(of('again').ino, file.ino);
  assert.equal(readlinkSync(join(target, 'link')), '/nowhere');
  assert.ok(of('device').isCharacterDevice());
  assert.deepEqual(deviceNumbers(of('device').rdev), { major: 300, minor: 70_000 });
  assert.deepEqual([of('below').mode & 0o7777, of('.').mode & 0o7777], [0o1777, 0o710]);
});
