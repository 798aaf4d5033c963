/** Replication controllers. */

import { object } from '../../defaults/parts.ts';
import { defaultLabels, templateLabels } from '../../defaults/template-labels.ts';
import type { ReplicationController } from '../../generated/types.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { matcherFrom } from '../../selector/label-selector.ts';
import { type FieldError, required } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import {
  ageColumn,
  containerCells,
  labelText,
  type Printer,
  replicaColumns,
  templateColumns,
} from '../../table/printer.ts';
import { validateReplicaStatus } from '../../validation/counts.ts';
import { nonNegative } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';
import { notSelected, validateLasting, validateTemplate } from './pod/validation/template.ts';

const printer: Printer<ReplicationController> = {
  columns: [...replicaColumns, ageColumn, ...templateColumns],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.replicas ?? 0, status?.replicas ?? 0, status?.readyReplicas ?? 0],
    age(metadata.creationTimestamp, nowMs),
    ...[...containerCells(spec.template?.spec?.containers), labelText(spec.selector)],
  ],
};

/** Replication controllers. */
export const replicationController: KindDefinition<ReplicationController> = {
  group: '',
  kind: 'ReplicationController',
  printer,
  fieldLabels: { 'status.replicas': '0' },
  validate: validateReplicationController,
  validateUpdate: validateReplicationController,
  validateSubresource: { status: validateReplicaStatus },
  defaults: {
    ReplicationControllerSpec: { replicas: 1 },
  },
  computedDefaults: {
    ReplicationController: defaultReplicationController,
  },
};

function defaultReplicationController(controller: JsonObject): void {
  const labels = templateLabels(controller);
  const spec = object(controller['spec']);
  if (isJsonObject(labels) && Object.keys(object(spec['selector'])).length === 0)
    spec['selector'] = { ...labels };
  defaultLabels(controller, labels);
}

/** Violations in a replication controller: its selector is a map of labels. */
function validateReplicationController(
  { spec }: ReplicationController,
  previous?: ReplicationController,
): FieldError[] {
  const { selector = {}, replicas, template } = spec ?? {};
  const labels = template?.metadata?.labels ?? {};
  const isSelected = matcherFrom({ matchLabels: selector }).matches(labels);
  return [
    ...nonNegative('spec.minReadySeconds', spec?.minReadySeconds),
    ...(Object.keys(selector).length > 0 ? [] : [required('spec.selector')]),
    ...(replicas === undefined ? [required('spec.replicas')] : nonNegative('spec.replicas', replicas)),
    ...(template
      ? [
          ...(isSelected ? [] : [notSelected('spec.template', labels)]),
          ...validateTemplate(template, 'spec.template', previous?.spec?.template),
          ...validateLasting(template),
        ]
      : [required('spec.template')]),
  ];
}
