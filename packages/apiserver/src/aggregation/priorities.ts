/** Where groups and versions stand (facts: upstream's controlplane and kube-apiserver aggregator.go). */
import { formatApiVersion, ownValue } from '@wherry/kubeapi';

/** Of a group among groups, and of a version in its group. */
export interface Priority {
  groupPriorityMinimum: number;
  versionPriority: number;
}

const groups: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'resource.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
};
const versions: Readonly<Record<string, number>> = {
  v1: 1,
  'autoscaling/v2': 30,
  'flowcontrol.apiserver.k8s.io/v1': 21,
  'resource.k8s.io/v1': 21,
};
const usualVersion = 15;

/** Of what is built in; undefined where somebody else decides. */
export function builtInPriority(group: string, version: string): Priority | undefined {
  const groupPriorityMinimum = ownValue(groups, group);
  if (groupPriorityMinimum === undefined) return undefined;
  return {
    groupPriorityMinimum,
    versionPriority: ownValue(versions, formatApiVersion(group, version)) ?? usualVersion,
  };
}

/** Of custom resources, as upstream. */
export const customPriority: Priority = { groupPriorityMinimum: 1_000, versionPriority: 100 };

/** Of the metrics of nodes and pods, which upstream's add-on registers so. */
export const metricsPriority: Priority = { groupPriorityMinimum: 100, versionPriority: 100 };
