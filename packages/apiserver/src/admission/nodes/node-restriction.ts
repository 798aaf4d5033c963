import { isDeepStrictEqual } from 'node:util';
import {
  type CertificateSigningRequest,
  type CertificateSigningRequestSpec,
  type Node,
  notFound,
  type PersistentVolumeClaim,
  type Pod,
  requestedCertificate,
  type TokenRequest,
} from '@wherry/kubeapi';
import { nodeNameOf } from '../../authentication/identity.ts';
import { type ApiObject, as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, type AdmissionRule, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { mirrorPodProblem } from './mirror-pod.ts';
import { forbiddenLabels } from './node-labels.ts';
import { audienceProblem } from './token-audience.ts';

/** What kubelets write, with all sub-resources. */
const restricted = [
  ...['/pods', '/nodes', '/serviceaccounts', '/persistentvolumeclaims', 'coordination.k8s.io/leases'],
  ...['storage.k8s.io/csinodes', 'certificates.k8s.io/certificatesigningrequests'],
  'resource.k8s.io/resourceslices',
];

type Lookups = Pick<PluginParts, 'caches' | 'pods' | 'claims' | 'volumes' | 'authorizer'>;

/**
 * Keeps kubelets to their own node, its lease and its storage drivers, to pods that are bound to it, to mirror pods that
 * read nothing of the API, and to tokens of their own pods (upstream: plugin/pkg/admission/noderestriction).
 */
export const nodeRestriction = (parts: Lookups): AdmissionPlugin => new NodeRestriction(parts);

class NodeRestriction implements AdmissionPlugin {
  readonly name = 'NodeRestriction';
  readonly onlyRefuses = true;
  readonly handles: readonly AdmissionRule[] = [
    {
      operations: ['CREATE', 'UPDATE', 'DELETE'],
      resources: restricted.flatMap((name) => [name, `${name}/*`]),
    },
  ];
  readonly #parts: Lookups;

  constructor(parts: Lookups) {
    this.#parts = parts;
  }

  async admit(request: AdmissionRequest): Promise<void> {
    const node = nodeNameOf(request.user);
    if (node === undefined) return;
    const problem =
      node === ''
        ? `could not determine node from user ${JSON.stringify(request.user.name)}`
        : await this.#problem(node, request);
    if (problem !== undefined) throw refused(request, problem);
  }

  #problem(node: string, request: AdmissionRequest): Promise<string | undefined> | string | undefined {
    const { group, plural } = request.resource;
    switch (`${group}/${plural}`) {
      case '/pods':
        return this.#podProblem(node, request);
      case '/nodes':
        return nodeProblem(node, request);
      case '/serviceaccounts':
        return this.#tokenProblem(node, request);
      case '/persistentvolumeclaims':
        return claimProblem(node, request);
      case 'coordination.k8s.io/leases':
        if (request.namespace !== 'kube-node-lease') {
          return 'can only access leases in the "kube-node-lease" system namespace';
        }
        return ownName(node, request, 'node lease');
      case 'storage.k8s.io/csinodes':
        return ownName(node, request, 'CSINode');
      case 'certificates.k8s.io/certificatesigningrequests':
        return certificateProblem(node, request);
      case 'resource.k8s.io/resourceslices':
        return sliceProblem(node, request);
      default:
        return undefined;
    }
  }

  #podProblem(node: string, request: AdmissionRequest): Promise<string | undefined> | string | undefined {
    const { operation, subresource, object, previous } = request;
    if (subresource === '' && operation === 'CREATE') {
      return mirrorPodProblem(as<Pod>(object!), node, this.#parts.caches.nodes.get(node));
    }
    if (subresource === '' && operation === 'DELETE') {
      const isOwn = as<Pod>(previous!).spec?.nodeName === node;
      return isOwn ? undefined : `node "${node}" can only delete pods with spec.nodeName set to itself`;
    }
    if (subresource === '') {
      return `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`;
    }
    if (subresource === 'status' && operation === 'UPDATE') return podStatusProblem(node, object!, previous!);
    if (subresource === 'eviction') return this.#evictionProblem(node, request);
    return `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`;
  }

  async #evictionProblem(node: string, request: AdmissionRequest): Promise<string | undefined> {
    const { previous, namespace, name } = request;
    if (name === '') return 'could not determine pod from request data';
    const pod = previous ? as<Pod>(previous) : await this.#parts.pods.find(namespace, name);
    if (!pod) throw notFound({ group: '', resource: 'pod' }, name);
    if (pod.spec?.nodeName === node) return undefined;
    return `node ${node} can only evict pods with spec.nodeName set to itself`;
  }

  async #tokenProblem(node: string, request: AdmissionRequest): Promise<string | undefined> {
    const { operation, subresource, object, namespace, user, name } = request;
    if (operation !== 'CREATE' || subresource !== 'token') return undefined;
    const tokenRequest = as<TokenRequest>(object!);
    const bound = tokenRequest.spec?.boundObjectRef;
    if (bound?.apiVersion !== 'v1' || bound.kind !== 'Pod' || !bound.name) {
      return 'node requested token not bound to a pod';
    }
    if (!bound.uid) return 'node requested token with a pod binding without a uid';
    const pod = await this.#parts.pods.find(namespace, bound.name);
    if (!pod) throw notFound({ group: '', resource: 'pod' }, bound.name);
    if (pod.metadata?.uid !== bound.uid) {
      return `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    }
    if (pod.spec?.nodeName !== node) {
      return 'node requested token bound to a pod scheduled on a different node';
    }
    return audienceProblem(tokenRequest, pod, { ...this.#parts, user, account: name });
  }
}

function ownName(node: string, request: AdmissionRequest, what: string): string | undefined {
  if (request.name === node) return undefined;
  return `can only access ${what} with the same name as the requesting node`;
}

function podStatusProblem(node: string, next: ApiObject, previous: ApiObject): string | undefined {
  const [after, before] = [as<Pod>(next), as<Pod>(previous)];
  if (before.spec?.nodeName !== node) {
    return `node "${node}" can only update pod status for pods with spec.nodeName set to itself`;
  }
  if (!isDeepStrictEqual(next.metadata.labels ?? {}, previous.metadata.labels ?? {})) {
    return `node "${node}" cannot update labels through pod status`;
  }
  const { status: now = {} } = after;
  const { status: then = {} } = before;
  if (!isDeepStrictEqual(now.resourceClaimStatuses ?? [], then.resourceClaimStatuses ?? [])) {
    return `node "${node}" cannot update resource claim statues`;
  }
  if (!isDeepStrictEqual(now.extendedResourceClaimStatus, then.extendedResourceClaimStatus)) {
    return `node "${node}" cannot update extended resource claim status`;
  }
  return undefined;
}

function nodeProblem(node: string, request: AdmissionRequest): string | undefined {
  const { object, previous, name } = request;
  if (name !== node) return `node "${node}" is not allowed to modify node "${name}"`;
  if (!object) return undefined;
  const { spec, metadata } = as<Node>(object);
  const before = previous && as<Node>(previous);
  const { configSource } = spec ?? {};
  if (configSource && !isDeepStrictEqual(configSource, before?.spec?.configSource)) {
    const what = before ? 'update configSource to a new' : 'create pods with a';
    return `node "${node}" is not allowed to ${what} non-nil configSource`;
  }
  const labels = forbiddenLabels(metadata?.labels, before?.metadata?.labels).join(', ');
  if (!before) {
    return labels === '' ? undefined : `node "${node}" is not allowed to set the following labels: ${labels}`;
  }
  if (!isDeepStrictEqual(spec?.taints ?? [], before.spec?.taints ?? [])) {
    return `node "${node}" is not allowed to modify taints`;
  }
  if (!isDeepStrictEqual(metadata?.ownerReferences ?? [], before.metadata?.ownerReferences ?? [])) {
    return `node "${node}" is not allowed to modify ownerReferences`;
  }
  return labels === '' ? undefined : `is not allowed to modify labels: ${labels}`;
}

/** What a kubelet may say of a claim. */
const claimStatusFields = ['capacity', 'conditions', 'allocatedResources', 'allocatedResourceStatuses'];

function claimProblem(node: string, request: AdmissionRequest): string | undefined {
  const { subresource, operation, object, previous } = request;
  if (subresource !== 'status') return 'may only update PVC status';
  if (operation !== 'UPDATE') return `unexpected operation "${operation}"`;
  const isSame = isDeepStrictEqual(claimRest(object!), claimRest(previous!));
  if (isSame) return undefined;
  return `node "${node}" is not allowed to update fields other than status.quantity and status.conditions`;
}

function claimRest(claim: ApiObject): unknown {
  const { metadata, status = {}, ...rest } = as<PersistentVolumeClaim>(claim);
  const { resourceVersion: _version, managedFields: _managers, ...kept } = metadata;
  const statusRest = Object.entries(status).filter(([key]) => !claimStatusFields.includes(key));
  return JSON.parse(JSON.stringify({ ...rest, metadata: kept, status: statusRest }));
}

function sliceProblem(node: string, { operation, object, previous }: AdmissionRequest): string | undefined {
  if (operation !== 'CREATE' && operation !== 'DELETE') return undefined;
  const slice = operation === 'CREATE' ? object : previous;
  if (slice?.spec?.['nodeName'] === node) return undefined;
  const verb = operation === 'CREATE' ? 'create' : 'delete';
  return `can only ${verb} ResourceSlice with the same NodeName as the requesting node`;
}

const nodeSigners = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

/** A kubelet asks for certificates of its own name alone. */
function certificateProblem(node: string, { operation, object }: AdmissionRequest): string | undefined {
  if (operation !== 'CREATE') return undefined;
  const { signerName = '', request = '' }: Partial<CertificateSigningRequestSpec> =
    as<CertificateSigningRequest>(object!).spec ?? {};
  if (!nodeSigners.includes(signerName)) return undefined;
  const names = requestedCertificate(request)?.commonNames;
  if (!names) return 'unable to parse csr';
  const isOwn = names.length === 1 && names[0] === `system:node:${node}`;
  return isOwn ? undefined : `can only create a node CSR with CN=system:node:${node}`;
}
