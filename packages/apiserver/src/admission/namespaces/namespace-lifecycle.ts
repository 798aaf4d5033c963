import { forbidden, notFound, StatusError } from '@wherry/kubeapi';
import { type AdmissionPlugin, type AdmissionRequest, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

/** Namespaces that a cluster can't do without. */
const immortal = new Set(['default', 'kube-system', 'kube-public']);
/** Whoever asks what is allowed must not learn which namespaces there are. */
const accessReviews = 'localsubjectaccessreviews';

/** New objects need a namespace that exists and is not on its way out; the system's namespaces stay. */
export function namespaceLifecycle({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    onlyRefuses: true,
    handles: [
      { operations: ['CREATE', 'UPDATE'], resources: ['*'] },
      { operations: ['DELETE'], resources: ['/namespaces'] },
    ],
    admit(request) {
      const { operation, namespace, name, resource } = request;
      if (resource.group === '' && resource.plural === 'namespaces') {
        const isImmortal = operation === 'DELETE' && immortal.has(name);
        if (isImmortal) throw refused(request, 'this namespace may not be deleted');
        return;
      }
      if (namespace === '' || !resource.namespaced || resource.plural === accessReviews) return;
      const found = caches.namespaces.get(namespace);
      if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
      if (operation === 'CREATE' && found.metadata?.deletionTimestamp) throw terminating(request);
    },
  };
}

function terminating({ namespace, name, resource }: AdmissionRequest): StatusError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status, message } = forbidden({ group: resource.group, resource: resource.plural }, name, why);
  const because = `namespace ${namespace} is being terminated`;
  const causes = [{ reason: 'NamespaceTerminating', message: because, field: 'metadata.namespace' }];
  return new StatusError({ code: 403, reason: 'Forbidden', message, details: { ...status.details, causes } });
}
