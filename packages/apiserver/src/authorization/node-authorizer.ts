import type { Pod, PolicyRule } from '@wherry/kubeapi';
import { nodeNameOf } from '../authentication/identity.ts';
import type { Attributes, Authorizer, Decision } from './authorizer.ts';
import { noOpinion } from './authorizer.ts';
import { ruleAllows } from './rbac.ts';

/** What the node authorizer looks up. */
export interface NodeAuthorizerOptions {
  /** What every node may do. */
  rules: readonly PolicyRule[];
  /** The pods of a namespace that are bound to the node and whose JSON contains `text`. */
  podsOfNode(node: string, namespace: string, text: string): Promise<Pod[]>;
}

const allow: Decision = { outcome: 'allow', reason: '' };
const no = (reason: string): Decision => ({ outcome: 'no-opinion', reason });

/** Lets a kubelet reach what its own pods name, and its own node, lease and CSI node (upstream: plugin/pkg/auth/authorizer/node). */
export class NodeAuthorizer implements Authorizer {
  readonly #options: NodeAuthorizerOptions;

  constructor(options: NodeAuthorizerOptions) {
    this.#options = options;
  }

  async authorize(attributes: Attributes): Promise<Decision> {
    const node = nodeNameOf(attributes.user);
    if (node === undefined) return noOpinion;
    if (attributes.isResource) {
      const { group, resource } = attributes;
      if (group === '' && (resource === 'secrets' || resource === 'configmaps')) {
        return this.#authorizeReference(node, attributes);
      }
      if (group === '' && resource === 'serviceaccounts') return this.#authorizeToken(node, attributes);
      const own = authorizeOwn(node, attributes);
      if (own) return own;
    }
    const isAllowed = this.#options.rules.some((rule) => ruleAllows(rule, attributes));
    return isAllowed ? allow : noOpinion;
  }

  /** Secrets and config maps: read only, by name, when a pod of the node names it. */
  async #authorizeReference(node: string, attributes: Attributes): Promise<Decision> {
    const { verb, resource, subresource, namespace, name } = attributes;
    if (!['get', 'list', 'watch'].includes(verb) || subresource !== '') {
      return no('can only read resources of this type');
    }
    if (name === '') return no('No Object name found');
    const pods = await this.#options.podsOfNode(node, namespace, JSON.stringify(name));
    const isNamed = pods.some((pod) =>
      references(pod, resource === 'secrets' ? 'secret' : 'configMap').has(name),
    );
    return isNamed ? allow : no(`no relationship found between node '${node}' and this object`);
  }

  async #authorizeToken(node: string, attributes: Attributes): Promise<Decision> {
    const { verb, subresource, namespace, name } = attributes;
    if (subresource !== 'token' || verb !== 'create')
      return no('can only create tokens for individual service accounts');
    const pods = await this.#options.podsOfNode(node, namespace, JSON.stringify(name));
    const isUsed = pods.some((pod) => pod.spec?.serviceAccountName === name);
    return isUsed ? allow : no(`no relationship found between node '${node}' and this object`);
  }
}

/** Nodes, leases and CSI nodes belong to the node of their name; pods are listed by node. Undefined: the rules decide. */
function authorizeOwn(node: string, attributes: Attributes): Decision | undefined {
  const { group, resource, verb, name, namespace } = attributes;
  if (group === 'coordination.k8s.io' && resource === 'leases') {
    if (namespace !== 'kube-node-lease')
      return no('can only access leases in the "kube-node-lease" system namespace');
    return verb === 'create' || name === node
      ? undefined
      : no('can only access node lease with the same name as the requesting node');
  }
  if (group === 'storage.k8s.io' && resource === 'csinodes') {
    return verb === 'create' || name === node
      ? undefined
      : no('can only access CSINode with the same name as the requesting node');
  }
  if (group === '' && resource === 'nodes') {
    const isOwn = verb === 'create' || name === node;
    return isOwn
      ? undefined
      : no(`node '${node}' cannot read '${name || 'all nodes'}', only its own Node object`);
  }
  if (group === '' && resource === 'pods' && (verb === 'list' || verb === 'watch')) {
    const isOwn = (attributes.fieldSelector ?? '').split(',').includes(`spec.nodeName=${node}`);
    return isOwn ? undefined : no('can only list/watch pods with spec.nodeName field selector');
  }
  return undefined;
}

/** Names of the secrets or config maps that a pod uses. */
function references(pod: Pod, kind: 'secret' | 'configMap'): Set<string> {
  const names = new Set<string | undefined>();
  const { spec } = pod;
  for (const volume of spec?.volumes ?? []) {
    names.add(kind === 'secret' ? volume.secret?.secretName : volume.configMap?.name);
    for (const source of volume.projected?.sources ?? []) names.add(source[kind]?.name);
  }
  const containers = [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ];
  for (const { env, envFrom } of containers) {
    for (const { valueFrom } of env ?? []) names.add(valueFrom?.[`${kind}KeyRef`]?.name);
    for (const source of envFrom ?? []) names.add(source[`${kind}Ref`]?.name);
  }
  if (kind === 'secret') for (const { name } of spec?.imagePullSecrets ?? []) names.add(name);
  names.delete(undefined);
  return names as Set<string>;
}
