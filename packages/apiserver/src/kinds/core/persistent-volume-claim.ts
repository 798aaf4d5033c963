import { claimWarnings, type PersistentVolumeClaim, type PersistentVolumeClaimSpec } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Claims on persistent volumes: Pending at birth; where their content comes from has an old and a new name. */
export const persistentVolumeClaim: ServedKind = {
  group: '',
  kind: 'PersistentVolumeClaim',
  strategy: {
    returnsDeleted: true,
    warningsOf: (object) => claimWarnings(as<PersistentVolumeClaim>(object)),
    prepareCreate(object) {
      object.status = { phase: 'Pending' };
      alignDataSources(object, undefined);
    },
    prepareUpdate(next, previous) {
      next.status = previous.status!;
      alignDataSources(next, previous);
    },
  },
};

/** `dataSource` and `dataSourceRef` say the same; what the older one never could say is forgotten. */
function alignDataSources(object: ApiObject, previous: ApiObject | undefined): void {
  const { spec } = as<PersistentVolumeClaim>(object);
  if (!spec) return;
  const before = previous && as<PersistentVolumeClaim>(previous).spec;
  // Content of other namespaces is nobody's here (upstream: CrossNamespaceVolumeDataSource, which is off).
  if (spec.dataSourceRef?.namespace && before?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const isInUse = before?.dataSource !== undefined || before?.dataSourceRef !== undefined;
  if (!isInUse && !spec.dataSourceRef && !isOldSource(spec.dataSource)) delete spec.dataSource;
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  if (!dataSourceRef || dataSource || dataSourceRef.namespace) return;
  const { apiGroup, kind, name } = dataSourceRef;
  spec.dataSource = { ...(apiGroup === undefined ? {} : { apiGroup }), kind, name };
}

function isOldSource(source: PersistentVolumeClaimSpec['dataSource']): boolean {
  const group = source?.apiGroup ?? '';
  return (
    (source?.kind === 'PersistentVolumeClaim' && group === '') ||
    (source?.kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io')
  );
}
