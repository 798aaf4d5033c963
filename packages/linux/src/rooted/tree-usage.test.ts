import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { swapping } from '../../test/swapping.ts';
import { measureTree } from './tree-usage.ts';

let place: string;
before(() => {
  place = mkdtempSync(join(tmpdir(), 'wherry-usage-'));
});
after(() => rmSync(place, { recursive: true, force: true }));

test('deep folders and odd names are measured', async () => {
  const upper = join(place, 'deep');
  mkdirSync(upper);
  const make = [
    'import os',
    "open(b'odd\\xff\\xfe', 'w').write('x' * 5000)",
    "for i in range(400): os.mkdir('directory-with-a-name'); os.chdir('directory-with-a-name')",
  ];
  execFileSync('python3', ['-c', make.join('\n')], { cwd: upper });
  const { inodes, bytes } = await measureTree(upper);
  assert.equal(inodes, 401);
  // A folder in memory takes no block.
  const folderBytes = statSync(upper).blocks * 512;
  assert.ok(bytes >= 400 * folderBytes + 5000, `${bytes} bytes, ${folderBytes} a folder`);
});

test('a file of several names counts once', async () => {
  const folder = join(place, 'linked');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a'), Buffer.alloc(1 << 20, 1));
  for (let at = 0; at < 10; at++) linkSync(join(folder, 'a'), join(folder, `link-${at}`));
  const { inodes, bytes } = await measureTree(folder);
  assert.equal(inodes, 1);
  assert.ok(bytes < 2 << 20, `${bytes} bytes`);
});

test('a folder that is swapped for a link does not have the machine measured', async () => {
  const upper = join(place, 'swapped');
  const outside = join(place, 'outside');
  for (const folder of [upper, join(upper, 'folder'), outside]) mkdirSync(folder);
  for (let at = 0; at < 50; at++) writeFileSync(join(outside, `${at}`), '');
  await using swaps = await swapping(join(upper, 'folder'), outside);
  for (let round = 0; round < 500; round++) {
    const { inodes } = await measureTree(upper);
    assert.ok(inodes <= 3, `${inodes} inodes where there are two at most at a time`);
  }
  assert.ok(swaps.isRunning);
});
