/** Whether the parts of a cluster run (upstream: pkg/registry/core/componentstatus). */
import type { ComponentStatus } from '../../generated/types.ts';
import { column, nameColumn } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';

/** Of the scheduler, the controllers and the store. */
export const componentStatus: KindDefinition<ComponentStatus> = {
  group: '',
  kind: 'ComponentStatus',
  printer: {
    columns: [nameColumn, column('Status'), column('Message'), column('Error')],
    cells: ({ metadata, conditions = [] }) => {
      const health = conditions.find(({ type }) => type === 'Healthy');
      const status = health ? (health.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown';
      return [metadata.name ?? '', status, health?.message ?? '', health?.error ?? ''];
    },
  },
  descriptions: {
    ComponentStatus: {
      '': 'Whether a part of the cluster runs. Deprecated: what its lease says is newer.',
      conditions: 'What was found, under the type Healthy.',
    },
  },
};
