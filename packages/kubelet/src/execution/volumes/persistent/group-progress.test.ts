import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { container, pod } from '../../../../test/builders.ts';
import type { VolumeHost } from '../volume-plugin.ts';
import { tellProgress } from './group-progress.ts';

test('a pod is told that its volume takes long to be given to its fsGroup, then each minute how far that is', () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const host = {
    clock,
    warn: (_pod: unknown, reason: string, message: string) => told.push(`${reason}: ${message}`),
  } as unknown as VolumeHost;
  const waiting = pod({ containers: [container('a')] });
  const progress = { files: 0 };
  const folder = `/node/pods/${waiting.metadata.uid}/volumes/data`;
  {
    using _telling = tellProgress({ pod: waiting, host }, folder, progress);
    clock.advance(29_999);
    assert.equal(told.length, 0);
    clock.advance(1);
    progress.files = 7;
    clock.advance(60_000);
    progress.files = 9;
    clock.advance(60_000);
  }
  clock.advance(600_000);
  const head = `VolumePermissionChangeInProgress: Setting volume ownership for ${waiting.metadata.uid}/volumes/data`;
  const [first, ...others] = [...told];
  assert.match(
    first ?? '',
    new RegExp(`^${head} is taking longer than expected, consider using OnRootMismatch`),
  );
  assert.deepEqual(others, [`${head}, processed 7 files.`, `${head}, processed 9 files.`]);
});
