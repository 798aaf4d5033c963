import { type DaemonSet, type ReplicaSet, type ReplicationController, StatusError } from '@wherry/kubeapi';
import { templateLines } from '../pods/template.ts';
import type { Surroundings } from '../surroundings.ts';
import { headLines, labelText, metadataLines, selectorOrNone, selectorText } from '../text/labels.ts';
import { field, type Lines } from '../text/lines.ts';
import { controllerLines } from '../text/owner.ts';
import { conditionLines } from './conditions.ts';
import { podPhases } from './pods-of.ts';

/** A ReplicaSet; where pods may not be read, it says so. */
export async function describeReplicaSet(set: ReplicaSet, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec, status } = set;
  const phases = podPhases(set, spec?.selector, surroundings).catch((error: unknown) => {
    if (error instanceof StatusError) return `error in fetching pods: ${error.message}`;
    throw error;
  });
  return [
    ...headLines(metadata),
    field('Selector', selectorOrNone(spec?.selector)),
    ...metadataLines(metadata),
    ...controllerLines(metadata),
    replicasLine(status?.replicas, spec?.replicas),
    field('Pods Status', await phases),
    ...templateLines(spec?.template),
    ...conditionLines(status?.conditions),
    ...(await surroundings.events(set)),
  ];
}

/** A ReplicationController. */
export async function describeReplicationController(
  controller: ReplicationController,
  surroundings: Surroundings,
): Promise<Lines> {
  const { metadata, spec, status } = controller;
  const matchLabels = spec?.selector ?? {};
  return [
    ...headLines(metadata),
    field('Selector', labelText(spec?.selector)),
    ...metadataLines(metadata),
    replicasLine(status?.replicas, spec?.replicas),
    field('Pods Status', await podPhases(controller, { matchLabels }, surroundings)),
    ...templateLines(spec?.template),
    ...conditionLines(status?.conditions),
    ...(await surroundings.events(controller)),
  ];
}

const replicasLine = (current = 0, desired = 0): string =>
  field('Replicas', `${current} current / ${desired} desired`);

/** A DaemonSet: on how many nodes its pods are, and should be. */
export async function describeDaemonSet(set: DaemonSet, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec, status } = set;
  const { desiredNumberScheduled = 0, currentNumberScheduled = 0, updatedNumberScheduled = 0 } = status ?? {};
  const { numberAvailable = 0, numberMisscheduled = 0 } = status ?? {};
  return [
    ...headLines(metadata),
    field('Selector', selectorText(spec?.selector)),
    field('Node-Selector', labelText(spec?.template.spec?.nodeSelector)),
    ...metadataLines(metadata),
    `Desired Number of Nodes Scheduled: ${desiredNumberScheduled}`,
    `Current Number of Nodes Scheduled: ${currentNumberScheduled}`,
    `Number of Nodes Scheduled with Up-to-date Pods: ${updatedNumberScheduled}`,
    `Number of Nodes Scheduled with Available Pods: ${numberAvailable}`,
    `Number of Nodes Misscheduled: ${numberMisscheduled}`,
    field('Pods Status', await podPhases(set, spec?.selector, surroundings)),
    ...templateLines(spec?.template),
    ...(await surroundings.events(set)),
  ];
}
