import assert from 'node:assert/strict';
import { it } from 'node:test';
import { extract, pack } from 'tar-stream';
import { readableOf, writeInto } from './archive-streams.ts';

it('a write that waits for room fails when unpacking fails, and so does a later one', async () => {
  const packed = pack();
  packed.entry({ name: 'file' }, Buffer.alloc(1 << 20));
  packed.finalize();
  const archive = extract();
  const unpacking = assert.rejects(async () => {
    for await (const _entry of archive) throw new Error('no such folder');
  }, /no such folder/);
  const outcomes: Promise<Error | null | undefined>[] = [];
  for await (const chunk of readableOf(packed)) {
    const { promise, resolve } = Promise.withResolvers<Error | null | undefined>();
    writeInto(archive, chunk, resolve);
    outcomes.push(promise);
  }
  assert.match(String((await Promise.all(outcomes)).at(-1)), /unpacking has failed/);
  await unpacking;
  writeInto(archive, Buffer.alloc(512), (error) => assert.match(String(error), /unpacking has failed/));
});
