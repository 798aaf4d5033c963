import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { layoutOf } from '../layout/layout.ts';
import { choosePodCidr } from './host-network.ts';
import { claimPodRange, releasePodRange } from './pod-range.ts';

test('a pod network is taken by one node only, and the search ends when none is left', () => {
  const taken = new Set<string>();
  const first = choosePodCidr(7, taken);
  taken.add(first);
  const second = choosePodCidr(7, taken);
  assert.notEqual(first, second);
  for (let third = 0; third < 256; third += 1) taken.add(`10.88.${third}.0/24`);
  assert.throws(() => choosePodCidr(7, taken), /no free \/24 is left/);
});

test('a range stays with the node that claimed it until its release, or until its folder is gone', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-range-'));
  const [left, right] = ['left', 'right'].map((name) => {
    mkdirSync(join(folder, name));
    // The same place to begin the search at, so that both want the same range.
    return { ...layoutOf(join(folder, name)), id: 'cafe' };
  });
  assert.ok(left && right);
  context.after(() => {
    for (const layout of [left, right]) releasePodRange(layout);
    rmSync(folder, { recursive: true, force: true });
  });
  const first = claimPodRange(left);
  assert.equal(claimPodRange(left), first);
  const second = claimPodRange(right);
  assert.notEqual(second, first);
  rmSync(left.dataDir, { recursive: true });
  releasePodRange(right);
  assert.equal(claimPodRange(right), first);
});
