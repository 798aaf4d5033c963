import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { environmentFileBytesMax } from '../../limits.ts';
import { readEnvironmentFile } from './read-environment-file.ts';

const outside = mkdtempSync(join(tmpdir(), 'wherry-environment-file-'));
const volume = join(outside, 'volume');
mkdirSync(join(volume, 'below'), { recursive: true });
after(() => rmSync(outside, { recursive: true }));

test('a file below the volume is read, by links that stay inside as well', async () => {
  writeFileSync(join(volume, 'below/file'), "A='1'\n");
  symlinkSync('/below/file', join(volume, 'link'));
  for (const path of ['below/file', 'link', '/below/file'])
    assert.equal(await readEnvironmentFile(volume, path), "A='1'\n");
  for (const path of ['none', 'below/file/none'])
    assert.equal(await readEnvironmentFile(volume, path), undefined);
});

test('nothing outside of the volume is read, whatever a container puts there', async () => {
  writeFileSync(join(outside, 'secret'), "A='secret'\n");
  symlinkSync('../secret', join(volume, 'up'));
  symlinkSync(join(outside, 'secret'), join(volume, 'away'));
  for (const path of ['up', 'away', '../secret'])
    assert.equal(await readEnvironmentFile(volume, path), undefined);
  symlinkSync('/proc/self/root', join(volume, 'root'));
  assert.equal(await readEnvironmentFile(volume, `root${outside}/secret`), undefined);
});

test('a pipe, a folder and a file without end are refused, and hold nobody up', async () => {
  execFileSync('mkfifo', [join(volume, 'pipe')]);
  for (const path of ['pipe', 'below'])
    await assert.rejects(readEnvironmentFile(volume, path), new RegExp(`"${path}" is no file`));
  writeFileSync(join(volume, 'large'), 'x'.repeat(environmentFileBytesMax + 1));
  await assert.rejects(readEnvironmentFile(volume, 'large'), /"large" has 1048577 bytes/);
});
