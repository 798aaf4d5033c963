import type { Clock } from '@wherry/clock';
import { chainsOf, type KeptTable, type Table, TableKeeper } from '@wherry/linux';
import { limits } from '../limits.ts';

/** One table of the pod network. */
export interface PodTable {
  table: Table;
  /** Makes it, with nothing of any pod. */
  make(): Promise<void>;
  /** Puts in what pods have and it misses. */
  restore(): void;
}

/** What keeps tables that are there. */
export interface KeptTablesOptions {
  tables: readonly PodTable[];
  clock: Clock;
  /** Told when some are there no more. */
  lost(): void;
  /** Told once for each message, until something succeeds. */
  failed(error: unknown): void;
  /** All are there. */
  kept(): void;
}

const isMissing = ({ table }: PodTable) => chainsOf(table) === undefined;

/** Makes those of the tables again that somebody has flushed. */
export function keepTables({ tables, clock, ...told }: KeptTablesOptions): TableKeeper {
  const unfilled = new Set<PodTable>();
  const kept: KeptTable = {
    get isMissing() {
      return tables.some(isMissing);
    },
    isComplete: () => true,
    async settle() {
      for (const each of tables.filter(isMissing)) {
        await each.make();
        unfilled.add(each);
      }
    },
    apply() {
      for (const each of unfilled) {
        each.restore();
        unfilled.delete(each);
      }
      told.kept();
    },
    lost: told.lost,
    failed: told.failed,
  };
  const { networkRetryMs: retryMs, networkCheckMs: checkMs } = limits;
  const keeper = new TableKeeper({ table: kept, clock, retryMs, checkMs });
  keeper.look();
  return keeper;
}
