import { forbidden, type Namespace, notFound, StatusError } from '@wherry/kubeapi';
import type { ObjectCache } from '../registry/object-cache.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';

/** Namespaces that a cluster can't do without. */
const immortal = new Set(['default', 'kube-system', 'kube-public']);

/** New objects need a namespace that exists and is not on its way out; the system's namespaces stay. */
export class NamespaceLifecycle implements AdmissionPlugin {
  readonly name = 'NamespaceLifecycle';
  readonly #namespaces: ObjectCache<Namespace>;

  constructor(namespaces: ObjectCache<Namespace>) {
    this.#namespaces = namespaces;
  }

  admit(request: AdmissionRequest): void {
    const { operation, namespace, name, resource } = request;
    if (resource.facts.plural === 'namespaces' && resource.facts.group === '') {
      const isImmortal = operation === 'DELETE' && immortal.has(name);
      if (isImmortal) throw forbidden(refOf(request), name, 'this namespace may not be deleted');
      return;
    }
    if (namespace === '' || !resource.facts.namespaced || operation === 'DELETE') return;
    const found = this.#namespaces.get(namespace);
    if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    if (operation === 'CREATE' && found.metadata?.deletionTimestamp) throw terminating(request);
  }
}

function refOf({ resource }: AdmissionRequest) {
  return { group: resource.facts.group, resource: resource.facts.plural };
}

function terminating(request: AdmissionRequest): StatusError {
  const { namespace } = request;
  const name = request.name || (request.object?.metadata.name ?? '');
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status, message } = forbidden(refOf(request), name, why);
  const because = `namespace ${namespace} is being terminated`;
  const causes = [{ reason: 'NamespaceTerminating', message: because, field: 'metadata.namespace' }];
  return new StatusError({ code: 403, reason: 'Forbidden', message, details: { ...status.details, causes } });
}
