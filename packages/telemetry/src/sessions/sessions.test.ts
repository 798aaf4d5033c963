import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../limits.ts';
import { SessionBook } from './session-book.ts';
import { sessionEvents } from './session-events.ts';
import type { SessionEvent } from './shape.ts';

/** A book on a clock that stands, unless it is set. */
function openBook() {
  const time = { nowMs: Date.UTC(2026, 10, 25) };
  const clock = {
    nowMs: () => time.nowMs,
    after(_delayMs: number, callback: () => void) {
      const handle = setImmediate(callback);
      return { cancel: () => clearImmediate(handle) };
    },
  };
  return { time, book: new SessionBook({ hop: 'apiserver', clock }) };
}

describe('the book of sessions', () => {
  it('tells what passes each way, and what waits for whom since when', () => {
    const { book, time } = openBook();
    const session = book.open({ kind: 'exec', namespace: 'a', pod: 'b', command: ['ls'] });
    session.joined({ client: 'WebSocket v5.channel.k8s.io', backend: 'SPDY/3.1 v4.channel.k8s.io' });
    const { down } = session.stream('stdout');
    down.passed(10);
    down.holds(() => 7);
    time.nowMs += 5;
    down.waits(true);
    const [told] = book.list().items;
    assert.equal(told?.state, 'open');
    assert.equal(told?.lastActivityTime, '2026-11-25T00:00:00.000Z');
    const waiting = { waitsFor: 'client', waitingSince: '2026-11-25T00:00:00.005Z' };
    assert.deepEqual(told?.streams, [{ name: 'stdout', down: { bytes: 10, heldBytes: 7, ...waiting } }]);
    down.waits(false);
    assert.deepEqual(book.list().items[0]?.streams[0]?.down, { bytes: 10, heldBytes: 7 });
  });

  it('gives no session the id of another, nor one that is no name', () => {
    const { book } = openBook();
    const first = book.open({ kind: 'exec', id: 'a-name' });
    assert.equal(first.id, 'a-name');
    assert.notEqual(book.open({ kind: 'exec', id: 'a-name' }).id, 'a-name');
    first.end({ reason: 'closed' });
    assert.notEqual(book.open({ kind: 'exec', id: 'a-name' }).id, 'a-name', 'one that has just ended');
    for (const id of ['x'.repeat(65), 'a b', 'a\u001b[31m', '', '__proto__/..'])
      assert.notEqual(book.open({ kind: 'exec', id }).id, id);
  });

  it('keeps those that have ended for a while, and so many', () => {
    const { book, time } = openBook();
    for (let count = 0; count < limits.sessionsEndedMax + 5; count++)
      book.open({ kind: 'exec' }).end({ reason: 'exited', exitCode: 7 });
    const { items } = book.list();
    assert.equal(items.length, limits.sessionsEndedMax);
    assert.deepEqual(items[0]?.end, { time: '2026-11-25T00:00:00.000Z', reason: 'exited', exitCode: 7 });
    time.nowMs += limits.sessionsEndedForMs + 1;
    assert.deepEqual(book.list().items, []);
  });

  it('lists so many that go on, and counts the others', () => {
    const { book } = openBook();
    const all = Array.from({ length: limits.sessionsListedMax + 3 }, () => book.open({ kind: 'attach' }));
    const list = book.list();
    assert.deepEqual([list.items.length, list.unlisted], [limits.sessionsListedMax, 3]);
    for (const session of all) session.end({ reason: 'closed' });
    assert.equal(book.list().unlisted, undefined);
  });

  it('fits one frame of the monitor’s wire, whatever strangers name', () => {
    const { book } = openBook();
    const evil = '\u0001'.repeat(100_000);
    const command = Array.from({ length: 1_000 }, () => evil);
    for (let count = 0; count < limits.sessionsListedMax; count++) {
      const session = book.open({
        ...{ kind: 'portforward', command, ports: Array.from({ length: 500 }, (_, port) => port) },
        ...{ auditId: evil, namespace: evil, pod: evil, container: evil, user: evil, node: evil },
      });
      for (let port = 1; port <= 500; port++) session.stream('port', port).down.passed(1);
    }
    assert.ok(JSON.stringify(book.list()).length < 8 * 1024 * 1024);
    const [told] = book.list().items;
    assert.equal(told?.commandIsCut, true);
    assert.equal(told?.streams.length, limits.sessionPortsMax + 1);
    assert.equal(told?.streams.at(-1)?.port, undefined);
  });

  it('says nothing of what comes behind the end', () => {
    const { book } = openBook();
    const session = book.open({ kind: 'exec' });
    const { down } = session.stream('stdout');
    session.end({ reason: 'closed' });
    const before = JSON.stringify(book.list());
    down.passed(5);
    session.stream('stderr').down.passed(5);
    session.end({ reason: 'broken' });
    assert.equal(JSON.stringify(book.list()), before);
  });
});

describe('a watch of sessions', () => {
  it('begins with all there is, and tells of changes once a second and of ends at once', async () => {
    const { book, time } = openBook();
    const session = book.open({ kind: 'exec', id: 'one' });
    const end = new AbortController();
    const events = sessionEvents(book, { signal: end.signal });
    const next = async () => (await events.next()).value as SessionEvent;
    assert.deepEqual([(await next()).type, session.id], ['ADDED', 'one']);
    session.stream('stdout').down.passed(3);
    time.nowMs += 1_000;
    const modified = await next();
    assert.deepEqual([modified.type, modified.object.streams[0]?.down?.bytes], ['MODIFIED', 3]);
    session.stream('stdout').down.passed(3);
    session.end({ reason: 'exited', exitCode: 0 });
    const ended = await next();
    assert.deepEqual([ended.type, ended.object.end?.exitCode], ['ENDED', 0]);
    assert.equal(ended.object.streams[0]?.down?.bytes, 6);
    const last = events.next();
    end.abort();
    assert.equal((await last).done, true);
  });

  it('has room for so many', () => {
    const { book } = openBook();
    const leaves = Array.from({ length: limits.sessionWatchersMax }, () => book.admitWatcher());
    assert.ok(leaves.every((leave) => leave));
    assert.equal(book.admitWatcher(), undefined);
    leaves[0]?.();
    assert.ok(book.admitWatcher());
  });
});
