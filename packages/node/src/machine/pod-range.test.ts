import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { RouteNetlink } from '@wherry/linux';
import { layoutOf } from '../layout/layout.ts';
import { choosePodCidr } from './host-network.ts';
import { claimPodRange, claimPodRanges, releasePodRange } from './pod-range.ts';
import { wantedPodRanges } from './wanted-pod-ranges.ts';

test('a pod network is taken by one node only, and the search ends when none is left', () => {
  const taken = new Set<string>();
  const isTaken = (range: string) => taken.has(range);
  const first = choosePodCidr(7, isTaken, []);
  taken.add(first);
  const second = choosePodCidr(7, isTaken, []);
  assert.notEqual(first, second);
  for (let third = 0; third < 256; third += 1) taken.add(`10.88.${third}.0/24`);
  assert.match(choosePodCidr(7, isTaken, []), /^10\.67\.7\.0\/24$/);
  for (let third = 0; third < 256; third += 1) taken.add(`10.67.${third}.0/24`);
  assert.throws(() => choosePodCidr(7, isTaken, []), /no free \/24 is left/);
});

test('a machine whose 10.88.0.0/16 is podman’s own network has ranges for pods elsewhere', () => {
  const podman = { device: 'cni-podman0', destination: 0x0a58_0000, mask: 0xffff_0000 };
  assert.equal(
    choosePodCidr(7, () => false, [podman]),
    '10.67.7.0/24',
  );
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

test('ranges that are asked for are a node’s as long as it is there, and overlap no other and no route', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-range-'));
  const [left, right] = ['left', 'right'].map((name) => {
    mkdirSync(join(folder, name));
    return layoutOf(join(folder, name));
  });
  assert.ok(left && right);
  context.after(() => {
    for (const layout of [left, right]) releasePodRange(layout);
    rmSync(folder, { recursive: true, force: true });
  });
  claimPodRanges(left, ['198.18.4.0/22', 'fd00:198:18::/64']);
  claimPodRanges(left, ['198.18.4.0/22', 'fd00:198:18::/64']);
  for (const range of ['198.18.6.0/24', '198.18.0.0/16', 'fd00:198:18:0:1::/80'])
    assert.throws(() => claimPodRanges(right, [range]), {
      code: 'no-pod-range',
      message: /the node in ".*left"/,
    });
  using netlink = new RouteNetlink();
  const route = netlink.routes().find(({ to }) => isIPv4(to.split('/')[0] ?? ''));
  assert.ok(route, 'the machine has no network');
  assert.throws(() => claimPodRanges(right, [route.to]), { code: 'no-pod-range', message: /a route to / });
  releasePodRange(left);
  claimPodRanges(right, ['198.18.6.0/24']);
});

test('ranges are written as networks, IPv4 first; what pods cannot have is refused by name', () => {
  assert.deepEqual(wantedPodRanges('10.1.2.3/24, fd00:0:0:5::7/64'), ['10.1.2.0/24', 'fd00:0:0:5::/64']);
  assert.deepEqual(wantedPodRanges('10.1.2.0/25'), ['10.1.2.0/25']);
  for (const bad of [
    'fd00::/64',
    'fd00::/64,10.1.0.0/16',
    '10.1.0.0/16,10.2.0.0/16',
    '10.1.0.0/30',
    'ten',
    '10.1.0.0/16,',
  ])
    assert.throws(() => wantedPodRanges(bad), { code: 'bad-settings' }, bad);
});
