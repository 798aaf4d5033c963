import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { needRoot } from '../../../linux/test/needs.ts';
import { mountOverlay, unmountOverlay } from './overlay.ts';

function makeLayers(layersRoot: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const key = `${at}`.padStart(16, '0');
    mkdirSync(join(layersRoot, key, 'd'), { recursive: true });
    writeFileSync(join(layersRoot, key, 'd', `file${at}`), '');
    return key;
  });
}

test('128 layers mount as one, also from a folder that is gone', () => {
  needRoot();
  const folder = mkdtempSync(join(tmpdir(), 'wherry-overlay-'));
  const home = process.cwd();
  const gone = join(folder, 'gone');
  try {
    const layerKeys = makeLayers(join(folder, 'layers'), 128);
    mkdirSync(gone);
    process.chdir(gone);
    rmdirSync(gone);
    const root = mountOverlay({
      layersRoot: join(folder, 'layers'),
      layerKeys,
      folder: join(folder, 'container'),
    });
    assert.ok(existsSync(join(root, 'file0')) && existsSync(join(root, 'file127')));
    unmountOverlay(join(folder, 'container'));
    assert.ok(!existsSync(join(root, 'file0')));
  } finally {
    process.chdir(home);
    unmountOverlay(join(folder, 'container'));
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an image without layers is refused', () => {
  const request = { layersRoot: '/nowhere', layerKeys: [], folder: '/nowhere' };
  assert.throws(() => mountOverlay(request), { code: 'INVALID_ARGUMENT' });
});
