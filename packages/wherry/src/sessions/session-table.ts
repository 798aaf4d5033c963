import type { Clock } from '@wherry/clock';
import { joinSessions, type SessionPath } from '@wherry/telemetry/session-paths';
import { formatTable } from '../output/table.ts';
import type { LiveScreen } from '../terminal/live-screen.ts';
import { harmless } from '../words/harmless.ts';
import { sessionColumns } from './listing.ts';
import type { Sight } from './look.ts';
import { unseenLines } from './said.ts';

/** What table is drawn, and where. */
export interface SessionTableOptions {
  screen: LiveScreen;
  clock: Clock;
  isWide: boolean;
  withNamespace: boolean;
  /** Those too that had ended before. */
  withEnded: boolean;
  /** What is said where there are none. */
  nothing: string;
  isWanted(path: SessionPath): boolean;
}

/** Lines of what is not seen, at most. */
const notesMax = 4;

/** Draws the sessions that there are as one table, and those below that ended meanwhile, as long as their hops tell of them. */
export class SessionTable {
  readonly #options: SessionTableOptions;
  /** Those that had ended before the first look. */
  #old: ReadonlySet<string> | undefined;
  /** What each hop's clock said last, and when. */
  #times = new Map<string, { time: string; toldMs: number }>();

  constructor(options: SessionTableOptions) {
    this.#options = options;
  }

  show(sight: Sight): void {
    const { screen, isWanted } = this.#options;
    const all = joinSessions(this.#asOfNow(sight)).filter(isWanted);
    this.#old ??= new Set(all.filter(({ state }) => state === 'ended').map(({ id }) => id));
    const paths = all.filter(
      ({ id, state }) => this.#options.withEnded || state !== 'ended' || !this.#old?.has(id),
    );
    const notes = unseenLines(sight).map((line) => harmless(line).replaceAll(/\s+/g, ' '));
    const foot = notes.length > notesMax ? [...notes.slice(0, notesMax - 1), '…'] : notes;
    const table = paths.length === 0 ? [this.#options.nothing] : this.#tableOf(paths);
    screen.draw([...fitting(table, screen.rows - foot.length), ...foot]);
  }

  /** Ages go on while a hop has nothing to tell. */
  #asOfNow({ lists }: Sight): Sight['lists'] {
    const nowMs = this.#options.clock.monotonicMs();
    const times = new Map(
      lists.map(({ hop, node, time }) => {
        const before = this.#times.get(`${hop} ${node}`);
        return [`${hop} ${node}`, before?.time === time ? before : { time, toldMs: nowMs }];
      }),
    );
    this.#times = times;
    return lists.map((list) => {
      const passedMs = nowMs - (times.get(`${list.hop} ${list.node}`)?.toldMs ?? nowMs);
      return { ...list, time: new Date(Date.parse(list.time) + passedMs).toISOString() };
    });
  }

  #tableOf(paths: readonly SessionPath[]): string[] {
    const { isWide, withNamespace } = this.#options;
    const columns = sessionColumns({ withNamespace, paths }).filter(({ wide }) => !wide || isWide);
    const table = formatTable(
      columns.map(({ title }) => title),
      paths.map((path) => columns.map(({ cell }) => cell(path))),
      { toneOf: (title, cell) => columns.find((column) => column.title === title)?.tone?.(cell) },
    );
    return table.split('\n');
  }
}

/** As many as there is room for; the last says how many are left out. */
function fitting(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= room) return lines;
  const shown = lines.slice(0, Math.max(0, room - 1));
  return [
    ...shown,
    `… and ${lines.length - Math.max(1, shown.length)} more, for which there is no room here`,
  ];
}
