/** Flags of kube-apiserver that `wherry apiserver` takes for what they are worth here, or refuses with a reason. */
import { type Command, InvalidArgumentError } from 'commander';
import { type AbsentFlags, withReasonOf } from './absent-flags.ts';
import { collectList } from './flag-values.ts';
import { addSettledFlags, type SettledFlag } from './settled-flags.ts';
import { addWarnedFlags, warnedOfApiserver } from './warned-flags.ts';

/** Names under which this server tells extension servers who asks: another name would have them believe nobody. */
const headerFlags = {
  username: { flag: '--requestheader-username-headers <list>', standard: 'X-Remote-User' },
  group: { flag: '--requestheader-group-headers <list>', standard: 'X-Remote-Group' },
  uid: { flag: '--requestheader-uid-headers <list>', standard: 'X-Remote-Uid' },
  extra: { flag: '--requestheader-extra-headers-prefix <list>', standard: 'X-Remote-Extra-' },
} as const;

function collectHeaders(standard: string) {
  return (value: string, previous?: string[]): string[] => {
    const names = collectList(value, previous);
    if (names.some((name) => name.toLowerCase() === standard.toLowerCase())) return names;
    throw new InvalidArgumentError(`${standard} must be among them: that is what extension servers are sent`);
  };
}

/** Switches that can only be one way here, with what is so instead of the other. */
const settled: readonly SettledFlag[] = [
  [
    '--allow-privileged',
    true,
    'privileged containers are not forbidden by a flag here: namespaces forbid them by labels (PodSecurity)',
  ],
  [
    '--aggregator-reject-forwarding-redirect',
    true,
    'an extension server could send clients, with what they bear, anywhere',
  ],
  ['--service-account-lookup', true, 'a token ends with its account here'],
  ['--enable-garbage-collector', true, 'what is deleted waits for its dependents as its finalizers say'],
  ['--enable-logs-handler', false, 'logs are the kubelet’s to show'],
  [
    '--permit-address-sharing',
    true,
    'SO_REUSEADDR is always set: a port is free as soon as nobody listens there',
  ],
  [
    '--shutdown-send-retry-after',
    false,
    'a server that is told to end takes no more connections, and ends with the requests that it has',
  ],
  ['--profiling', false, 'the API server has no profiles here; /debug/pprof is the kubelet’s'],
];

/** Adds what a manifest of kubeadm's has beside the flags that say something here. */
export function addInheritedFlags(command: Command): Command {
  for (const { flag, standard } of Object.values(headerFlags))
    command.option(
      flag,
      `by which a proxy says who asks, here and at extension servers (default: ${standard})`,
      collectHeaders(standard),
    );
  return addSettledFlags(addWarnedFlags(command, warnedOfApiserver), settled);
}

const absent: AbsentFlags = [
  ['--admission-control', '--enable-admission-plugins and --disable-admission-plugins name them'],
  ['--audit-log-', 'the log of the audit is written an event at a time, without bounds of batches'],
  ['--storage-', 'objects are stored as JSON, each kind in one version'],
  ['--emula', 'there is one version, 1.36'],
  ['--min-compatibility-version', 'there is one version, 1.36'],
  ['--runtime-config-emulation', 'there is one version, 1.36'],
  ['--tls-', 'TLS has --tls-cert-file, -private-key-file, -sni-cert-key, -min-version and -cipher-suites'],
  ['--peer-', 'servers of one etcd serve the same, and pass no request to each other'],
  [
    '--service-account-',
    'service accounts have --service-account-issuer, -jwks-uri, -key-file, -signing-key-file, -extend- and -max-token-expiration',
  ],
  ['--shutdown-watch-', 'watches end as soon as the server does; their clients begin anew elsewhere'],
  ['--livez-grace-period', 'the server is alive as soon as it answers'],
  ['--show-hidden-metrics-for-version', 'no metrics are hidden'],
  ['--allow-metric-labels', 'a metric has 2,000 series at most'],
  ['--disabled-metrics', 'all metrics are told'],
  ['--debug-socket-path', 'there are no profiles of the API server'],
  ['--max-connection-bytes-per-sec', 'connections are as fast as their clients read'],
  ['--coordinated-leadership-', 'leases are taken by who runs for them'],
  ['--watch-cache-sizes', 'watches need no cache here'],
  ['--default-watch-cache-size', 'watches need no cache here'],
  ['--delete-collection-workers', 'collections are deleted one by one'],
  ['--logging-format', 'the log has one format'],
  ['--vmodule', 'the log has -v alone'],
  ['--log-', 'the log has one format, on standard error'],
  ['--cloud-provider', 'there are no cloud providers'],
  ['--kubernetes-service-node-port', 'the service `kubernetes` has no node port'],
  [
    '--kubelet-',
    'kubelets have --kubelet-certificate-authority, -client-certificate, -client-key and -preferred-address-types',
  ],
];

/** What commander says of a flag that it does not know, with the reason where upstream knows it. */
export const withReason = withReasonOf(absent);
