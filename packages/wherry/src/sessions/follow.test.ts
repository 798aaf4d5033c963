import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { Session, SessionEvent, SessionList } from '@wherry/telemetry';
import { joinSessions } from '@wherry/telemetry/session-paths';
import { limits } from '../limits.ts';
import { followSessions } from './follow.ts';
import type { Sight } from './look.ts';
import type { SessionSource } from './source.ts';

const time = '2026-11-26T12:00:00.000Z';
const sessionOf = (id: string, more: Partial<Session> = {}): Session => ({
  ...{ id, key: id, kind: 'exec', state: 'open', client: {}, startTime: time, openTime: time, streams: [] },
  ...more,
});

/** A hop that tells what it is told to; its watch goes on until it is ended. */
class FakeHop implements SessionSource {
  readonly hop;
  readonly node?: string;
  failure: Error | undefined;
  items: Session[] = [];
  asked = 0;
  #told: ((event: SessionEvent) => void) | undefined;
  #end = Promise.withResolvers<void>();

  constructor(hop: SessionSource['hop'], node?: string) {
    this.hop = hop;
    if (node !== undefined) this.node = node;
  }

  async list(): Promise<SessionList> {
    this.asked += 1;
    if (this.failure) throw this.failure;
    return { kind: 'SessionList', hop: this.hop, time, items: this.items };
  }

  watch(told: (event: SessionEvent) => void, signal: AbortSignal): Promise<void> {
    this.#told = told;
    this.#end = Promise.withResolvers();
    signal.addEventListener('abort', () => this.#end.reject(signal.reason));
    return this.#end.promise;
  }

  tell(type: SessionEvent['type'], object: Session): void {
    this.#told?.({ type, time, object });
  }

  end(): void {
    this.#end.resolve();
  }
}

/** Follows hops, on a clock that runs when it is told to. */
function follow(sources: SessionSource[], { isTicking = false } = {}) {
  const clock = new FakeClock();
  const end = new AbortController();
  const shown: Sight[] = [];
  const said: string[] = [];
  const done = followSessions({
    find: async () => ({ sources, unseen: [] }),
    ...{ clock, signal: end.signal, isTicking },
    shown: (sight) => shown.push(sight),
    said: (text) => said.push(text),
  }).catch((error: Error) => error);
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const ids = () => joinSessions(shown.at(-1)?.lists ?? []).map(({ id, state }) => `${id} ${state}`);
  return { end, shown, said, done, pass, ids };
}

describe('sessions that are followed', () => {
  it('are shown each second where time alone changes what is shown', async () => {
    const { end, shown, pass, done } = follow([new FakeHop('apiserver')], { isTicking: true });
    await pass(5_100);
    assert.equal(shown.length, 6);
    end.abort(new Error('enough'));
    assert.equal((await done).message, 'enough');
  });

  it('are shown at once, and again when something has changed, at most once a second', async () => {
    const hop = new FakeHop('apiserver');
    hop.items = [sessionOf('one')];
    const { end, shown, pass, ids, done } = follow([hop]);
    await pass(200);
    assert.deepEqual([shown.length, ids()], [1, ['one open']]);
    await pass(5_000);
    assert.equal(shown.length, 1, 'nothing has changed');
    hop.tell('ADDED', sessionOf('two'));
    hop.tell('ENDED', sessionOf('one', { state: 'ended' }));
    await pass(limits.sessionSettleMs + 100);
    assert.deepEqual([shown.length, ids()], [2, ['two open', 'one ended']]);
    for (let count = 0; count < 10; count += 1) {
      hop.tell('MODIFIED', sessionOf('two'));
      await pass(200);
    }
    assert.ok(shown.length <= 5, `${shown.length} within two seconds`);
    end.abort(new Error('enough'));
    assert.equal((await done).message, 'enough');
  });

  it('stand as they were while their hop is away, and are replaced when it is back', async () => {
    const [first, second] = [new FakeHop('apiserver'), new FakeHop('kubelet', 'one')];
    second.items = [sessionOf('one')];
    const { end, said, pass, ids, shown } = follow([first, second]);
    await pass(200);
    second.failure = new Error('away');
    second.end();
    await pass(3_000);
    assert.deepEqual(ids(), ['one open']);
    assert.deepEqual(said, ['kubelet of one: it ended the watch; asking again']);
    assert.equal(shown.at(-1)?.unseen[0]?.reason, 'away');
    second.failure = undefined;
    second.items = [sessionOf('new')];
    await pass(limits.sessionRetryMs.maxMs * 2);
    assert.deepEqual(ids(), ['new open']);
    assert.equal(said.at(-1), 'kubelet of one: is there again');
    end.abort(new Error('enough'));
  });

  it('end with the failure of an API server that stays away', async () => {
    const hop = new FakeHop('apiserver');
    const { done, pass, said } = follow([hop]);
    await pass(200);
    hop.failure = new Error('away');
    hop.end();
    await pass(limits.sessionOutageMs + 20_000);
    assert.equal((await done).message, 'away');
    assert.equal(said.length, 1, 'said once');
    const { asked } = hop;
    await pass(20_000);
    assert.equal(hop.asked, asked, 'nobody asks any more');
  });

  it('are asked of a server without the path once, and the failure is told when no hop has it', async () => {
    const none = () =>
      new StatusError({
        ...{ code: 404, reason: 'NotFound', message: '404 page not found' },
        details: { causes: [{ reason: 'UnexpectedServerResponse', message: '404 page not found' }] },
      });
    const [first, second] = [new FakeHop('apiserver'), new FakeHop('kubelet', 'one')];
    first.failure = none();
    const some = follow([first, second]);
    await some.pass(5_000);
    assert.match(some.shown[0]?.unseen[0]?.reason ?? '', /upstream's servers have none/);
    assert.equal(first.asked, 1);
    some.end.abort(new Error('enough'));
    second.failure = none();
    const all = follow([first, second]);
    await all.pass(1_000);
    assert.match(
      (await all.done).message,
      /^this cluster tells of no sessions: .*upstream's servers have none/,
    );
  });
});
