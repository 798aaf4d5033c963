import { exactJson, type JsonObject, type JsonValue, type StatusDetails } from '@wherry/kubeapi';
import type { Level, Stage } from './audit-policy.ts';

/** Somebody as the log names them; what is empty is left out. */
export interface AuditUser {
  username?: string;
  uid?: string;
  groups?: readonly string[];
  extra?: Readonly<Record<string, readonly string[]>>;
}

/** Which object a request is about. */
export interface ObjectReference {
  resource?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}

/** How it was answered. */
export interface AuditStatus {
  metadata: Record<string, never>;
  status?: string;
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** What is written down of a request at one moment (audit.k8s.io/v1 Event, with upstream's order of fields). */
export interface AuditEvent {
  kind: 'Event';
  apiVersion: 'audit.k8s.io/v1';
  level: Level;
  auditID: string;
  stage: Stage;
  requestURI: string;
  verb: string;
  user: AuditUser;
  impersonatedUser?: AuditUser;
  /** By which verb of constrained impersonation. */
  authenticationMetadata?: { impersonationConstraint: string };
  sourceIPs?: readonly string[];
  userAgent?: string;
  objectRef?: ObjectReference;
  responseStatus?: AuditStatus;
  requestObject?: JsonValue;
  responseObject?: JsonValue;
  requestReceivedTimestamp: string;
  stageTimestamp: string;
  annotations?: Readonly<Record<string, string>>;
}

/** One line of the log, with its end. */
export type EventFormat = (event: AuditEvent) => string;

/** `json`. */
export const jsonLine: EventFormat = (event) => `${exactJson(event)}\n`;

/** `legacy`: a part of the event in words. */
export const legacyLine: EventFormat = (event) => {
  const { user, impersonatedUser, objectRef, responseStatus, sourceIPs = [] } = event;
  const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(',');
  const groups = user.username && user.groups ? quoted(user.groups) : '<none>';
  const { username: as = '<self>', groups: asGroups } = impersonatedUser ?? {};
  const facts: [string, string][] = [
    ['id', event.auditID],
    ['stage', event.stage],
    ['ip', sourceIPs[0] ?? '<unknown>'],
    ['method', event.verb],
    ['user', user.username ?? '<none>'],
    ['groups', groups],
    ['as', as],
    ['asgroups', asGroups ? quoted(asGroups) : '<lookup>'],
    ['user-agent', event.userAgent ?? ''],
    ['namespace', objectRef?.namespace ?? '<none>'],
    ['uri', event.requestURI],
    ['response', responseStatus?.code === undefined ? '<deferred>' : String(responseStatus.code)],
  ];
  const said = facts.map(([name, text]) => `${name}=${JSON.stringify(text)}`).join(' ');
  return `${event.requestReceivedTimestamp} AUDIT: ${said}\n`;
};

/** The same without `metadata.managedFields`: of an object, the items of a list, the rows of a Table. */
export function withoutManagers(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { metadata, items, rows, ...rest } = value;
  return {
    ...rest,
    ...(metadata === undefined ? {} : { metadata: withoutField(metadata) }),
    ...(Array.isArray(items) ? { items: items.map(withoutManagers) } : items === undefined ? {} : { items }),
    ...(Array.isArray(rows) ? { rows: rows.map(rowWithout) } : rows === undefined ? {} : { rows }),
  };
}

function rowWithout(row: JsonValue): JsonValue {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row;
  const { object, ...rest } = row;
  return object === undefined ? rest : { ...rest, object: withoutManagers(object) };
}

function withoutField(metadata: JsonValue): JsonValue {
  const { managedFields: _managedFields, ...rest } = metadata as JsonObject;
  return rest;
}
