import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getXattr, makeNode, setXattr } from '@wherry/linux';
import { defaultUnpackBounds } from '../layers/layer-meter.ts';
import { unpackLayer } from '../layers/unpack.ts';
import { packLayer } from './tree-tar.ts';

const folder = mkdtempSync(join(tmpdir(), 'tree-tar-'));
const upper = join(folder, 'upper');
const tar = join(folder, 'layer.tar');
const capability = Buffer.from('0100000200040000000000000000000000000000', 'hex');
const long = 'long'.repeat(60);

before(async () => {
  mkdirSync(join(upper, 'opaque'), { recursive: true });
  writeFileSync(join(upper, 'opaque/inside'), 'inside');
  setXattr(join(upper, 'opaque'), 'trusted.overlay.opaque', Buffer.from('y'));
  makeNode(join(upper, 'gone'), { type: 'character', mode: 0 });
  makeNode(join(upper, 'opaque/gone'), { type: 'character', mode: 0 });
  makeNode(join(upper, 'null'), { type: 'character', mode: 0o666, major: 1, minor: 3 });
  writeFileSync(join(upper, 'able'), 'able');
  setXattr(join(upper, 'able'), 'security.capability', capability);
  setXattr(join(upper, 'able'), 'trusted.overlay.origin', Buffer.from('x'));
  writeFileSync(join(upper, long), 'long');
  setXattr(join(upper, long), 'user.word', Buffer.from('höhö'));
  linkSync(join(upper, long), join(upper, 'linked'));
  symlinkSync('/etc/passwd', join(upper, 'symbolic'));
  writeFileSync(join(upper, 'far'), 'far');
  chownSync(join(upper, 'far'), 1_000_000, 2_000_000);
  chownSync(join(upper, 'opaque'), 1_000_001, 1_000_001);
  await writeFile(tar, packLayer(upper));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('what an overlay hides is whiteouts in its layer, and comes back as an overlay needs it', async () => {
  const target = join(folder, 'target');
  mkdirSync(target);
  const source = { path: tar, offset: 0, length: statSync(tar).size };
  await unpackLayer({ source, folder: target, parents: [], bounds: defaultUnpackBounds });
  for (const gone of ['gone', 'opaque/gone']) {
    const status = lstatSync(join(target, gone));
    assert.ok(status.isCharacterDevice() && status.rdev === 0, gone);
  }
  assert.equal(lstatSync(join(target, 'null')).rdev, lstatSync('/dev/null').rdev);
  assert.equal(getXattr(join(target, 'opaque'), 'trusted.overlay.opaque')?.toString(), 'y');
  assert.equal(readFileSync(join(target, 'opaque/inside'), 'utf8'), 'inside');
  assert.deepEqual(getXattr(join(target, 'able'), 'security.capability'), capability);
  assert.equal(getXattr(join(target, 'able'), 'trusted.overlay.origin'), null);
  assert.equal(getXattr(join(target, long), 'user.word')?.toString(), 'höhö');
  assert.equal(lstatSync(join(target, 'linked')).ino, lstatSync(join(target, long)).ino);
  const { uid, gid } = lstatSync(join(target, 'far'));
  assert.deepEqual([uid, gid, lstatSync(join(target, 'opaque')).uid], [1_000_000, 2_000_000, 1_000_001]);
});

test('GNU tar reads such a layer', () => {
  const { stdout, stderr } = spawnSync('tar', ['--xattrs', '--xattrs-include=*', '-tvvf', tar], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  for (const line of [
    /\.wh\.gone$/m,
    /opaque\/\.wh\.\.wh\.\.opq$/m,
    / 1000000\/2000000 .* far$/m,
    /symbolic -> \/etc\/passwd$/m,
  ])
    assert.match(stdout, line);
  assert.ok(stdout.includes(long));
  assert.match(stdout, /security\.capability/);
});
