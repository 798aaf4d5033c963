import type { KnownFailures } from '../envtest/outcome.ts';

/** A package of Kubernetes' `test/integration`. */
export interface TestedPackage {
  name: string;
  /** How many tests and parts of tests pass. */
  passed: number;
  /** What fails, and why; this may only shrink. */
  known?: KnownFailures;
}

const withoutSchema =
  'puts a definition without a structural schema into etcd, as v1beta1 took them: its objects have no fields here but their metadata';
const ofBeta =
  'puts an object of policy/v1beta1 into etcd, which no server has written since 1.25 and none is read here';

/** Those that were looked at, some of which run upstream's controllers. */
export const packages: readonly TestedPackage[] = [
  {
    name: 'apiserver/apply',
    passed: 145,
    known: { TestApplyCRDNoSchema: withoutSchema, TestApplyCRDUnhandledSchema: withoutSchema },
  },
  { name: 'dryrun', passed: 66 },
  { name: 'namespace', passed: 2 },
  { name: 'configmap', passed: 1 },
  { name: 'secrets', passed: 1 },
  { name: 'events', passed: 2 },
  { name: 'storageclasses', passed: 1 },
  { name: 'scale', passed: 1 },
  { name: 'ttlcontroller', passed: 1 },
  { name: 'cronjob', passed: 1 },
  { name: 'podgc', passed: 9 },
  { name: 'endpoints', passed: 5 },
  { name: 'replicationcontroller', passed: 15 },
  { name: 'replicaset', passed: 20 },
  { name: 'daemonset', passed: 35 },
  { name: 'evictions', passed: 18 },
  {
    name: 'disruption',
    passed: 13,
    known: {
      'TestEmptySelector/v1beta1_should_not_target_any_pods': ofBeta,
      'TestSelectorsForPodsWithoutLabels/pods_with_no_labels_can_be_targeted_by_v1beta1_PDBs_with_DoesNotExist_selector':
        ofBeta,
    },
  },
];
