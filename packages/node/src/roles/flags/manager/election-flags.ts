/** Flags of `wherry controllers` and `wherry scheduler` about the lease that one of several holds; names and defaults are upstream's. */
import type { LeaseTerms } from '@wherry/controllers';
import type { LeaderElectionConfiguration } from '@wherry/controllers/scheduler-configuration';
import { formatDurationMs, parseDurationMs } from '@wherry/kubeapi/objects';
import { type Command, Option } from 'commander';
import { NodeError } from '../../../errors.ts';
import { parseSwitch, parseTimeMs } from '../flag-values.ts';

/** As commander hands them over; durations as Go writes them. */
export interface ElectionFlags {
  leaderElect?: boolean;
  leaderElectLeaseDuration?: string;
  leaderElectRenewDeadline?: string;
  leaderElectRetryPeriod?: string;
  leaderElectResourceLock?: string;
  leaderElectResourceName?: string;
  leaderElectResourceNamespace?: string;
}

/** A duration above 0, as Go writes it. */
const parseDuration = (value: string): string => formatDurationMs(parseTimeMs(value));

/** Adds them to a command; `name` is that of the lease. */
export function addElectionFlags(command: Command, name: string): Command {
  return command
    .addOption(
      new Option('--leader-elect [switch]', 'run only while holding the lease (default: true)')
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option('--leader-elect-lease-duration <duration>', 'how long it holds (default: 15s)', parseDuration)
    .option(
      '--leader-elect-renew-deadline <duration>',
      'who could not renew it for so long stops (default: 10s)',
      parseDuration,
    )
    .option(
      '--leader-elect-retry-period <duration>',
      'how often it is renewed, or asked for (default: 2s)',
      parseDuration,
    )
    .option('--leader-elect-resource-lock <kind>', 'leases, and nothing else (default: leases)')
    .option('--leader-elect-resource-name <name>', `name of the lease (default: ${name})`)
    .option('--leader-elect-resource-namespace <name>', 'where it is (default: kube-system)');
}

/** What of a configuration they say. */
export function electionOf(flags: ElectionFlags): Partial<LeaderElectionConfiguration> {
  const given: [keyof LeaderElectionConfiguration, string | boolean | undefined][] = [
    ['leaderElect', flags.leaderElect],
    ['leaseDuration', flags.leaderElectLeaseDuration],
    ['renewDeadline', flags.leaderElectRenewDeadline],
    ['retryPeriod', flags.leaderElectRetryPeriod],
    ['resourceLock', flags.leaderElectResourceLock],
    ['resourceName', flags.leaderElectResourceName],
    ['resourceNamespace', flags.leaderElectResourceNamespace],
  ];
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

const usualTimes = { leaseDuration: '15s', renewDeadline: '10s', retryPeriod: '2s' };
/** A holder gives up only after it has tried more than once (client-go's JitterFactor). */
const retryShare = 1.2;

/** The terms of kube-controller-manager's lease by these flags. Throws NodeError `bad-settings` on what no lease can be held by. */
export function leaseTermsOf(flags: ElectionFlags): LeaseTerms {
  const { leaseDuration, renewDeadline, retryPeriod, resourceLock, ...place } = {
    ...usualTimes,
    ...electionOf(flags),
  };
  if (resourceLock !== undefined && resourceLock !== 'leases')
    throw bad(`--leader-elect-resource-lock: "${resourceLock}" is not leases`);
  const [durationMs, renewDeadlineMs, retryMs] = [
    parseDurationMs(leaseDuration),
    parseDurationMs(renewDeadline),
    parseDurationMs(retryPeriod),
  ];
  if (durationMs <= renewDeadlineMs)
    throw bad(
      `--leader-elect-lease-duration: ${leaseDuration} is not longer than --leader-elect-renew-deadline, ${renewDeadline}`,
    );
  if (renewDeadlineMs <= retryMs * retryShare)
    throw bad(
      `--leader-elect-renew-deadline: ${renewDeadline} is not longer than ${retryShare} times --leader-elect-retry-period, ${retryPeriod}`,
    );
  return {
    ...{ durationMs, renewDeadlineMs, retryMs },
    ...(place.resourceName !== undefined && { name: place.resourceName }),
    ...(place.resourceNamespace !== undefined && { namespace: place.resourceNamespace }),
  };
}

const bad = (message: string) => new NodeError('bad-settings', message);
