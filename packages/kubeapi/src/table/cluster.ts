/** Rows of nodes, namespaces, events, leases and identities. */

import type {
  CertificateSigningRequest,
  Event,
  EventsV1Event,
  Lease,
  Namespace,
  Node,
  PriorityClass,
  ResourceQuota,
  RoleBinding,
  RuntimeClass,
  ServiceAccount,
} from '../generated/types.ts';
import { ownValue } from '../json-value.ts';
import { age, humanDuration } from './human-duration.ts';
import { ageColumn, column, nameColumn, orNone, type Printer, wide } from './printer.ts';

const rolePrefix = 'node-role.kubernetes.io/';

/** Prints nodes. */
export const nodePrinter: Printer<Node> = {
  columns: [
    ...[nameColumn, column('Status'), column('Roles'), ageColumn, column('Version')],
    ...[
      wide('Internal-IP'),
      wide('External-IP'),
      wide('OS-Image'),
      wide('Kernel-Version'),
      wide('Container-Runtime'),
    ],
  ],
  cells(node, nowMs) {
    const { nodeInfo } = node.status ?? {};
    const architecture = nodeInfo?.architecture ? ` (${nodeInfo.architecture})` : '';
    const address = (wanted: string) => node.status?.addresses?.find(({ type }) => type === wanted)?.address;
    return [
      ...[
        node.metadata.name ?? '',
        nodeStatus(node),
        nodeRoles(node),
        age(node.metadata.creationTimestamp, nowMs),
      ],
      ...[nodeInfo?.kubeletVersion ?? '', orNone(address('InternalIP')), orNone(address('ExternalIP'))],
      ...[nodeInfo?.osImage || '<unknown>', `${nodeInfo?.kernelVersion || '<unknown>'}${architecture}`],
      nodeInfo?.containerRuntimeVersion || '<unknown>',
    ];
  },
};

function nodeStatus(node: Node): string {
  const ready = node.status?.conditions?.findLast(({ type }) => type === 'Ready');
  const words = [ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'];
  if (node.spec.unschedulable) words.push('SchedulingDisabled');
  return words.join(',');
}

function nodeRoles(node: Node): string {
  const roles = Object.entries(node.metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length);
    return key === 'kubernetes.io/role' ? value : '';
  });
  return orNone([...new Set(roles.filter((role) => role !== ''))].sort().join(','));
}

/** Prints namespaces. */
export const namespacePrinter: Printer<Namespace> = {
  columns: [nameColumn, column('Status'), ageColumn],
  cells: ({ metadata, status }, nowMs) => [
    metadata.name ?? '',
    status?.phase ?? '',
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Prints service accounts. */
export const serviceAccountPrinter: Printer<ServiceAccount> = {
  columns: [nameColumn, ageColumn],
  cells: ({ metadata }, nowMs) => [metadata.name ?? '', age(metadata.creationTimestamp, nowMs)],
};

/** Prints leases. */
export const leasePrinter: Printer<Lease> = {
  columns: [nameColumn, column('Holder'), ageColumn],
  cells: ({ metadata, spec }, nowMs) => [
    ...[metadata.name ?? '', spec?.holderIdentity ?? '', age(metadata.creationTimestamp, nowMs)],
  ],
};

/** Prints runtime classes. */
export const runtimeClassPrinter: Printer<RuntimeClass> = {
  columns: [nameColumn, column('Handler'), ageColumn],
  cells: ({ metadata, handler }, nowMs) => [
    metadata.name ?? '',
    handler,
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Prints priority classes. */
export const priorityClassPrinter: Printer<PriorityClass> = {
  columns: [
    ...[nameColumn, column('Value', 'integer'), column('Global-Default', 'boolean'), ageColumn],
    column('PreemptionPolicy'),
  ],
  cells: ({ metadata, value, globalDefault, preemptionPolicy }, nowMs) => [
    ...[metadata.name ?? '', value ?? 0, globalDefault ?? false, age(metadata.creationTimestamp, nowMs)],
    preemptionPolicy ?? '',
  ],
};

/** Prints role bindings, of the namespace and of the cluster. */
export const roleBindingPrinter: Printer<RoleBinding> = {
  columns: [nameColumn, column('Role'), ageColumn, wide('Users'), wide('Groups'), wide('ServiceAccounts')],
  cells({ metadata, roleRef, subjects = [] }, nowMs) {
    const named = (wanted: string) => subjects.filter(({ kind }) => kind === wanted);
    const accounts = named('ServiceAccount').map(({ namespace, name }) => `${namespace}/${name}`);
    return [
      ...[metadata.name ?? '', `${roleRef.kind}/${roleRef.name}`, age(metadata.creationTimestamp, nowMs)],
      ...[named('User'), named('Group')].map((list) => list.map(({ name }) => name).join(', ')),
      accounts.join(', '),
    ];
  },
};

/** Prints certificate signing requests. */
export const signingRequestPrinter: Printer<CertificateSigningRequest> = {
  columns: [
    ...[nameColumn, ageColumn, column('SignerName'), column('Requestor'), column('RequestedDuration')],
    column('Condition'),
  ],
  cells({ metadata, spec, status }, nowMs) {
    const has = (wanted: string) => status?.conditions?.some(({ type }) => type === wanted) ?? false;
    const words = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'];
    if (has('Failed')) words.push('Failed');
    if (status?.certificate) words.push('Issued');
    const duration =
      spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000);
    return [
      ...[metadata.name ?? '', age(metadata.creationTimestamp, nowMs), orNone(spec.signerName)],
      ...[spec.username ?? '', duration, words.join(',')],
    ];
  },
};

/** Prints events of the core group. */
export const eventPrinter: Printer<Event> = {
  columns: [
    ...[
      column('Last Seen'),
      column('Type'),
      column('Reason'),
      column('Object'),
      wide('Subobject'),
      wide('Source'),
    ],
    ...[column('Message'), wide('First Seen'), wide('Count'), { ...wide('Name'), format: 'name' }],
  ],
  cells(event, nowMs) {
    const { involvedObject: target, source } = event;
    const firstSeen = age(event.firstTimestamp || event.eventTime, nowMs);
    const lastSeen = event.lastTimestamp ? age(event.lastTimestamp, nowMs) : firstSeen;
    const component = source?.component || event.reportingComponent || '';
    const instance = source?.host || event.reportingInstance;
    const kind = (target.kind ?? '').toLowerCase();
    return [
      event.series ? age(event.series.lastObservedTime, nowMs) : lastSeen,
      ...[
        event.type ?? '',
        event.reason ?? '',
        target.name ? `${kind}/${target.name}` : kind,
        target.fieldPath ?? '',
      ],
      ...[instance ? `${component}, ${instance}` : component, (event.message ?? '').trim(), firstSeen],
      ...[event.series?.count ?? (event.count || 1), event.metadata.name ?? ''],
    ];
  },
};

/** Prints events of events.k8s.io, which call the same things by other names. */
export const newEventPrinter: Printer<EventsV1Event> = {
  columns: eventPrinter.columns,
  cells: (event, nowMs) =>
    eventPrinter.cells(
      {
        ...event,
        involvedObject: event.regarding ?? {},
        message: event.note ?? '',
        source: event.deprecatedSource ?? {},
        firstTimestamp: event.deprecatedFirstTimestamp ?? '',
        lastTimestamp: event.deprecatedLastTimestamp ?? '',
        count: event.deprecatedCount ?? 0,
        reportingComponent: event.reportingController ?? '',
      } as Event,
      nowMs,
    ),
};

/** Prints resource quotas: what is used of what is allowed, requests and limits apart. */
export const resourceQuotaPrinter: Printer<ResourceQuota> = {
  columns: [nameColumn, column('Request'), column('Limit'), ageColumn],
  cells({ metadata, status }, nowMs) {
    const names = Object.keys(status?.hard ?? {}).sort();
    const list = (isLimit: boolean) =>
      names
        .filter((name) => name.startsWith('limits.') === isLimit)
        .map((name) => `${name}: ${ownValue(status?.used, name) ?? '0'}/${ownValue(status?.hard, name)}`)
        .join(', ');
    return [metadata.name ?? '', list(false), list(true), age(metadata.creationTimestamp, nowMs)];
  },
};
