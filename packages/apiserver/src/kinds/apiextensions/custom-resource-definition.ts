import { type CustomResourceDefinition, definitionWarnings, loadPatternEngine } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import { withCondition } from '../../objects/conditions.ts';
import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { cleanupFinalizer } from './cleanup-finalizer.ts';

/** Definitions of custom resources: what they define is served by `custom-resources`. */
export const customResourceDefinition: ServedKind = {
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  strategy: {
    ...specGenerations,
    // Their schemas may have patterns.
    ready: loadPatternEngine,
    warningsOf: (object, previous) =>
      definitionWarnings(
        as<CustomResourceDefinition>(object),
        previous && as<CustomResourceDefinition>(previous),
      ),
    finalizersOnDeletion: [cleanupFinalizer],
    marksAlone: true,
    prepareDelete: markPending,
    needsVersionOnUpdate: true,
    prepareCreate(object) {
      object.status = { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
      noteStoredVersion(object);
    },
    prepareUpdate(next, previous) {
      next.status = previous.status ?? {};
      noteStoredVersion(next);
    },
  },
};

/** Says in the answer to the deletion already that the objects go next, as upstream. */
function markPending(object: ApiObject): void {
  const { metadata, status } = as<CustomResourceDefinition>(object);
  const pending = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: metadata.deletionTimestamp,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  const conditions = withCondition(status?.conditions, pending);
  object.status = { ...status, conditions } as unknown as ApiObject['status'] & object;
}

/** In which versions objects may stand in the store. */
function noteStoredVersion(object: ApiObject): void {
  const { spec, status = {} } = as<CustomResourceDefinition>(object);
  const stored = spec?.versions?.find(({ storage }) => storage)?.name;
  const known = status.storedVersions ?? [];
  if (stored && !known.includes(stored))
    object.status = { ...object.status, storedVersions: [...known, stored] };
}
