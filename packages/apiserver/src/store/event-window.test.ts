import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limits } from '../limits.ts';
import { EventWindow } from './event-window.ts';
import type { StoreEvent } from './store.ts';

const eventCharacters = 1024 ** 2;
const keptMax = limits.windowCharactersMax / eventCharacters;

function largeEvent(revision: number): StoreEvent {
  const value = 'x'.repeat(eventCharacters);
  return { revision, key: '/pods/large', current: { value, revision }, previous: undefined } as never;
}

it('keeps no more characters than its bound, also of events that it has dropped', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const window = new EventWindow(0);
  const events: WeakRef<StoreEvent>[] = [];
  for (let revision = 1; revision <= 4 * keptMax; revision++) {
    const event = largeEvent(revision);
    events.push(new WeakRef(event));
    window.push(event);
  }
  // A weak reference holds its object until the end of the turn that made it.
  await turn();
  collectGarbage();
  assert.equal(events.filter((event) => event.deref()).length, keptMax);
  assert.equal(window.since(window.afterRevision)?.length, keptMax);
  assert.equal(window.since(0), undefined);
});
