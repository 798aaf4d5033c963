import { readFileSync } from 'node:fs';
import type { LeaseTerms } from '@wherry/controllers';
import {
  fieldsWithoutEffect,
  type LeaderElectionConfiguration,
  readSchedulerConfiguration,
  type SchedulerConfiguration,
  SchedulerConfigurationError,
  type SchedulerSetup,
  schedulerSetupOf,
  writtenConfiguration,
} from '@wherry/controllers/scheduler-configuration';
import { parseDurationMs } from '@wherry/kubeapi/objects';

/** What a scheduler is told by its file, or by upstream's defaults where it has none. */
export interface SchedulerSettings {
  configuration: SchedulerConfiguration;
  setup: SchedulerSetup;
  /** The configuration as a file says it. */
  written: object;
  /** Null: it runs without a lease. */
  lease: LeaseTerms | null;
  /** Sentences about fields that are set and do nothing. */
  warnings: readonly string[];
}

const nothing = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

/** Reads them; `election` goes before the file. Throws `SchedulerConfigurationError`, which names the file. */
export function readSchedulerSettings(
  path: string | undefined,
  election: Partial<LeaderElectionConfiguration> = {},
): SchedulerSettings {
  try {
    const file = path === undefined ? Buffer.from(nothing) : readFileSync(path);
    const configuration = readSchedulerConfiguration(file, election);
    const setup = schedulerSetupOf(configuration);
    const { leaderElection } = configuration;
    const lease = leaderElection.leaderElect ? termsOf(leaderElection) : null;
    const written = writtenConfiguration(configuration);
    return { configuration, setup, written, lease, warnings: fieldsWithoutEffect(configuration) };
  } catch (error) {
    const { message } = error as Error;
    throw new SchedulerConfigurationError(
      `the scheduler's configuration${path === undefined ? '' : ` "${path}"`}: ${message}`,
      {
        cause: error,
      },
    );
  }
}

function termsOf(election: LeaderElectionConfiguration): LeaseTerms {
  return {
    namespace: election.resourceNamespace,
    name: election.resourceName,
    durationMs: parseDurationMs(election.leaseDuration),
    renewDeadlineMs: parseDurationMs(election.renewDeadline),
    retryMs: parseDurationMs(election.retryPeriod),
  };
}
