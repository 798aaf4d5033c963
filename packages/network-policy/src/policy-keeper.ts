import type { Clock } from '@wherry/clock';
import { type KeptTable, TableKeeper } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { limits } from './limits.ts';
import type { PolicyPlan } from './plan/policy-plan.ts';
import type { KernelTable } from './table/kernel-table.ts';

/** What a keeper looks at. */
export interface KeeperOptions {
  table: KernelTable;
  plan: PolicyPlan;
  /** Whether all pods, namespaces and policies are known. */
  isComplete(): boolean;
  clock: Clock;
  logger: Logger;
}

/** Keeps the kernel's table at what the plan wants; where there was no table, it is closed until everything is known. */
export function keepPolicies({ table, plan, isComplete, clock, logger }: KeeperOptions): TableKeeper {
  const kept: KeptTable = {
    get isMissing() {
      return table.isMissing;
    },
    isComplete,
    settle: async () => plan.wanted.assume(await table.settle()),
    apply() {
      plan.settle();
      table.apply(plan.wanted);
    },
    lost: () => logger.warn('somebody flushed the rules of network policies; they are made again'),
    failed: (error) => logger.error('network policies cannot be enforced and will be tried again', { error }),
  };
  return new TableKeeper({ table: kept, clock, retryMs: limits.retryMs, checkMs: limits.checkMs });
}
