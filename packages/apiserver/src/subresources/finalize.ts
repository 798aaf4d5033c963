import { builtInType, invalid, type Namespace, validateFinalizer } from '@wherry/kubeapi';
import { as, copyOf } from '../objects/api-object.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import type { Collection } from '../registry/collection.ts';
import { isBeingDeleted, isReadyToGo } from '../registry/deletion.ts';
import { managerName, trackFields } from '../registry/field-managers.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { checkName, readObject } from '../requests/request-object.ts';
import { readWriteOptions } from '../requests/write-options.ts';

/** PUT of `namespaces/NAME/finalize`: the one way to change spec.finalizers. An emptied namespace goes. */
export async function finalizeNamespace(namespaces: Collection, request: ResourceRequest): Promise<Snapshot> {
  const options = readWriteOptions(request.query, 'UpdateOptions');
  const { gvk } = namespaces.storage;
  const wanted = await readObject(request, builtInType(gvk), options.fieldValidation);
  checkName(wanted, request);
  const finalizers = as<Namespace>(wanted).spec?.finalizers ?? [];
  const { resourceVersion } = wanted.metadata;
  return namespaces.storage.change({
    namespace: '',
    name: request.info.name,
    dryRun: options.dryRun,
    preconditions: resourceVersion ? { resourceVersion } : undefined,
    change: async (current) => {
      const next: typeof current = {
        ...current,
        metadata: { ...current.metadata },
        spec: { ...current.spec, finalizers },
      };
      await trackFields(current, next, {
        ...{ name: managerName(request), resource: namespaces.resource },
        ...{ subresource: 'finalize', nowMs: namespaces.clock.nowMs() },
      });
      const { type } = namespaces.resource;
      const parts = { operation: 'UPDATE', type, object: next, previous: copyOf(current) } as const;
      await namespaces.admission.pass(request, { ...parts, dryRun: options.dryRun });
      const errors = finalizers.flatMap((name, index) =>
        validateFinalizer(name, `spec.finalizers[${index}]`),
      );
      if (errors.length > 0) throw invalid(gvk, request.info.name, errors);
      const isGone = isBeingDeleted(next) && isReadyToGo(next, namespaces.resource.strategy);
      return isGone ? { remove: next } : { next };
    },
  });
}
