/**
 * Writes to a store what {@link rounds} says, and tells each round in a file once it is acknowledged:
 *
 *   node power-cut-workload.ts FOLDER FROM UNTIL
 *
 * It ends without closing the store.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '@wherry/clock';
import { SqliteStore } from '../src/store/sqlite-store.ts';

/** One write; its revision is known beforehand, since revisions count all writes. */
export interface PlannedWrite {
  key: string;
  /** null deletes. */
  value: string | null;
  revision: number;
}

/** What is written in one turn of the event loop, and must be there as a whole or not at all. */
export interface Round {
  writes: PlannedWrite[];
  /** Behind the writes history up to this revision is forgotten. */
  compactedRevision?: number;
}

/** The plan: small and large values, changes, deletions and compactions over a few keys. */
export function rounds(count: number): Round[] {
  const live = new Set<string>();
  let revision = 1;
  return Array.from({ length: count }, (_, round) => {
    const writes = Array.from({ length: 1 + (round % 4) }, (_, index): PlannedWrite => {
      const key = `/k/${(round * 5 + index * 3) % 13}`;
      revision += 1;
      const isDeletion = live.has(key) && (round + index) % 6 === 0;
      if (isDeletion) live.delete(key);
      else live.add(key);
      const padding = 'x'.repeat(round % 2 === 0 ? 60_000 : 40 * (round % 50));
      return { key, value: isDeletion ? null : `${revision} ${padding}`, revision };
    });
    return round % 25 === 24 ? { writes, compactedRevision: revision - 20 } : { writes };
  });
}

async function run(folder: string, from: number, until: number): Promise<void> {
  // At no time, so that revisions go on where they were.
  const clock = { ...systemClock, nowMs: () => 0 };
  const store = new SqliteStore({ path: join(folder, 'state.db'), clock });
  const told = openSync(join(folder, 'told'), 'a');
  const acknowledged: Promise<unknown>[] = [];
  for (const [index, { writes, compactedRevision }] of rounds(until).entries()) {
    if (index < from) continue;
    const written = Promise.all(writes.map(({ key, value }) => store.write({ key, value })));
    acknowledged.push(written.then(() => writeSync(told, `${index}\n`)));
    // Some rounds arrive while the one before is being flushed.
    if (index % 3 === 0) await turn();
    else await written;
    if (compactedRevision) await written.then(() => store.compact(compactedRevision));
  }
  await Promise.all(acknowledged);
  process.exit(0);
}

if (import.meta.main) {
  const [folder = '', from = '', until = ''] = process.argv.slice(2);
  await run(folder, Number(from), Number(until));
}
