import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { closeDescriptor, openPipe } from '@wherry/linux';
import { PipeSource } from './output-source.ts';

test('a pipe that ended before anybody listened tells its end at once', { timeout: 5_000 }, async () => {
  const { readDescriptor, writeDescriptor } = openPipe();
  const source = new PipeSource(readDescriptor);
  closeDescriptor(writeDescriptor);
  await delay(20);
  await new Promise<void>((resolve) => {
    source.start({ data: () => assert.fail('nothing was written'), end: resolve });
  });
});
