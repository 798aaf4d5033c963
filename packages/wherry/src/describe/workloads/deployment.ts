import { kinds } from '@wherry/client';
import {
  type Deployment,
  type JsonValue,
  jsonEqual,
  matcherFrom,
  type PodTemplateSpec,
  type ReplicaSet,
} from '@wherry/kubeapi';
import { templateLines } from '../pods/template.ts';
import type { Surroundings } from '../surroundings.ts';
import { headLines, metadataLines, selectorText } from '../text/labels.ts';
import { field, type Lines } from '../text/lines.ts';
import { clockTime } from '../text/times.ts';
import { sortedBy } from '../text/values.ts';
import { conditionLines } from './conditions.ts';

/** A Deployment: how far it is, what its pods are made of, and its ReplicaSets. */
export async function describeDeployment(deployment: Deployment, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec, status = {} } = deployment;
  const { rollingUpdate, type } = spec?.strategy ?? {};
  return [
    ...headLines(metadata),
    field('CreationTimestamp', clockTime(metadata.creationTimestamp)),
    ...metadataLines(metadata),
    field('Selector', selectorText(spec?.selector)),
    field(
      'Replicas',
      [
        `${spec?.replicas ?? 0} desired | ${status.updatedReplicas ?? 0} updated`,
        `${status.replicas ?? 0} total | ${status.availableReplicas ?? 0} available`,
        `${status.unavailableReplicas ?? 0} unavailable`,
      ].join(' | '),
    ),
    field('StrategyType', type),
    field('MinReadySeconds', spec?.minReadySeconds ?? 0),
    ...(rollingUpdate
      ? [
          field(
            'RollingUpdateStrategy',
            `${rollingUpdate.maxUnavailable} max unavailable, ${rollingUpdate.maxSurge} max surge`,
          ),
        ]
      : []),
    ...templateLines(spec?.template),
    ...conditionLines(status.conditions),
    ...(await replicaSetLines(deployment, surroundings)),
    ...(await surroundings.events(deployment)),
  ];
}

/** Nothing where ReplicaSets may not be read. */
async function replicaSetLines({ metadata, spec }: Deployment, surroundings: Surroundings): Promise<Lines> {
  const query = {
    namespace: metadata.namespace,
    labelSelector: matcherFrom(spec?.selector).toString(),
  };
  const all = await surroundings.list(kinds.replicaSets, query).catch((): ReplicaSet[] => []);
  const own = all.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some(({ controller, uid }) => controller && uid === metadata.uid),
  );
  if (own.length === 0) return [];
  const ordered = sortedBy(
    own,
    ({ metadata: { creationTimestamp, name } }) => `${creationTimestamp} ${name}`,
  );
  const current = ordered.find((one) => isSameTemplate(one.spec?.template, spec?.template));
  return [
    field('OldReplicaSets', setTexts(ordered.filter((one) => one !== current))),
    field('NewReplicaSet', setTexts(current ? [current] : [])),
  ];
}

const setTexts = (sets: readonly ReplicaSet[]): string =>
  sets
    .map(
      ({ metadata, spec, status }) =>
        `${metadata.name} (${status?.replicas ?? 0}/${spec?.replicas ?? 0} replicas created)`,
    )
    .join(', ') || '<none>';

const hashLabel = 'pod-template-hash';

const isSameTemplate = (one: PodTemplateSpec | undefined, other: PodTemplateSpec | undefined): boolean =>
  jsonEqual(withoutHash(one), withoutHash(other));

function withoutHash(template: PodTemplateSpec | undefined): JsonValue {
  const { [hashLabel]: _hash, ...labels } = template?.metadata?.labels ?? {};
  const whole = { ...template, metadata: { ...template?.metadata, labels } };
  return JSON.parse(JSON.stringify(whole)) as JsonValue;
}
