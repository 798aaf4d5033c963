import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { Inbox } from './inbox.ts';

function recorder() {
  const events: string[] = [];
  const chunks: Uint8Array[] = [];
  return {
    events,
    chunks,
    receiver: {
      data(chunk: Uint8Array) {
        chunks.push(chunk);
        events.push('data');
      },
      end: () => events.push('end'),
      closed: (error: Error | null) => events.push(error ? `closed: ${error.message}` : 'closed'),
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('passes bytes through by reference when the receiver is ready', async () => {
  const inbox = new Inbox();
  const { receiver, chunks } = recorder();
  inbox.receive(receiver);
  await settled();
  const chunk = new Uint8Array(8);
  assert.equal(inbox.push(chunk), false);
  assert.equal(chunks[0], chunk);
});

it('keeps memory in proportion when small pieces of large blocks are held', () => {
  const inbox = new Inbox();
  const held = new Set<ArrayBufferLike>();
  const { receiver } = recorder();
  inbox.receive({ ...receiver, data: (chunk) => held.add(chunk.buffer) });
  inbox.pause();
  for (let index = 0; index < 1000; index++) inbox.push(new Uint8Array(65_536).subarray(index, index + 10));
  inbox.resume();
  return settled().then(() => {
    const bytes = [...held].reduce((sum, buffer) => sum + buffer.byteLength, 0);
    assert.ok(bytes <= 32 * 1024, `${bytes} bytes were kept alive for 10000`);
  });
});

it('delivers what is held before an orderly close, and nothing after a failure', async () => {
  const orderly = recorder();
  const inbox = new Inbox();
  inbox.push(new Uint8Array(3));
  inbox.finish(new Error('reset by peer'));
  inbox.receive(orderly.receiver);
  await settled();
  assert.deepEqual(orderly.events, ['data', 'closed: reset by peer']);

  const failed = recorder();
  const broken = new Inbox();
  broken.push(new Uint8Array(3));
  broken.end();
  broken.fail(new Error('torn'));
  broken.receive(failed.receiver);
  await settled();
  assert.deepEqual(failed.events, ['closed: torn']);
});

it('stops at once when the receiver pauses inside data', async () => {
  const inbox = new Inbox();
  const { receiver, events } = recorder();
  for (let index = 0; index < 5; index++) inbox.push(new Uint8Array(1024));
  inbox.receive({
    ...receiver,
    data(chunk) {
      receiver.data(chunk);
      inbox.pause();
    },
  });
  inbox.end();
  await settled();
  assert.deepEqual(events, ['data']);
});

type Step = { kind: 'push'; size: number } | { kind: 'pause' } | { kind: 'resume' } | { kind: 'settle' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('push' as const), size: fc.integer({ min: 1, max: 40_000 }) }),
  fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const, 'settle' as const) }),
);

it('loses, doubles and reorders nothing, whatever the order of pushes, pauses and resumes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.nat(59), async (steps, receiveAt) => {
      let released = 0;
      let held = 0;
      const inbox = new Inbox({ onReleased: (bytes) => (released += bytes) });
      const { receiver, chunks, events } = recorder();
      const sent: Buffer[] = [];
      let next = 0;
      for (const [index, action] of steps.entries()) {
        if (index === receiveAt) inbox.receive(receiver);
        if (action.kind === 'push') {
          const backing = Buffer.alloc(65_536, next++);
          const chunk = backing.subarray(0, action.size);
          sent.push(Buffer.from(chunk));
          if (inbox.push(chunk)) held += chunk.length;
        } else if (action.kind === 'settle') await settled();
        else inbox[action.kind]();
      }
      if (receiveAt >= steps.length) inbox.receive(receiver);
      inbox.end();
      inbox.finish(null);
      inbox.resume();
      await settled();
      assert.ok(Buffer.concat(sent).equals(Buffer.concat(chunks)));
      assert.deepEqual(events.slice(-2), ['end', 'closed']);
      assert.equal(released, held);
      assert.equal(inbox.heldBytes, 0);
    }),
    { numRuns: 300 },
  );
});
