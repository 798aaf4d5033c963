import { groups, type UserInfo } from '../authentication/identity.ts';
import type { RequestInfo } from '../http/request-info.ts';

/**
 * Levels of priority, as upstream suggests them (apiserver pkg/apis/flowcontrol/bootstrap): each has a share of the
 * places for requests that are served at once. What is `exempt` is never held up.
 */
export const levelShares = {
  system: 30,
  'node-high': 40,
  'leader-election': 10,
  'workload-high': 40,
  'workload-low': 100,
  'global-default': 20,
  'catch-all': 5,
} as const;

/** A level that requests may have to wait at. */
export type LevelName = keyof typeof levelShares;

/** Where a request belongs. */
export interface Place {
  level: LevelName | 'exempt';
  /** The rule that says so; metrics name it. */
  schema: string;
  /** Requests of one flow wait behind each other, and those of several take turns: a user, or a namespace. */
  flow: string;
}

interface Schema {
  name: string;
  level: LevelName | 'exempt';
  takes(user: UserInfo, info: RequestInfo): boolean;
  flow?: (info: RequestInfo) => string;
}

const ofNamespace = ({ namespace }: RequestInfo) => namespace;
const isSystemAccount = ({ name }: UserInfo) => name.startsWith('system:serviceaccount:kube-system:');
const isLeader = ({ name }: UserInfo) =>
  name === 'system:kube-controller-manager' || name === 'system:kube-scheduler';
const leaseVerbs: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch']);
const isLease = ({ group, resource }: RequestInfo) =>
  group === 'coordination.k8s.io' && resource === 'leases';
/** Whoever asks whether the server lives must be told. */
export const isHealthPath = ({ isResource, path }: RequestInfo) =>
  !isResource && /^\/(healthz|livez|readyz)(\/|$)/.test(path);
const isNodeUpkeep = (info: RequestInfo) => isLease(info) || (info.group === '' && info.resource === 'nodes');

/** Asked in this order, upstream's of precedence. */
const schemas: readonly Schema[] = [
  { name: 'exempt', level: 'exempt', takes: (user) => user.groups.includes(groups.masters) },
  { name: 'probes', level: 'exempt', takes: (_, info) => isHealthPath(info) },
  {
    name: 'system-leader-election',
    level: 'leader-election',
    takes: (user, info) =>
      (isLeader(user) || isSystemAccount(user)) && isLease(info) && leaseVerbs.has(info.verb),
  },
  {
    name: 'system-node-high',
    level: 'node-high',
    takes: (user, info) => user.groups.includes(groups.nodes) && isNodeUpkeep(info),
  },
  { name: 'system-nodes', level: 'system', takes: (user) => user.groups.includes(groups.nodes) },
  { name: 'kube-controllers', level: 'workload-high', takes: isLeader, flow: ofNamespace },
  { name: 'kube-system-service-accounts', level: 'workload-high', takes: isSystemAccount, flow: ofNamespace },
  {
    name: 'service-accounts',
    level: 'workload-low',
    takes: (user) => user.groups.includes(groups.serviceAccounts),
  },
  {
    name: 'global-default',
    level: 'global-default',
    takes: (user) =>
      user.groups.includes(groups.authenticated) || user.groups.includes(groups.unauthenticated),
  },
];

/** The level, and the flow in it, of a user's request. */
export function placeOf(user: UserInfo, info: RequestInfo): Place {
  const schema = schemas.find(({ takes }) => takes(user, info));
  if (!schema) return { level: 'catch-all', schema: 'catch-all', flow: user.name };
  const { name, level, flow } = schema;
  return { level, schema: name, flow: flow ? flow(info) : user.name };
}
