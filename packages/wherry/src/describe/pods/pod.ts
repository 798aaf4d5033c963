import { ownValue, type Pod, type PodStatus } from '@wherry/kubeapi';
import { qualityOfService } from '@wherry/podrules';
import type { Surroundings } from '../surroundings.ts';
import { headLines, labelLines, metadataLines } from '../text/labels.ts';
import { field, given, indented, type Lines, section } from '../text/lines.ts';
import { controllerLines } from '../text/owner.ts';
import { clockTime, since } from '../text/times.ts';
import { volumeLines } from '../volumes/volumes.ts';
import { containerLines, resourceLines, seccompLines } from './containers.ts';
import { groupLines, spreadLines, tolerationLines } from './placement.ts';

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** A pod: where it is, what runs in it, and what it was asked to be. */
export async function describePod(pod: Pod, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec, status = {} } = pod;
  const { name, namespace, uid, annotations } = metadata;
  return [
    ...placeLines(pod),
    ...metadataLines(metadata),
    ...phaseLines(pod),
    ...seccompLines(spec?.securityContext?.seccompProfile, 0),
    field('IP', status.podIP),
    ...addressLines(status),
    ...controllerLines(metadata),
    ...given('NominatedNodeName', status.nominatedNodeName),
    ...(spec?.resources ? section('Resources', resourceLines(spec.resources)) : []),
    ...allContainers(pod),
    ...conditionLines(pod),
    ...volumeLines(spec?.volumes),
    field('QoS Class', qualityOfService(pod)),
    ...labelLines('Node-Selectors', spec?.nodeSelector),
    ...tolerationLines('Tolerations', spec?.tolerations),
    ...spreadLines('', spec?.topologySpreadConstraints),
    ...groupLines('', spec?.schedulingGroup),
    ...(await surroundings.eventsOf({
      ...{ name, namespace },
      uid: ownValue(annotations, mirrorAnnotation) ?? uid,
    })),
  ];
}

function placeLines({ metadata, spec, status }: Pod): Lines {
  const { priority, priorityClassName, runtimeClassName, serviceAccountName, nodeName } = spec ?? {};
  return [
    ...headLines(metadata),
    ...given('Priority', priority),
    ...given('Priority Class Name', priorityClassName),
    ...given('Runtime Class Name', runtimeClassName),
    ...given('Service Account', serviceAccountName),
    field('Node', nodeName ? `${nodeName}/${status?.hostIP ?? ''}` : '<none>'),
    ...given('Start Time', status?.startTime && clockTime(status.startTime)),
  ];
}

function phaseLines({ metadata, status: { phase, reason, message } = {} }: Pod): Lines {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  const isEnding = deletionTimestamp !== undefined && phase !== 'Failed' && phase !== 'Succeeded';
  return [
    ...(isEnding
      ? [
          field('Status', `Terminating (lasts ${since(deletionTimestamp)})`),
          field('Termination Grace Period', `${deletionGracePeriodSeconds}s`),
        ]
      : [field('Status', phase)]),
    ...given('Reason', reason),
    ...given('Message', message),
  ];
}

const addressLines = ({ podIPs = [] }: PodStatus): Lines =>
  podIPs.length === 0
    ? [field('IPs', '<none>')]
    : section(
        'IPs',
        podIPs.map(({ ip }) => field('IP', ip)),
      );

function allContainers(pod: Pod): Lines {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const { initContainerStatuses, containerStatuses, ephemeralContainerStatuses } = pod.status ?? {};
  const init = { pod, statuses: initContainerStatuses };
  const ephemeral = { pod, statuses: ephemeralContainerStatuses };
  return [
    ...(initContainers.length > 0 ? containerLines('Init Containers', initContainers, init) : []),
    ...containerLines('Containers', containers, { pod, statuses: containerStatuses }),
    ...(ephemeralContainers.length > 0
      ? containerLines('Ephemeral Containers', ephemeralContainers, ephemeral)
      : []),
  ];
}

function conditionLines({ spec, status: { conditions = [] } = {} }: Pod): Lines {
  const table = (title: string, rows: [type: string, status: string][]) =>
    rows.length === 0
      ? []
      : [`${title}:`, ...indented(['Type\tStatus', ...rows.map(([type, status]) => `${type} \t${status} `)])];
  const statusOf = (wanted: string) => conditions.find(({ type }) => type === wanted)?.status ?? '<none>';
  return [
    ...table(
      'Readiness Gates',
      (spec?.readinessGates ?? []).map(({ conditionType }) => [conditionType, statusOf(conditionType)]),
    ),
    ...table(
      'Conditions',
      conditions.map(({ type, status }) => [type, status]),
    ),
  ];
}
