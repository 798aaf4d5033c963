import { forbidden, type Pod } from '@wherry/kubeapi';
import { nodeNameOf } from '../authentication/identity.ts';
import { as } from '../registry/api-object.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Kubelets write to their own node and to pods bound to it, and make no pods but mirror pods. */
export const nodeRestriction: AdmissionPlugin = {
  name: 'NodeRestriction',
  admit(request: AdmissionRequest): void {
    const node = nodeNameOf(request.user);
    if (node === undefined) return;
    if (request.resource.keyPrefix === '/nodes/') admitNode(node, request);
    if (request.resource.keyPrefix === '/pods/') admitPod(node, request);
  },
};

function admitNode(node: string, request: AdmissionRequest): void {
  const name = request.name || (request.object?.metadata.name ?? '');
  if (name === node && request.operation !== 'DELETE') return;
  const why =
    request.operation === 'DELETE'
      ? `node "${node}" is not allowed to delete nodes`
      : `node "${node}" is not allowed to modify node "${name}"`;
  throw forbidden({ group: '', resource: 'nodes' }, name, why);
}

function admitPod(node: string, request: AdmissionRequest): void {
  const { operation, object, previous, subresource } = request;
  const name = request.name || (object?.metadata.name ?? '');
  const refuse = (why: string) => forbidden({ group: '', resource: 'pods' }, name, why);
  if (operation === 'CREATE' && subresource === '') {
    const pod = as<Pod>(object!);
    if (pod.metadata?.annotations?.[mirrorAnnotation] === undefined) {
      throw refuse(
        `pod does not have "${mirrorAnnotation}" annotation, node "${node}" can only create mirror pods`,
      );
    }
    if (pod.spec?.nodeName !== node) {
      throw refuse(`node "${node}" can only create pods with spec.nodeName set to itself`);
    }
  }
  if (operation === 'CREATE' || !previous) return;
  if (as<Pod>(previous).spec?.nodeName === node) return;
  const verb = operation === 'DELETE' ? 'delete' : 'update status for';
  throw refuse(`node "${node}" can only ${verb} pods with spec.nodeName set to itself`);
}
