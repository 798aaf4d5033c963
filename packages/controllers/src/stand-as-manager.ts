import { LeaderElection } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { definitions, definitionsOf, type Manager } from './definitions.ts';
import { selectControllers } from './select-controllers.ts';
import { type Controllers, type ControllersOptions, startControllers } from './start.ts';

/** What a candidate needs. */
export interface ManagerOptions extends ControllersOptions {
  manager: Manager;
  /** Tells candidates apart: no two that live at the same time may have the same. */
  identity: string;
  /** Whether that candidate is known to have ended, so that nobody need wait for its lease to run out. Default: never. */
  hasEnded?(identity: string): boolean;
  /** What of the lease is not as usual; null: there is none, nobody else stands. */
  lease?: LeaseTerms | null | undefined;
}

/** Where a lease is, and how long what holds; in milliseconds. */
export interface LeaseTerms {
  /** Default `kube-system`. */
  namespace?: string;
  /** Default the manager's name. */
  name?: string;
  durationMs?: number;
  renewDeadlineMs?: number;
  retryMs?: number;
}

/**
 * Runs those of the chosen controllers that are the manager's, whenever its lease is held, by default `kube-system/MANAGER`; undefined
 * when none of them is. Throws `RangeError` on a name that is no controller's.
 */
export function standAsManager(options: ManagerOptions): Controllers | undefined {
  const { manager, client, identity, hasEnded, lease, clock = systemClock, logger = silentLogger } = options;
  const chosen = selectControllers(options.controllers ?? ['*'], definitions);
  const controllers = definitionsOf[manager].filter((each) => chosen.includes(each)).map(({ name }) => name);
  if (controllers.length === 0) return undefined;
  if (lease === null) return startControllers({ ...options, controllers });
  return new LeaderElection({
    ...{ client, clock, logger, identity, namespace: 'kube-system', name: manager, ...lease },
    ...(hasEnded ? { hasEnded } : {}),
    observer: options.figures?.election,
    lead: () => startControllers({ ...options, controllers }),
  });
}
