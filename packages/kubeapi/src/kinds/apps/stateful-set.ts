/** Stateful sets. */

import { items } from '../../defaults/parts.ts';
import type { StatefulSet } from '../../generated/types.ts';
import { isJsonObject, type JsonObject } from '../../json-value.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, containerCells, nameColumn, type Printer, wide } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { validateReplicated, validateReplicatedUpdate, words } from './replicated.ts';

const printer: Printer<StatefulSet> = {
  columns: [nameColumn, column('Ready'), ageColumn, wide('Containers'), wide('Images')],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`],
    ...[age(metadata.creationTimestamp, nowMs), ...containerCells(spec.template.spec?.containers)],
  ],
};

/** Stateful sets. */
export const statefulSet: KindDefinition<StatefulSet> = {
  group: 'apps',
  kind: 'StatefulSet',
  printer,
  validate: validateReplicated,
  validateUpdate: validateReplicatedUpdate,
  defaults: {
    StatefulSetSpec: {
      podManagementPolicy: 'OrderedReady',
      persistentVolumeClaimRetentionPolicy: {},
      replicas: 1,
      revisionHistoryLimit: 10,
    },
    StatefulSetPersistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  },
  computedDefaults: {
    StatefulSetSpec: defaultClaimTemplates,
    StatefulSetUpdateStrategy: defaultStatefulSetStrategy,
  },
  descriptions: {
    StatefulSet: { '': 'Keeps pods running that each have a lasting name and storage.' },
    StatefulSetSpec: {
      '': 'What a stateful set should run.',
      replicas: words.replicas,
      selector: words.selector,
      template: words.template,
      serviceName: 'The service that names the pods.',
      volumeClaimTemplates: 'Claims made for each pod.',
      podManagementPolicy: 'OrderedReady or Parallel.',
      updateStrategy: 'How pods are replaced.',
    },
  },
};

function defaultStatefulSetStrategy(strategy: JsonObject): void {
  if (!strategy['type']) {
    strategy['type'] = 'RollingUpdate';
    strategy['rollingUpdate'] ??= {};
  }
  if (strategy['type'] === 'RollingUpdate' && isJsonObject(strategy['rollingUpdate'])) {
    strategy['rollingUpdate']['partition'] ??= 0;
  }
}

function defaultClaimTemplates(spec: JsonObject): void {
  for (const claim of items(spec['volumeClaimTemplates'])) {
    claim['apiVersion'] = 'v1';
    claim['kind'] = 'PersistentVolumeClaim';
  }
}
