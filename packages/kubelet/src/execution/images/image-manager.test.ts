import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import { container, pod } from '../../../test/builders.ts';
import { ImageManager } from './image-manager.ts';

const target = { kind: 'regular', container: container('a') } as const;
const of = pod({ containers: [target.container] });

/** A manager over a runtime that answers nothing until the caller gives up. */
function manager() {
  const told: string[] = [];
  const never = (_request: object, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const made = new ImageManager({
    images: { imageStatus: never, pullImage: never } as unknown as CriClient['images'],
    recorder: { record: ({ reason, type }) => void told.push(`${type} ${reason}`) },
    clock: new FakeClock(),
    serialize: false,
    maxParallelPulls: 0,
    records: { begin: () => {}, pulled: () => {}, failed: () => {}, mustPull: async () => false },
    plugIns: undefined,
    figures: { pulled: () => {}, asked: () => {} },
    rate: { perSecond: 0, burst: 0 },
  });
  return { made, told };
}

for (const [pullPolicy, events] of [
  ['IfNotPresent', []],
  ['Always', ['Normal Pulling']],
] as const) {
  test(`that a pod went while its image was asked for is no failure, and no event says so (${pullPolicy})`, async () => {
    const { made, told } = manager();
    const controller = new AbortController();
    const asked = made.ensure({
      ...{ pod: of, image: 'demo:1', pullPolicy, target, sandbox: {} },
      credentials: { entries: [] },
      signal: controller.signal,
    });
    await new Promise(setImmediate);
    const gone = new Error('the pod is to stop');
    controller.abort(gone);
    await assert.rejects(asked, gone);
    assert.deepEqual(told, events);
  });
}
