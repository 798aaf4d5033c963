import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type KubeClient, type KubeObject, kinds } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { SharedInformers } from './shared-informers.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Informers over a server with one object of each resource; `lists` names what was listed, `open` counts watches. */
function start() {
  const lists: string[] = [];
  const state = { open: 0 };
  const reads = (what: string) => (type: { plural: string }) => ({
    type,
    async listAll() {
      lists.push(`${what} ${type.plural}`);
      return { metadata: { resourceVersion: '1' }, items: [{ metadata: { name: 'one', uid: 'u' } }] };
    },
    async *watch({ signal }: { signal: AbortSignal }): AsyncGenerator<never> {
      state.open += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      state.open -= 1;
      yield* [];
    },
  });
  const client = { resource: reads('whole'), metadata: reads('metadata') } as unknown as KubeClient;
  const informers = new SharedInformers({ client, clock: new FakeClock(), logger: silentLogger });
  return { informers, lists, state };
}

it('an informer runs from the first who asks for it to the last who lets go', async () => {
  const { informers, lists, state } = start();
  const first = informers.acquire({ type: kinds.pods });
  const second = informers.acquire({ type: kinds.pods });
  for (let round = 0; round < 5; round++) await turn();
  assert.deepEqual([lists, state.open], [['whole pods'], 1]);
  await first.close();
  await first.close();
  assert.equal(state.open, 1);
  await second.close();
  assert.equal(state.open, 0);
});

it('who comes later is told of all that is there', async () => {
  const { informers } = start();
  const early = informers.acquire({ type: kinds.pods });
  for (let round = 0; round < 5; round++) await turn();
  const late = informers.acquire({ type: kinds.pods });
  const seen: (string | undefined)[] = [];
  late.on({
    added: ({ metadata }: KubeObject) => seen.push(metadata?.name),
    synced: () => seen.push('synced'),
  });
  assert.deepEqual(seen, ['one', 'synced']);
  await Promise.all([early.close(), late.close()]);
});

it('metadata comes with the whole objects where somebody follows these', async () => {
  const { informers, lists, state } = start();
  informers.acquire({ type: kinds.pods });
  informers.acquireMetadata(kinds.pods);
  informers.acquireMetadata(kinds.secrets);
  for (let round = 0; round < 5; round++) await turn();
  assert.deepEqual(lists, ['whole pods', 'metadata secrets']);
  await informers.close();
  assert.equal(state.open, 0);
});

it('a listener that fails keeps no other from hearing of a change', async () => {
  const { informers } = start();
  const heard: string[] = [];
  const handles = [1, 2].map(() => informers.acquire({ type: kinds.pods }));
  handles[0]?.on({
    added: () => {
      throw new Error('an object that nobody has thought of');
    },
  });
  handles[1]?.on({ added: () => heard.push('added'), synced: () => heard.push('synced') });
  for (let round = 0; round < 5; round++) await turn();
  assert.deepEqual(heard, ['added', 'synced']);
  await informers.close();
});
