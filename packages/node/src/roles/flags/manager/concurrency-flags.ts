/** Flags of `wherry controllers` for how many objects each controller works on at once; names are kube-controller-manager's. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseWhole } from '../flag-values.ts';

/** Upstream's flags, and the controllers that they are about. */
const controllers = {
  'concurrent-cron-job-syncs': 'cronjob-controller',
  'concurrent-daemonset-syncs': 'daemonset-controller',
  'concurrent-deployment-syncs': 'deployment-controller',
  'concurrent-device-taint-eviction-syncs': 'device-taint-eviction-controller',
  'concurrent-endpoint-syncs': 'endpoints-controller',
  'concurrent-ephemeralvolume-syncs': 'ephemeral-volume-controller',
  'concurrent-gc-syncs': 'garbage-collector-controller',
  'concurrent-horizontal-pod-autoscaler-syncs': 'horizontal-pod-autoscaler-controller',
  'concurrent-job-syncs': 'job-controller',
  'concurrent-namespace-syncs': 'namespace-controller',
  'concurrent-rc-syncs': 'replicationcontroller-controller',
  'concurrent-replicaset-syncs': 'replicaset-controller',
  'concurrent-resource-quota-syncs': 'resourcequota-controller',
  'concurrent-resourceclaim-syncs': 'resourceclaim-controller',
  'concurrent-service-endpoint-syncs': 'endpointslice-controller',
  'concurrent-serviceaccount-token-syncs': 'serviceaccount-token-controller',
  'concurrent-statefulset-syncs': 'statefulset-controller',
  'concurrent-ttl-after-finished-syncs': 'ttl-after-finished-controller',
  'concurrent-validating-admission-policy-status-syncs': 'validatingadmissionpolicy-status-controller',
  'mirroring-concurrent-service-endpoint-syncs': 'endpointslice-mirroring-controller',
} as const;

const options = Object.entries(controllers).map(([flag, controller]) => ({
  controller,
  option: () => new Option(`--${flag} <n>`, `objects that ${controller} works on at once`),
}));

const atOnceMax = 1_000;

function parseAtOnce(text: string): number {
  const count = parseWhole(text);
  if (count >= 1 && count <= atOnceMax) return count;
  throw new InvalidArgumentError(`expected a whole number from 1 to ${atOnceMax}`);
}

/** Adds them to a command. */
export function addConcurrencyFlags(command: Command): Command {
  for (const { option } of options) command.addOption(option().argParser(parseAtOnce));
  return command;
}

/** How many at once, by controllers' names, where `flags` (as commander hands them over) say it. */
export function concurrencyOf(flags: object): ReadonlyMap<string, number> {
  const given = new Map<string, unknown>(Object.entries(flags));
  return new Map(
    options.flatMap(({ controller, option }) => {
      const count = given.get(option().attributeName());
      return typeof count === 'number' ? [[controller, count] as const] : [];
    }),
  );
}
