/** Which fields each kind lets clients select by, beyond `metadata.name` and `metadata.namespace`. */
import type { GroupVersionKind } from '../generated/types.ts';
import { badRequest } from '../status-errors.ts';
import { type FieldMatcher, fieldText } from './field-selector.ts';

const eventFields = [
  ...['involvedObject.kind', 'involvedObject.namespace', 'involvedObject.name', 'involvedObject.uid'],
  ...['involvedObject.apiVersion', 'involvedObject.resourceVersion', 'involvedObject.fieldPath'],
  ...['reason', 'reportingComponent', 'source', 'type'],
];

/** By `group/Kind`: kinds of other groups that share a name share nothing else. */
const selectableFields: ReadonlyMap<string, readonly string[]> = new Map([
  [
    '/Pod',
    [
      ...['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName'],
      ...['spec.hostNetwork', 'status.phase', 'status.podIP', 'status.podIPs', 'status.nominatedNodeName'],
    ],
  ],
  ['/Node', ['spec.unschedulable']],
  ['/Namespace', ['status.phase']],
  ['/Secret', ['type']],
  ['/Service', ['spec.clusterIP', 'spec.type']],
  ['/ReplicationController', ['status.replicas']],
  ['apps/ReplicaSet', ['status.replicas']],
  ['batch/Job', ['status.successful']],
  ['certificates.k8s.io/CertificateSigningRequest', ['spec.signerName']],
  ['/Event', eventFields],
  ['events.k8s.io/Event', eventFields],
]);

/** A kind, whatever its version. */
type Kind = Pick<GroupVersionKind, 'group' | 'kind'>;

/** Throws upstream's 400 when the selector names a field that the kind does not offer. */
export function checkFieldSelector({ group, kind }: Kind, matcher: FieldMatcher): void {
  const offered = selectableFields.get(`${group}/${kind}`);
  for (const field of matcher.fields) {
    if (field === 'metadata.name' || field === 'metadata.namespace') continue;
    if (offered?.includes(field)) continue;
    throw badRequest(`field label not supported: ${field}`);
  }
}

/** The text of a selectable field of an object. */
export function selectableField({ group, kind }: Kind, object: object, field: string): string | undefined {
  const isEvent = kind === 'Event' && (group === '' || group === 'events.k8s.io');
  if (isEvent) return fieldText(object, eventField(object, field));
  const value = fieldText(object, field);
  if (value !== undefined) return value;
  if (field === 'spec.hostNetwork' || field === 'spec.unschedulable') return 'false';
  return field === 'status.replicas' ? '0' : undefined;
}

/** Events of events.k8s.io call the same things by other names. */
function eventField(object: object, field: string): string {
  if (field === 'source') return 'source.component';
  if (!('regarding' in object)) return field;
  if (field.startsWith('involvedObject.')) return field.replace('involvedObject', 'regarding');
  return field === 'reportingComponent' ? 'reportingController' : field;
}
