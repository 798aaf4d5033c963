import type { KubeObject } from '@wherry/client';
import {
  type Deployment,
  type Pod,
  type Protocol,
  parseApiVersion,
  qualifiedResource,
  type ReplicationController,
  type Service,
} from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { podSpecOf } from '../../objects/pod-spec-of.ts';

const exposable = ['Pod', 'Service', 'ReplicationController', 'Deployment.apps', 'ReplicaSet.apps'];

/** Throws `CommandError` for an object of a kind that no service can be made for. */
export function requireExposable({ apiVersion = '', kind = '' }: KubeObject): void {
  const name = qualifiedResource(parseApiVersion(apiVersion)?.group ?? '', kind);
  if (!exposable.includes(name)) throw new CommandError(`cannot expose a ${name}`);
}

/** Labels of the pods that an object is, has or makes. Throws `CommandError` where nothing names them. */
export function podLabels(object: KubeObject): Record<string, string> {
  const found = selectorOf(object);
  if (typeof found !== 'string') return found;
  throw new CommandError(`couldn't retrieve selectors via --selector flag or introspection: ${found}`);
}

/** The labels, or why there are none. */
function selectorOf(object: KubeObject): Record<string, string> | string {
  const count = (map: object | undefined) => Object.keys(map ?? {}).length;
  if (object.kind === 'Pod') {
    const { labels = {} } = (object as Pod).metadata;
    return count(labels) > 0 ? labels : 'the pod has no labels and cannot be exposed';
  }
  if (object.kind === 'Service')
    return (object as Service).spec?.selector ?? 'the service has no pod selector set';
  if (object.kind === 'ReplicationController') return (object as ReplicationController).spec?.selector ?? {};
  const { matchLabels = {}, matchExpressions = [] } = (object as Deployment).spec?.selector ?? {};
  const kind = (object.kind ?? '').toLowerCase();
  if (count(matchLabels) === 0) return `invalid ${kind}: no selectors, therefore cannot be exposed`;
  if (matchExpressions.length === 0) return matchLabels;
  return `couldn't convert expressions - ${JSON.stringify(matchExpressions)} to map-based selector format`;
}

/** A port, and by which protocols it is there. */
export interface ExposedPort {
  port: number;
  protocols: Protocol[];
}

/** The ports of a service, or of an object's containers, each once. */
export function exposedPorts(object: KubeObject): ExposedPort[] {
  const found = new Map<number, Protocol[]>();
  for (const [port, protocol = 'TCP'] of allPorts(object))
    found.set(port, [...(found.get(port) ?? []), protocol]);
  return [...found].map(([port, protocols]) => ({ port, protocols }));
}

function allPorts(object: KubeObject): [port: number, protocol: Protocol | undefined][] {
  if (object.kind === 'Service')
    return ((object as Service).spec?.ports ?? []).map(({ port, protocol }) => [port, protocol]);
  return (podSpecOf(object)?.containers ?? []).flatMap(({ ports = [] }) =>
    ports.map(({ containerPort, protocol }): [number, Protocol | undefined] => [containerPort, protocol]),
  );
}
