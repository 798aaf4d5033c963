import { type PolicyRule, parseFieldSelector } from '@wherry/kubeapi';
import { nodeNameOf } from '../authentication/identity.ts';
import type { Attributes, Authorizer, Decision } from './authorizer.ts';
import { noOpinion } from './authorizer.ts';
import type { NodeGraph, Reachable } from './node-graph.ts';
import { ruleAllows } from './rbac.ts';

/** What the node authorizer decides by. */
export interface NodeAuthorizerOptions {
  /** What every node may do with what is not divided among them. */
  rules: readonly PolicyRule[];
  graph: NodeGraph;
}

const allow: Decision = { outcome: 'allow', reason: '' };
const no = (reason = ''): Decision => ({ outcome: 'no-opinion', reason });
const reads = ['get', 'list', 'watch'];
const ownWrites = ['get', 'create', 'update', 'patch', 'delete'];

type Judge = (node: string, attributes: Attributes) => Decision;

/**
 * Lets a kubelet reach what its own pods name, and its own node, lease and CSI node (upstream:
 * plugin/pkg/auth/authorizer/node, with AuthorizeNodeWithSelectors). What can only be seen in the object itself, on
 * creations and changes, is NodeRestriction's to check.
 */
export class NodeAuthorizer implements Authorizer {
  readonly #rules: readonly PolicyRule[];
  readonly #graph: NodeGraph;
  readonly #judges: ReadonlyMap<string, Judge>;

  constructor({ rules, graph }: NodeAuthorizerOptions) {
    this.#rules = rules;
    this.#graph = graph;
    this.#judges = new Map<string, Judge>([
      ['/secrets', (node, attributes) => this.#read(node, 'secrets', attributes)],
      ['/configmaps', (node, attributes) => this.#read(node, 'configmaps', attributes)],
      ['/serviceaccounts', (node, attributes) => this.#account(node, attributes)],
      ['/persistentvolumeclaims', (node, attributes) => this.#claim(node, attributes)],
      ['/persistentvolumes', (node, attributes) => this.#volume(node, attributes)],
      ['/nodes', authorizeNode],
      ['/pods', (node, attributes) => this.#pod(node, attributes)],
      ['coordination.k8s.io/leases', authorizeLease],
      ['storage.k8s.io/csinodes', authorizeCsiNode],
      ['resource.k8s.io/resourceclaims', (node, attributes) => this.#deviceClaim(node, attributes)],
      ['resource.k8s.io/resourceslices', (node, attributes) => this.#slice(node, attributes)],
      ['storage.k8s.io/volumeattachments', (node, attributes) => this.#attachment(node, attributes)],
    ]);
  }

  authorize(attributes: Attributes): Decision {
    const node = nodeNameOf(attributes.user);
    if (node === undefined) return noOpinion;
    if (node === '') return no(`unknown node for user ${JSON.stringify(attributes.user.name)}`);
    const { isResource, group, resource } = attributes;
    const judge = isResource ? this.#judges.get(`${group}/${resource}`) : undefined;
    if (judge) return judge(node, attributes);
    return this.#rules.some((rule) => ruleAllows(rule, attributes)) ? allow : noOpinion;
  }

  /** By name, when a pod of the node names it. */
  #read(node: string, kind: Reachable, attributes: Attributes): Decision {
    const { verb, subresource, namespace } = attributes;
    if (!reads.includes(verb)) return no('can only read resources of this type');
    if (subresource !== '') return no('cannot read subresource');
    if (namespace === '') return no('can only read namespaced object of this type');
    return this.#related(node, kind, attributes);
  }

  #account(node: string, attributes: Attributes): Decision {
    const { verb, subresource, name } = attributes;
    if (verb === 'get' && subresource === '') return this.#read(node, 'serviceaccounts', attributes);
    if (verb !== 'create' || name === '') return no('can only create tokens for individual service accounts');
    if (subresource !== 'token') return no('can only create token subresource of serviceaccount');
    return this.#related(node, 'serviceaccounts', attributes);
  }

  #claim(node: string, attributes: Attributes): Decision {
    const { verb, subresource } = attributes;
    if (subresource === 'status') {
      const isWrite = verb === 'update' || verb === 'patch';
      if (!isWrite) return no('can only get/update/patch this type');
    } else if (verb !== 'get') return no('can only get individual resources of this type');
    else if (subresource !== '') return no('cannot get subresource');
    return this.#related(node, 'persistentvolumeclaims', attributes);
  }

  #deviceClaim(node: string, attributes: Attributes): Decision {
    const { verb, subresource } = attributes;
    if (verb !== 'get') return no('can only get individual resources of this type');
    if (subresource !== '') return no('cannot get subresource');
    return this.#related(node, 'resourceclaims', attributes);
  }

  /** Its own node's: drivers of claims ask with a kubelet's right or with their own, and kubelets clear up behind them. */
  #slice(node: string, { verb, subresource, name, fieldSelector = '' }: Attributes): Decision {
    if (subresource !== '') return no('cannot authorize ResourceSlice subresources');
    if (verb === 'create') return allow;
    if (['get', 'update', 'patch', 'delete'].includes(verb))
      return this.#graph.reachesSlice(node, name) ? allow : unrelated(node);
    if (!['list', 'watch', 'deletecollection'].includes(verb))
      return no(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
      );
    if (selectsNode(fieldSelector, node)) return allow;
    return no('can only list/watch/deletecollection resourceslices with nodeName field selector');
  }

  #volume(node: string, { verb, subresource, name }: Attributes): Decision {
    if (verb !== 'get') return no('can only get individual resources of this type');
    if (subresource !== '') return no('cannot get subresource');
    return this.#graph.reachesVolume(node, name) ? allow : unrelated(node);
  }

  #attachment(node: string, { verb, subresource, name }: Attributes): Decision {
    if (verb !== 'get') return no('can only get individual resources of this type');
    if (subresource !== '') return no('cannot get subresource');
    return this.#graph.reachesAttachment(node, name) ? allow : unrelated(node);
  }

  #related(node: string, kind: Reachable, { namespace, name }: Attributes): Decision {
    if (name === '') return no('No Object name found');
    return this.#graph.reaches(node, kind, { namespace, name }) ? allow : unrelated(node);
  }

  #pod(node: string, attributes: Attributes): Decision {
    const { verb, subresource, name, namespace, fieldSelector = '' } = attributes;
    const isOwn = () => name !== '' && this.#graph.pod(namespace, name)?.node === node;
    if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allow : no();
    if (subresource === 'eviction') return verb === 'create' ? allow : no();
    if (subresource !== '') return no();
    if (verb === 'create' || verb === 'delete') return allow;
    if (verb === 'get') return isOwn() ? allow : name === '' ? no('No Object name found') : unrelated(node);
    if (verb !== 'list' && verb !== 'watch') return no();
    if (selectsNode(fieldSelector, node)) return allow;
    if (name !== '') return isOwn() ? allow : unrelated(node);
    return no('can only list/watch pods with spec.nodeName field selector');
  }
}

/** Read as the list itself reads it: a comma that is escaped belongs to a value, and parts nothing. */
function selectsNode(fieldSelector: string, node: string): boolean {
  try {
    const { terms } = parseFieldSelector(fieldSelector);
    return terms.some(({ field, isEqual, value }) => field === 'spec.nodeName' && isEqual && value === node);
  } catch {
    return false;
  }
}

function unrelated(node: string): Decision {
  return no(`no relationship found between node '${node}' and this object`);
}

function authorizeNode(node: string, { verb, subresource, name }: Attributes): Decision {
  const isWrite = verb === 'update' || verb === 'patch';
  if (subresource === 'status') return isWrite ? allow : no();
  if (subresource !== '') return no();
  if (isWrite || verb === 'create') return allow;
  if (!reads.includes(verb)) return no();
  if (name === node) return allow;
  const what = name === '' ? 'all nodes' : `'${name}'`;
  return no(`node '${node}' cannot read ${what}, only its own Node object`);
}

function authorizeLease(node: string, { verb, namespace, name }: Attributes): Decision {
  if (!ownWrites.includes(verb)) return no('can only get, create, update, patch, or delete a node lease');
  if (namespace !== 'kube-node-lease')
    return no('can only access leases in the "kube-node-lease" system namespace');
  if (verb === 'create' || name === node) return allow;
  return no('can only access node lease with the same name as the requesting node');
}

function authorizeCsiNode(node: string, { verb, subresource, name }: Attributes): Decision {
  if (!ownWrites.includes(verb)) return no('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return no('cannot authorize CSINode subresources');
  if (verb === 'create' || name === node) return allow;
  return no('can only access CSINode with the same name as the requesting node');
}
