import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { limits } from '../limits.ts';
import { CpuRates } from './cpu-rate.ts';
import { LayerUsage } from './layer-usage.ts';

const second = 1_000_000_000n;

test('half a core over a second is 500 million nanocores', () => {
  const rates = new CpuRates();
  assert.equal(rates.rate('c', 0, 0n), undefined);
  assert.equal(rates.rate('c', 500_000_000, second), 500_000_000);
});

test('readings too close together repeat the rate before', () => {
  const rates = new CpuRates();
  rates.rate('c', 0, 0n);
  rates.rate('c', 500_000_000, second);
  assert.equal(rates.rate('c', 500_000_001, second + 1n), 500_000_000);
});

test('a layer is measured at once, then from memory, and again behind the back when old', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-usage-'));
  try {
    const clock = new FakeClock();
    const layers = new LayerUsage(clock);
    writeFileSync(join(folder, 'a'), Buffer.alloc(8192, 1));
    assert.deepEqual(await figures(layers, folder), [8192, 1]);
    writeFileSync(join(folder, 'b'), Buffer.alloc(8192, 1));
    assert.deepEqual(await figures(layers, folder), [8192, 1]);
    clock.advance(limits.layerUsageAgeMs + 1);
    assert.deepEqual(await figures(layers, folder), [8192, 1]);
    while ((await figures(layers, folder))[1] === 1) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(await figures(layers, folder), [16384, 2]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function figures(layers: LayerUsage, folder: string): Promise<[number, number]> {
  const { bytes, inodes } = await layers.usage(folder);
  return [bytes, inodes];
}
