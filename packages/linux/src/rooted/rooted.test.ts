import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { needRoot } from '../../test/needs.ts';
import { swapping } from '../../test/swapping.ts';
import { hasCode } from '../errors.ts';
import { bindMount, unmount } from '../filesystem/mount.ts';
import { limits } from '../limits.ts';
import { cachedRealPath } from './cached-path.ts';
import { OpenFolder } from './open-folder.ts';
import { openInRoot } from './open-in-root.ts';
import { makePrivateFolder } from './private-folder.ts';

let outside = '';
let root = '';
let open: OpenFolder;

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'wherry-rooted-'));
  root = join(outside, 'root');
  mkdirSync(join(root, 'folder'), { recursive: true });
  writeFileSync(join(root, 'folder/file'), 'inside');
  mkdirSync(join(outside, 'folder'));
  writeFileSync(join(outside, 'folder/file'), 'outside');
  writeFileSync(join(outside, 'secret'), 'outside');
  open = OpenFolder.at(root);
});

afterEach(() => {
  open.close();
  rmSync(outside, { recursive: true, force: true });
});

function text(path: string, links: 'inside' | 'beneath' | 'refused'): string {
  const descriptor = open.open(path, { links });
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

test('links inside a root are read as a process chrooted there reads them', () => {
  symlinkSync('/folder', join(root, 'absolute'));
  symlinkSync('../../../folder/file', join(root, 'up'));
  assert.equal(text('absolute/file', 'inside'), 'inside');
  assert.equal(text('up', 'inside'), 'inside');
  assert.equal(text('../../folder/file', 'inside'), 'inside');
  symlinkSync(join(outside, 'secret'), join(root, 'escape'));
  assert.throws(() => text('escape', 'inside'), { code: 'ENOENT' });
});

test('beneath refuses what leads out, refused refuses every link', () => {
  symlinkSync('folder', join(root, 'plain'));
  symlinkSync('/folder', join(root, 'absolute'));
  symlinkSync('../secret', join(root, 'up'));
  assert.equal(text('plain/file', 'beneath'), 'inside');
  for (const path of ['absolute/file', 'up', '../secret', '/folder/file'])
    assert.throws(() => text(path, 'beneath'), { code: 'EXDEV' }, path);
  assert.equal(text('folder/file', 'refused'), 'inside');
  for (const path of ['plain/file', 'absolute', 'up'])
    assert.throws(() => text(path, 'refused'), { code: 'ELOOP' }, path);
  assert.throws(() => text('../secret', 'refused'), { code: 'EXDEV' });
});

test("the jumping links of /proc are refused in a root that holds the machine's /proc", () => {
  using machine = OpenFolder.at('/proc');
  for (const links of ['inside', 'beneath', 'refused'] as const)
    assert.throws(() => openInRoot(machine.descriptor, 'self/root/etc/hostname', { links }), {
      code: 'ELOOP',
    });
});

test('a NUL in a path is refused, not cut off', () => {
  assert.throws(() => open.open('folder/file\0x'), { code: 'EINVAL' });
});

test('names that are no UTF-8 are opened by their bytes', () => {
  const name = Buffer.from([0x66, 0xff, 0xfe]);
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), 'bytes');
  const descriptor = open.open(name);
  assert.equal(readFileSync(descriptor, 'utf8'), 'bytes');
  closeSync(descriptor);
});

test('stat tells what a link is, not where it leads, and undefined for what is absent', () => {
  symlinkSync('folder', join(root, 'link'));
  for (const links of ['inside', 'beneath', 'refused'] as const)
    assert.ok(open.stat('link', { links })?.isSymbolicLink(), links);
  assert.ok(open.stat('folder')?.isDirectory());
  assert.equal(open.stat('nothing'), undefined);
  assert.equal(open.stat('folder/file/below'), undefined);
});

test('an entry is one name in this folder, wherever the folder has gone', () => {
  using folder = open.folder('folder');
  renameSync(join(root, 'folder'), join(root, 'moved'));
  symlinkSync(join(outside, 'folder'), join(root, 'folder'));
  writeFileSync(folder.entry('new'), '', { flag: 'wx' });
  assert.ok(existsSync(join(root, 'moved/new')) && !existsSync(join(outside, 'folder/new')));
  for (const name of ['', '.', '..', 'a/b', '/etc', 'a\0b'])
    assert.throws(() => folder.entry(name), { code: 'EINVAL' }, JSON.stringify(name));
});

test('missing folders are made with exact mode and owner, existing ones keep theirs', () => {
  needRoot();
  const before = process.umask(0o077);
  try {
    open.makeFolders('folder/a/b', { mode: 0o2775, owner: { uid: 12, gid: 34 } }).close();
  } finally {
    process.umask(before);
  }
  for (const path of ['folder/a', 'folder/a/b']) {
    const { mode, uid, gid } = statSync(join(root, path));
    assert.deepEqual([mode & 0o7777, uid, gid], [0o2775, 12, 34]);
  }
  assert.equal(statSync(join(root, 'folder')).uid, 0);
});

test('folders are not made through links that lead out, files or ".."', () => {
  symlinkSync(outside, join(root, 'away'));
  symlinkSync('nowhere', join(root, 'dangling'));
  assert.throws(() => open.makeFolders('away/x', { links: 'beneath' }), { code: 'EXDEV' });
  assert.throws(() => open.makeFolders('away/x', { links: 'refused' }), { code: 'ELOOP' });
  assert.throws(() => open.makeFolders('dangling/x'), { code: 'ELOOP' });
  assert.throws(() => open.makeFolders('folder/file/x'), { code: 'ENOTDIR' });
  assert.throws(() => open.makeFolders('folder/missing/../x'), { code: 'EINVAL' });
  assert.deepEqual(readdirSync(outside).sort(), ['folder', 'root', 'secret']);
});

test('a private folder lets nobody else in, nor do its new parents, and one that was open is closed', () => {
  makePrivateFolder(join(root, 'a/b'));
  mkdirSync(join(root, 'open'));
  chmodSync(join(root, 'open'), 0o1777);
  makePrivateFolder(join(root, 'open'));
  for (const path of ['a', 'a/b', 'open']) assert.equal(statSync(join(root, path)).mode & 0o777, 0o700, path);
});

test('the kernel knows the real path of what was just used, and nothing of what is absent', (context) => {
  // An overlay over a file system of another machine has to ask it each time.
  if (cachedRealPath(tmpdir()) === undefined) {
    context.skip(`this kernel keeps no path to ${tmpdir()}`);
    return;
  }
  const path = join(root, 'folder/../folder/file');
  assert.equal(cachedRealPath(path), realpathSync(path));
  assert.equal(cachedRealPath(join(root, 'absent')), undefined);
});

test('setMode changes a file and refuses a link', () => {
  symlinkSync('../secret', join(root, 'link'));
  assert.throws(() => open.setMode('link', 0o777), { code: 'ELOOP' });
  open.setMode('folder', 0o700);
  assert.equal(statSync(join(root, 'folder')).mode & 0o777, 0o700);
});

test('removal takes links, odd names and deep trees, and nothing outside', () => {
  symlinkSync(outside, join(root, 'folder/away'));
  writeFileSync(Buffer.concat([Buffer.from(`${root}/folder/`), Buffer.from([0xff])]), '');
  // Deeper than a path can say (PATH_MAX), as a process can make it step by step.
  const deep = "import os\nfor i in range(3000):\n os.mkdir('d'); os.chdir('d')\nopen('end','w')";
  execFileSync('python3', ['-c', deep], { cwd: join(root, 'folder') });
  open.remove('folder');
  open.remove('never-there');
  assert.deepEqual(readdirSync(root), []);
  assert.deepEqual(readdirSync(outside).sort(), ['folder', 'root', 'secret']);
});

test('removal stops at what is mounted inside', () => {
  needRoot();
  mkdirSync(join(root, 'folder/mounted'));
  bindMount(join(outside, 'folder'), join(root, 'folder/mounted'));
  try {
    assert.throws(() => open.remove('folder'), { code: 'EXDEV' });
  } finally {
    unmount(join(root, 'folder/mounted'));
  }
  assert.equal(readFileSync(join(outside, 'folder/file'), 'utf8'), 'outside');
});

test('removal in turns takes the same, and lets the event loop go on meanwhile', async () => {
  const files = 5 * limits.removalsPerTurn;
  symlinkSync(outside, join(root, 'folder/away'));
  for (let at = 0; at < files; at++) writeFileSync(join(root, 'folder', `file-${at}`), '');
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  count();
  await open.removeInTurns('folder');
  isDone = true;
  assert.ok(turns >= 5, `${turns} turns`);
  assert.deepEqual(readdirSync(root), []);
  assert.deepEqual(readdirSync(outside).sort(), ['folder', 'root', 'secret']);
});

test('a link that is swapped in again and again never leads out', async () => {
  const seen = { inside: 0, refused: 0 };
  const attempt = (work: () => void) => {
    try {
      work();
      seen.inside++;
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'EXDEV', 'ELOOP', 'EEXIST', 'ENOTDIR', 'EAGAIN', 'ENOTEMPTY'))
        throw error;
      seen.refused++;
    }
  };
  await using _swaps = await swapping(join(root, 'folder'), outside);
  for (let round = 0; round < 400; round++) {
    for (const links of ['inside', 'beneath', 'refused'] as const) {
      attempt(() => assert.equal(text('folder/file', links), 'inside'));
      attempt(() => open.makeFolders(`folder/made/${round % 7}`, { links }).close());
      attempt(() => {
        using folder = open.folder('folder', { links });
        closeSync(
          folder.open('written', { flags: constants.O_CREAT | constants.O_WRONLY, mode: 0o600, links }),
        );
        folder.remove('made');
      });
    }
  }
  assert.ok(seen.inside > 0 && seen.refused > 0, JSON.stringify(seen));
  assert.deepEqual(
    readdirSync(outside).sort(),
    ['folder', 'root', 'secret'],
    'nothing was made or removed outside the root',
  );
  assert.equal(lstatSync(join(outside, 'folder/file')).size, 'outside'.length);
});
