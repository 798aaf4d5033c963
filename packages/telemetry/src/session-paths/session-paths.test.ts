import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../limits.ts';
import type { Session, SessionHop, SessionList } from '../sessions/shape.ts';
import { decodeSessionEvent, decodeSessionList } from './decode-list.ts';
import { joinSessions, type SessionPath } from './join.ts';
import { unseenHops } from './unseen.ts';
import { endText, hopTitle, waitOf } from './words.ts';

const time = '2026-11-26T12:00:00.000Z';
const sessionOf = (more: Partial<Session> = {}): Session => ({
  ...{ id: 's', key: '1', kind: 'exec', state: 'open', client: {}, startTime: time, streams: [] },
  ...{ namespace: 'default', pod: 'web', node: 'one', openTime: time },
  ...more,
});
const listOf = (hop: SessionHop, ...items: Session[]): SessionList => ({
  ...{ kind: 'SessionList', hop, time, items },
  ...(hop === 'apiserver' ? {} : { node: 'one' }),
});
const pathOf = (...lists: SessionList[]): SessionPath => {
  const [path] = joinSessions(lists);
  assert.ok(path);
  return path;
};

describe('a list that another process told', () => {
  it('is taken as it was written', () => {
    const flow = { bytes: 7, heldBytes: 3, waitsFor: 'client', waitingSince: time } as const;
    const list = listOf(
      'kubelet',
      sessionOf({
        ...{ command: ['sh', '-c', 'x'], commandIsCut: true, user: 'ann', container: 'main' },
        client: { protocol: 'WebSocket v5.channel.k8s.io', address: '127.0.0.1:5' },
        backend: { protocol: 'SPDY/3.1 v4.channel.k8s.io' },
        streams: [{ name: 'stdout', down: flow }],
      }),
      sessionOf({
        ...{ kind: 'portforward', state: 'ended', ports: [80], lastActivityTime: time },
        streams: [
          { name: 'port', port: 80, connections: { open: 1, total: 2, failed: 0 }, up: { bytes: 1 } },
        ],
        end: { time, reason: 'exited', exitCode: 3, by: 'process', message: 'why' },
      }),
    );
    assert.deepEqual(decodeSessionList(JSON.parse(JSON.stringify(list))), list);
    const event = { type: 'ENDED', time, object: list.items[1] };
    assert.deepEqual(decodeSessionEvent(JSON.parse(JSON.stringify(event))), event);
  });

  it('brings no text that a terminal obeys, nor one that looks like another', () => {
    const evil = 'a\u001b[2Jb\u009bc\u202ed\r\ne\u200bf\u{e0041}';
    const list = listOf(
      'kubelet',
      sessionOf({
        ...{ id: evil, user: evil, pod: evil, command: [evil], client: { protocol: evil, address: evil } },
        ...{ state: 'ended', end: { time, reason: 'failed', message: evil } },
      }),
    );
    const text = JSON.stringify(decodeSessionList({ ...list, node: evil }));
    assert.doesNotMatch(text, /[\p{Cc}\p{Cf}]|\\u00[01]/u);
    const shown = String.raw`a\x1b[2Jb\x9bc\u202ed\r\ne\u200bf\u{e0041}`;
    assert.equal(decodeSessionList(list)?.items[0]?.user, shown);
  });

  it('is none, or lacks what has another form, and never throws', () => {
    for (const value of [null, 5, 'x', [], {}, { kind: 'SessionList' }, { ...listOf('kubelet'), items: {} }])
      assert.equal(decodeSessionList(value), undefined);
    const wrong = [
      ...[null, 7, {}, sessionOf({ id: '' }), { ...sessionOf(), kind: 'constructor' }],
      { ...sessionOf(), startTime: 'soon' },
    ];
    const odd = {
      ...{ ...sessionOf(), command: 'ls', ports: [1, 'x', -1], user: { toString: 1 }, client: 5 },
      ...{ streams: [{ name: 'none' }, { name: 'stdin', up: 'x', down: { bytes: 'many' } }], end: [] },
    };
    const list = decodeSessionList({ ...listOf('apiserver'), items: [...wrong, odd], unlisted: Number.NaN });
    assert.deepEqual(list?.items, [
      sessionOf({ ports: [1], streams: [{ name: 'stdin', down: { bytes: 0 } }] }),
    ]);
    assert.equal(decodeSessionEvent({ type: 'GONE', time, object: sessionOf() }), undefined);
  });

  it('is read up to a bound', () => {
    const items = Array.from({ length: limits.sessionsReadMax + 9 }, (_, at) => sessionOf({ id: `${at}` }));
    const long = 'x'.repeat(limits.sessionReadCharactersMax + 9);
    const list = decodeSessionList({ ...listOf('kubelet', ...items), node: long });
    assert.equal(list?.items.length, limits.sessionsReadMax);
    assert.equal(list?.node?.length, limits.sessionReadCharactersMax);
  });
});

describe('the sessions of all hops', () => {
  it('are joined by their ids, from the client to the process; those that go on first', () => {
    const over = sessionOf({ id: 'o', state: 'ended', startTime: '2026-11-26T11:00:00Z' });
    const kubelet = listOf('kubelet', sessionOf({ container: 'main' }), over);
    const paths = joinSessions([
      kubelet,
      listOf('streaming-server', sessionOf()),
      listOf('apiserver', sessionOf()),
    ]);
    assert.deepEqual(
      paths.map(({ id, state, hops }) => [id, state, hops.map(hopTitle)]),
      [
        ['s', 'open', ['API server', 'kubelet of one', 'streaming server of one']],
        ['o', 'ended', ['kubelet of one']],
      ],
    );
    assert.equal(paths[0]?.container, 'main');
  });

  it('have ended when all hops say so, as the one says that knows the exit code', () => {
    const closed = sessionOf({ state: 'ended', end: { time, reason: 'closed', by: 'client' } });
    const exited = sessionOf({ state: 'ended', end: { time, reason: 'exited', exitCode: 7 } });
    const [first, last] = [listOf('apiserver', closed), listOf('kubelet', exited)];
    assert.equal(pathOf(first, listOf('kubelet', sessionOf())).state, 'open');
    assert.equal(endText(pathOf(first, last).end), 'ended with exit code 7');
    assert.equal(endText(pathOf(first).end), 'closed by the client');
  });

  it('are held up where the last one waits that the others wait for', () => {
    const down = (waits: boolean) => ({ bytes: 1, ...(waits ? { waitsFor: 'client' as const } : {}) });
    const one = (hop: SessionHop, waits: boolean) =>
      listOf(hop, sessionOf({ streams: [{ name: 'stdout', down: down(waits) }] }));
    const way = (...waits: boolean[]) =>
      pathOf(
        ...(['apiserver', 'kubelet', 'streaming-server'] as const).map((hop, at) => one(hop, !!waits[at])),
      );
    assert.equal(waitOf(way(true, true, true))?.hop.hop, 'apiserver');
    assert.equal(waitOf(way(false, true, true))?.hop.hop, 'kubelet');
    assert.equal(waitOf(way(false, false, false)), undefined);
    const up = { name: 'stdin', up: { bytes: 1, waitsFor: 'process' } } as const;
    const stuck = listOf('streaming-server', sessionOf({ streams: [up] }));
    assert.equal(waitOf(pathOf(one('apiserver', false), stuck))?.waitsFor, 'process');
    const over = listOf('kubelet', sessionOf({ state: 'ended', streams: [up] }));
    assert.equal(waitOf(pathOf(over)), undefined, 'what has ended waits for nobody');
  });
});

describe('hops that do not tell of a session', () => {
  const reasons = (path: SessionPath) =>
    unseenHops(path, [
      { hop: 'apiserver', reason: 'forbidden' },
      { hop: 'kubelet', node: 'two', reason: 'away' },
      { hop: 'streaming-server', node: 'one', reason: 'elsewhere' },
    ]).map((hop) => `${hopTitle(hop)}: ${hop.reason}`);

  it('are named, with why', () => {
    const silent = 'it does not list this session, or no longer';
    assert.deepEqual(reasons(pathOf(listOf('apiserver', sessionOf()))), [
      `kubelet of one: ${silent}`,
      'streaming server of one: elsewhere',
    ]);
    const elsewhere = sessionOf({ node: 'two' });
    assert.deepEqual(reasons(pathOf(listOf('apiserver', elsewhere)))[0], 'kubelet of two: away');
    assert.equal(reasons(pathOf(listOf('kubelet', sessionOf())))[0], 'API server: forbidden');
  });

  it('are none of those that are not on its way', () => {
    const all = (['apiserver', 'kubelet', 'streaming-server'] as const).map((hop) =>
      listOf(hop, sessionOf()),
    );
    assert.deepEqual(reasons(pathOf(...all)), []);
    assert.deepEqual(unseenHops(pathOf(listOf('kubelet', sessionOf({ kind: 'log' }))), []), []);
  });
});
