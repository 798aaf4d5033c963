/** Flags of kube-controller-manager and kube-scheduler that are not there. */
import { type AbsentFlags, withReasonOf } from '../absent-flags.ts';

const absent: AbsentFlags = [
  ['--allow-metric-labels', 'a metric has 2,000 series at most'],
  ['--authentication-token-webhook-cache-ttl', 'whose a token is is remembered for 10 s'],
  ['--authorization-webhook-cache-', 'what somebody may is remembered for 10 s'],
  ['--cloud-config', 'there are no cloud providers'],
  ['--concurrent-service-syncs', 'there are no load balancers of clouds'],
  ['--controller-', 'controllers are started and ended together'],
  [
    '--disable-force-detach-on-timeout',
    'a volume is taken off a node that does not let go of it after 6 minutes',
  ],
  ['--disabled-metrics', 'all metrics are told'],
  ['--emulated-version', 'there is one version, 1.36'],
  ['--endpoint', 'endpoints are written as soon as pods change'],
  ['--external-cloud-volume-plugin', 'there are no volumes of clouds'],
  ['--http2-max-streams-per-connection', 'what tells of it is served by HTTP/1.1'],
  ['--leader-migration-config', 'there are no controllers of clouds to hand over'],
  ['--log-', 'the log has one format, on standard error'],
  ['--logging-format', 'the log has one format'],
  ['--master', 'the server is that of --kubeconfig'],
  ['--max-endpoints-per-slice', 'a slice has 100 endpoints at most'],
  ['--min-compatibility-version', 'there is one version, 1.36'],
  ['--mirroring-', 'what is mirrored is written as soon as it changes, 100 endpoints in a slice'],
  ['--namespace-sync-period', 'namespaces are looked at as they change'],
  ['--permit-port-sharing', 'one process listens at a port'],
  [
    '--pod-max-in-unschedulable-pods-duration',
    'pods that nothing changed for are looked at again after 5 minutes',
  ],
  ['--pv-recycler-', 'volumes are not recycled'],
  ['--pvclaimbinder-sync-period', 'claims and volumes are looked at as they change'],
  ['--resource-quota-sync-period', 'quotas are worked out anew every 5 minutes'],
  ['--route-reconciliation-period', 'there are no routes of clouds'],
  ['--show-hidden-metrics-for-version', 'no metrics are hidden'],
  ['--tls-', 'TLS has --tls-cert-file, -private-key-file, -min-version and -cipher-suites'],
  ['--vmodule', 'the log has -v alone'],
];

/** What commander says of a flag that it does not know, with the reason where upstream knows it. */
export const withManagerReason = withReasonOf(absent);
