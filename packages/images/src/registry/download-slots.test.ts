import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { limits } from '../limits.ts';
import { DownloadSlots } from './download-slots.ts';

test('registries that trickle hold nobody else up, and what moves keeps its place', async () => {
  const clock = new FakeClock();
  const slots = new DownloadSlots(clock);
  const { promise: end, resolve: finish } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const tell: ((bytes: number) => void)[] = [];
  const download = (registry: string) =>
    slots.run(registry, async (received) => {
      begun.push(registry);
      tell.push(received);
      await end;
    });
  const all = ['slow', 'slower'].flatMap((registry) =>
    Array.from({ length: limits.downloadsPerRegistryMax + 1 }, () => download(registry)),
  );
  all.push(download('honest'));
  await soon();
  assert.equal(begun.length, limits.downloadsMax);
  for (const received of tell.slice(1)) received(limits.slowDownloadBytes);
  clock.advance(limits.slowDownloadMs);
  await soon();
  assert.deepEqual(begun.slice(limits.downloadsMax), ['honest'], 'one has hardly moved');
  clock.advance(limits.slowDownloadMs);
  await soon();
  assert.equal(begun.length, limits.downloadsMax + 1, 'a registry has no more than before');
  finish();
  await Promise.all(all);
  assert.equal(begun.length, all.length);
});
