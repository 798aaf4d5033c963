import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { programPath, usualOciRuntime } from '@wherry/linux';
import { temporaryFolder } from '../../test/bundle.ts';
import { SealedPrograms } from './sealed-programs.ts';

const { path: folder, remove } = temporaryFolder('sealed');
after(remove);
const installed = programPath(usualOciRuntime() ?? 'runc');

/** Asks until the answer is another one than `path`. */
async function sealedPathOf(programs: SealedPrograms, path: string): Promise<string> {
  for (;;) {
    const answer = programs.pathOf(path);
    if (answer !== path) return answer;
    await delay(5);
  }
}

async function tryProgram(path: string): Promise<number> {
  execFileSync(path, ['--version']);
  return 0;
}

/** What this process has open, a line each. */
const openFiles = () =>
  readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return ''; // Another thread has closed it meanwhile.
      }
    })
    .join('\n');

function script(name: string, prints: string): string {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, `#!/bin/sh\necho ${prints}\n`);
  chmodSync(`${path}.new`, 0o755);
  renameSync(`${path}.new`, path);
  return path;
}

test('the OCI runtime runs from a sealed copy in memory once there is one, which nobody can change', async () => {
  const programs = new SealedPrograms({ clock: new FakeClock(), tryProgram });
  const path = join(folder, 'runc');
  copyFileSync(installed, path);
  assert.equal(programs.pathOf(path), path);
  const sealed = await sealedPathOf(programs, path);
  assert.match(execFileSync(sealed, ['--version'], { encoding: 'utf8' }), /version/);
  const opened = openSync(sealed, 'r+');
  assert.throws(() => writeSync(opened, 'x'), { code: 'EPERM' });
  closeSync(opened);
  assert.match(openFiles(), /memfd:runc/);
  await programs.close();
  assert.doesNotMatch(openFiles(), /memfd/);
});

test('a program that was replaced runs from its own file until its copy is there', async () => {
  const programs = new SealedPrograms({ clock: new FakeClock(), tryProgram });
  const path = script('crun', 'one');
  const first = await sealedPathOf(programs, path);
  assert.equal(execFileSync(first, { encoding: 'utf8' }), 'one\n');
  script('crun', 'another');
  assert.equal(programs.pathOf(path), path);
  const second = await sealedPathOf(programs, path);
  assert.equal(execFileSync(second, { encoding: 'utf8' }), 'another\n');
  assert.equal(execFileSync(first, { encoding: 'utf8' }), 'one\n', 'a call may be about to run it');
  await programs.close();
  assert.doesNotMatch(openFiles(), /memfd/);
});

test('closing ends the trial of a copy that is being made, and leaves nothing of it', async () => {
  const began = Promise.withResolvers<void>();
  const tryForLong = async (_path: string, signal: AbortSignal) => {
    began.resolve();
    await once(signal, 'abort');
    return 137;
  };
  const programs = new SealedPrograms({ clock: new FakeClock(), tryProgram: tryForLong });
  const path = script('crun', 'one');
  programs.pathOf(path);
  await began.promise;
  assert.match(openFiles(), /memfd:crun/);
  await programs.close();
  assert.doesNotMatch(openFiles(), /memfd/);
  assert.equal(programs.pathOf(path), path);
});

test('other programs, and copies that do not run, are run from their own files', async () => {
  const tried: string[] = [];
  const refusing = async (path: string) => {
    tried.push(path);
    return 126;
  };
  const programs = new SealedPrograms({ clock: new FakeClock(), tryProgram: refusing });
  const [other, refused] = [script('another-runtime', 'one'), script('crun', 'one')];
  for (const path of [other, refused]) assert.equal(programs.pathOf(path), path);
  while (tried.length === 0) await delay(5);
  await delay(20);
  for (const path of [other, refused]) assert.equal(programs.pathOf(path), path);
  assert.equal(tried.length, 1);
  await programs.close();
});
