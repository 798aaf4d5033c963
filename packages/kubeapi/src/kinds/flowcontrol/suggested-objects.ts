/** What flow control begins with (facts: apiserver pkg/apis/flowcontrol/bootstrap). */
import type { FlowcontrolV1Subject, FlowSchema, PriorityLevelConfiguration } from '../../generated/types.ts';
import { allPaths, allResources, builtInLevel, builtInSchema, groupSubjects } from './mandatory-objects.ts';

const everything = { resourceRules: [allResources], nonResourceRules: [allPaths] };
const systemAccounts: FlowcontrolV1Subject = {
  ...{ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'kube-system' } },
};
const users = (...names: string[]): FlowcontrolV1Subject[] =>
  names.map((name) => ({ kind: 'User', user: { name } }));
const nodes = groupSubjects('system:nodes');
const everybody = groupSubjects('system:unauthenticated', 'system:authenticated');
const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] };

/** In the order of their precedence. */
export const suggestedFlowSchemas: readonly FlowSchema[] = [
  builtInSchema('probes', {
    ...{ level: 'exempt', precedence: 2, subjects: everybody },
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  builtInSchema('system-leader-election', {
    ...{ level: 'leader-election', precedence: 100, flow: 'ByUser' },
    subjects: [...users('system:kube-controller-manager', 'system:kube-scheduler'), systemAccounts],
    resourceRules: [{ verbs: ['get', 'create', 'update'], ...leases }],
  }),
  builtInSchema('system-node-high', {
    ...{ level: 'node-high', precedence: 400, flow: 'ByUser', subjects: nodes },
    resourceRules: [
      { ...allResources, apiGroups: [''], resources: ['nodes', 'nodes/status'] },
      { verbs: ['*'], ...leases },
    ],
  }),
  builtInSchema('system-nodes', {
    ...{ level: 'system', precedence: 500, flow: 'ByUser', subjects: nodes },
    ...everything,
  }),
  builtInSchema('kube-controller-manager', {
    ...{ level: 'workload-high', precedence: 800, flow: 'ByNamespace' },
    ...{ subjects: users('system:kube-controller-manager'), ...everything },
  }),
  builtInSchema('kube-scheduler', {
    ...{ level: 'workload-high', precedence: 800, flow: 'ByNamespace' },
    ...{ subjects: users('system:kube-scheduler'), ...everything },
  }),
  builtInSchema('kube-system-service-accounts', {
    ...{ level: 'workload-high', precedence: 900, flow: 'ByNamespace' },
    ...{ subjects: [systemAccounts], ...everything },
  }),
  builtInSchema('service-accounts', {
    ...{ level: 'workload-low', precedence: 9_000, flow: 'ByUser' },
    ...{ subjects: groupSubjects('system:serviceaccounts'), ...everything },
  }),
  builtInSchema('global-default', {
    ...{ level: 'global-default', precedence: 9_900, flow: 'ByUser', subjects: everybody },
    ...everything,
  }),
];

/** Levels whose requests wait in queues. */
export const suggestedPriorityLevels: readonly PriorityLevelConfiguration[] = [
  queueing('system', { shares: 30, lendable: 33, queues: 64 }),
  queueing('node-high', { shares: 40, lendable: 25, queues: 64 }),
  queueing('leader-election', { shares: 10, lendable: 0, queues: 16, handSize: 4 }),
  queueing('workload-high', { shares: 40, lendable: 50, queues: 128 }),
  queueing('workload-low', { shares: 100, lendable: 90, queues: 128 }),
  queueing('global-default', { shares: 20, lendable: 50, queues: 128 }),
];

function queueing(
  name: string,
  of: { shares: number; lendable: number; queues: number; handSize?: number },
): PriorityLevelConfiguration {
  const queuing = { queues: of.queues, handSize: of.handSize ?? 6, queueLengthLimit: 50 };
  return builtInLevel(name, {
    type: 'Limited',
    limited: {
      ...{ nominalConcurrencyShares: of.shares, lendablePercent: of.lendable },
      limitResponse: { type: 'Queue', queuing },
    },
  });
}
