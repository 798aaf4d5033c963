/** Replication controllers. */

import { object } from '../../defaults/parts.ts';
import { defaultLabels, templateLabels } from '../../defaults/template-labels.ts';
import type { ReplicationController } from '../../generated/types.ts';
import { isJsonObject, type JsonObject } from '../../json-value.ts';
import { age } from '../../table/human-duration.ts';
import {
  ageColumn,
  containerCells,
  labelText,
  type Printer,
  replicaColumns,
  templateColumns,
} from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';

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
