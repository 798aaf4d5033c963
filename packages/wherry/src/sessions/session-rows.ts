import { joinSessions, type SessionPath, unseenHops } from '@wherry/telemetry/session-paths';
import { print } from '../output/listing.ts';
import { formatTable } from '../output/table.ts';
import { sessionColumns } from './listing.ts';
import type { Sight } from './look.ts';
import { sayUnseen } from './said.ts';

/** What rows are printed, and how. */
export interface SessionRowsOptions {
  format: 'json' | 'wide' | undefined;
  withNamespace: boolean;
  /** Those too that had ended before. */
  withEnded: boolean;
  isWanted(path: SessionPath): boolean;
}

/** As wide as usual cells are, so that rows that come later stand in line. */
const usual = new Map([
  ['NAMESPACE', 'default'],
  ['ID', '01234567'],
  ['KIND', 'port-forward'],
  ['POD', 'a-pod-of-some-length/main'],
  ['USER', 'kubernetes-admin'],
  ['CLIENT', 'WebSocket v5'],
  ['BACKEND', 'SPDY/3.1 v4'],
  ['IN', '10.0 MiB'],
  ['OUT', '10.0 MiB'],
  ['STATE', 'API server waits for the client'],
]);

/** Prints a row of each session, and another whenever it differs from the one before by more than its age. */
export class SessionRows {
  readonly #options: SessionRowsOptions;
  /** The last of each, printed or not. */
  #before = new Map<string, { path: SessionPath; key: string }>();
  #isBegun = false;

  constructor(options: SessionRowsOptions) {
    this.#options = options;
  }

  show(sight: Sight): void {
    const { isWanted, format } = this.#options;
    const paths = joinSessions(sight.lists).filter(isWanted);
    const now = new Map(paths.map((path) => [path.id, { path, key: this.#keyOf(path) }]));
    // Whoever knew how it ended is gone, too.
    const lost = [...this.#before.values()]
      .filter(({ path }) => path.state !== 'ended' && !now.has(path.id))
      .map(({ path }): SessionPath => ({ ...path, state: 'ended' }));
    const fresh = [...paths.filter((path) => this.#isNews(path, now.get(path.id)?.key)), ...lost];
    if (!this.#isBegun) sayUnseen(sight);
    if (format === 'json') {
      for (const path of fresh) print(JSON.stringify({ ...path, unseen: unseenHops(path, sight.unseen) }));
    } else this.#printTable(fresh);
    this.#before = now;
    this.#isBegun = true;
  }

  /** A session that has ended is told of once; hops that come back say it again. */
  #isNews({ id, state }: SessionPath, key: string | undefined): boolean {
    const before = this.#before.get(id);
    if (before) return before.path.state !== 'ended' && before.key !== key;
    return this.#isBegun || this.#options.withEnded || state !== 'ended';
  }

  #columns() {
    const columns = sessionColumns({ withNamespace: this.#options.withNamespace, paths: [] });
    return columns.filter(({ wide }) => !wide || this.#options.format === 'wide');
  }

  #keyOf(path: SessionPath): string {
    if (this.#options.format === 'json')
      return JSON.stringify({
        ...path,
        hops: path.hops.map(({ hop, node, session }) => ({ hop, node, session })),
      });
    const cells = this.#columns().filter(({ title }) => title !== 'AGE');
    return JSON.stringify(cells.map(({ cell }) => cell(path)));
  }

  #printTable(paths: readonly SessionPath[]): void {
    const columns = this.#columns();
    const wide = columns.map(({ title }) => usual.get(title) ?? '');
    const text = formatTable(
      columns.map(({ title }) => title),
      paths.map((path) => columns.map(({ cell }) => cell(path))),
      {
        hasHeader: !this.#isBegun,
        alignedWith: [wide, columns.map(({ title }) => title)],
        toneOf: (title, cell) => columns.find((column) => column.title === title)?.tone?.(cell),
      },
    );
    print(text);
  }
}
