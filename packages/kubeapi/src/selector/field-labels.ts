/** Which fields each kind lets clients select by, beyond `metadata.name` and `metadata.namespace`. */
import { ownValue } from '../json-value.ts';
import { badRequest } from '../status-errors.ts';
import { type FieldMatcher, fieldText } from './field-selector.ts';

const selectableFields: Record<string, readonly string[]> = {
  Pod: [
    ...['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName'],
    ...['spec.hostNetwork', 'status.phase', 'status.podIP', 'status.podIPs', 'status.nominatedNodeName'],
  ],
  Node: ['spec.unschedulable'],
  Namespace: ['status.phase'],
  Secret: ['type'],
  Service: ['spec.clusterIP', 'spec.type'],
  ReplicationController: ['status.replicas'],
  ReplicaSet: ['status.replicas'],
  Job: ['status.successful'],
  CertificateSigningRequest: ['spec.signerName'],
  Event: [
    ...['involvedObject.kind', 'involvedObject.namespace', 'involvedObject.name', 'involvedObject.uid'],
    ...['involvedObject.apiVersion', 'involvedObject.resourceVersion', 'involvedObject.fieldPath'],
    ...['reason', 'reportingComponent', 'source', 'type'],
  ],
};

/** Throws upstream's 400 when the selector names a field that the kind does not offer. */
export function checkFieldSelector(kind: string, matcher: FieldMatcher): void {
  for (const field of matcher.fields) {
    if (field === 'metadata.name' || field === 'metadata.namespace') continue;
    if (ownValue(selectableFields, kind)?.includes(field)) continue;
    throw badRequest(`field label not supported: ${field}`);
  }
}

/** The text of a selectable field of an object. */
export function selectableField(kind: string, object: object, field: string): string | undefined {
  if (kind === 'Event') return fieldText(object, eventField(object, field));
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
