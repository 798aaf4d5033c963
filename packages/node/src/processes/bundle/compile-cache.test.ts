import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { limits } from '../../limits.ts';
import { compileCacheFolder } from './compile-cache.ts';

describe('the folder of compiled modules', () => {
  let cacheHome = '';
  beforeEach(() => {
    cacheHome = mkdtempSync(join(tmpdir(), 'wherry-compiled-'));
  });
  afterEach(() => rmSync(cacheHome, { recursive: true }));

  it('is made for its user alone, and found again', () => {
    const folder = compileCacheFolder({ cacheHome })!;
    assert.ok(folder.startsWith(join(cacheHome, 'wherry/')));
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(compileCacheFolder({ cacheHome }), folder);
  });

  it('is not used where others can write, where another user owns it, or where a link leads', () => {
    const folder = compileCacheFolder({ cacheHome })!;
    chmodSync(folder, 0o770);
    assert.equal(compileCacheFolder({ cacheHome }), undefined);
    chmodSync(folder, 0o700);
    chmodSync(dirname(folder), 0o777);
    assert.equal(compileCacheFolder({ cacheHome }), undefined);
    chmodSync(dirname(folder), 0o700);
    assert.equal(compileCacheFolder({ cacheHome, uid: process.geteuid!() + 1 }), undefined);
    assert.equal(compileCacheFolder({ cacheHome }), folder);
    rmSync(folder, { recursive: true });
    symlinkSync(cacheHome, folder);
    assert.equal(compileCacheFolder({ cacheHome }), undefined);
  });

  it('is done without where it cannot be made', () => {
    assert.equal(compileCacheFolder({ cacheHome: '/dev/null' }), undefined);
  });

  it('does not outlive its installation for long', () => {
    const [fresh, stale] = [join(cacheHome, 'wherry/fresh'), join(cacheHome, 'wherry/stale')];
    for (const path of [fresh, stale]) mkdirSync(path, { recursive: true });
    const seconds = (Date.now() - limits.compiledUnusedMs - 60_000) / 1000;
    utimesSync(stale, seconds, seconds);
    compileCacheFolder({ cacheHome });
    const left = readdirSync(join(cacheHome, 'wherry'));
    assert.equal(left.length, 2);
    assert.ok(left.includes('fresh'));
  });
});
