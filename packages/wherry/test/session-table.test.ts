/** The table that `wherry sessions -w` draws anew at a terminal. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { Session } from '@wherry/telemetry';
import type { Sight } from '../src/sessions/look.ts';
import { SessionTable } from '../src/sessions/session-table.ts';
import { isScreen, LiveScreen } from '../src/terminal/live-screen.ts';

const time = '2026-11-26T12:00:10.000Z';
const sessionOf = (id: string, more: Partial<Session> = {}): Session => ({
  ...{ id, key: id, kind: 'exec', state: 'open', namespace: 'default', pod: 'web', client: {} },
  ...{ startTime: '2026-11-26T12:00:00.000Z', openTime: '2026-11-26T12:00:00.000Z', streams: [] },
  ...more,
});
const ended = (id: string) =>
  sessionOf(id, { state: 'ended', end: { time, reason: 'exited', exitCode: 3, by: 'process' } });
const sightOf = (items: Session[], unseen: Sight['unseen'] = []): Sight => ({
  lists: [{ kind: 'SessionList', hop: 'apiserver', time, items }],
  unseen,
});

/** A terminal of so many rows, and what it was written each time. */
function begin(rows = 24, more: { withEnded?: boolean } = {}) {
  const writes: string[] = [];
  const target = { rows, write: (text: string) => void writes.push(text) };
  const clock = new FakeClock();
  const table = new SessionTable({
    ...{ screen: new LiveScreen(target), clock, nothing: 'No sessions found.' },
    ...{ isWide: false, withNamespace: false, withEnded: false, isWanted: () => true },
    ...more,
  });
  /** The lines that stand there, without what the terminal obeys. */
  const lines = () =>
    (writes.at(-1) ?? '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that a terminal obeys.
      .replace(/\x1b\[[?\d]*[a-zA-Z]/g, '')
      .trim()
      .split('\n');
  return { writes, target, clock, table, lines };
}

describe('the table of sessions at a terminal', () => {
  it('is drawn in the place of the one before, with ages that go on, and only where it differs', () => {
    const { writes, clock, table, lines } = begin();
    table.show(sightOf([sessionOf('one')]));
    assert.equal(writes[0]?.startsWith('\n'.repeat(24)), true, 'what stood there can be scrolled back to');
    assert.match(lines()[1] ?? '', /^one +exec +web .* 10s +open$/);
    table.show(sightOf([sessionOf('one')]));
    assert.equal(writes.length, 1);
    clock.advance(2_000);
    table.show(sightOf([sessionOf('one')]));
    assert.match(lines()[1] ?? '', / 12s +open$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that a terminal obeys.
    assert.match(writes[1] ?? '', /^\x1b\[\?7l\x1b\[H\x1b\[2K.*\n\x1b\[2K.*\n\x1b\[J\x1b\[\?7h$/);
  });

  it('tells how those ended that it has shown, and of those before with --ended alone', () => {
    const { table, lines } = begin();
    table.show(sightOf([ended('old'), sessionOf('one')]));
    assert.equal(lines().length, 2);
    table.show(sightOf([ended('old'), ended('one'), sessionOf('two')]));
    assert.deepEqual(
      lines().map((line) => line.split(' ')[0]),
      ['ID', 'two', 'one'],
    );
    assert.match(lines()[2] ?? '', /ended with exit code 3$/);
    const all = begin(24, { withEnded: true });
    all.table.show(sightOf([ended('old')]));
    assert.match(all.lines()[1] ?? '', /^old /);
  });

  it('keeps to the rows of the terminal, which may change, and tells below who is not seen', () => {
    const { target, table, lines } = begin(5);
    const sight = sightOf(
      ['1', '2', '3', '4'].map((id) => sessionOf(id)),
      [{ hop: 'kubelet', node: 'one', reason: 'away\nby \u001b[2J' }],
    );
    table.show(sight);
    assert.deepEqual(
      lines().map((line) => line.replace(/ {2}.*/, '')),
      ['ID', '1', '… and 3 more, for which there is no room here', 'not seen: kubelet of one: away by ^[[2J'],
    );
    target.rows = 9;
    table.show(sight);
    assert.equal(lines().length, 6);
    table.show(sightOf([]));
    assert.deepEqual(lines(), ['No sessions found.']);
  });

  it('is for terminals that are not dumb', () => {
    assert.equal(isScreen({ isTTY: true, write: () => {} }, { TERM: 'xterm' }), true);
    assert.equal(isScreen({ isTTY: true, write: () => {} }, { TERM: 'dumb' }), false);
    assert.equal(isScreen({ write: () => {} }, { TERM: 'xterm' }), false);
  });
});
