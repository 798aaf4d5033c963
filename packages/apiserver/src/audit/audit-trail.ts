import type { JsonObject, JsonValue, Status } from '@wherry/kubeapi';
import type { UserInfo } from '../authentication/identity.ts';
import type { Impersonated } from '../authorization/impersonation/modes.ts';
import { type AuditEvent, type AuditUser, withoutManagers } from './audit-event.ts';
import { type Level, levels, type Ruling, type Stage } from './audit-policy.ts';

/** What a trail is kept with. */
export interface TrailOptions {
  ruling: Ruling;
  /** What is known from the beginning. */
  event: AuditEvent;
  /** Now, as the log writes it. */
  nowText(): string;
  /** False when the event could not be written. */
  write(event: AuditEvent): boolean;
}

/** What one request leaves in the audit log: filled in on its way, written at each stage that the policy wants. */
export class AuditTrail {
  readonly #options: TrailOptions;
  readonly #event: AuditEvent;
  readonly #annotations = new Map<string, string>();
  #isOver = false;

  constructor(options: TrailOptions) {
    this.#options = options;
    this.#event = options.event;
  }

  /** Of the request's URL and sender; false when it could not be written. */
  received(): boolean {
    return this.#tell('RequestReceived', this.#event.requestReceivedTimestamp);
  }

  /** Of a request that lasts: the answer begins. */
  started(code: number): void {
    if (this.#isOver) return;
    this.#setCode(code);
    this.#tell('ResponseStarted');
  }

  /** The answer is over, whatever became of it. */
  completed(code: number): void {
    if (this.#isOver) return;
    this.#setCode(code);
    this.#tell('ResponseComplete');
    this.#isOver = true;
  }

  /** A mistake of this server ended the request. */
  panicked(message: string): void {
    if (this.#isOver) return;
    this.#event.responseStatus = {
      ...{ metadata: {}, status: 'Failure', message: `APIServer panic'd: ${message}` },
      ...{ reason: 'InternalError', code: 500 },
    };
    this.#tell('Panic');
    this.#isOver = true;
  }

  /** The answer to somebody who could not say who they are. */
  refused(status: Status): void {
    this.respondsStatus(status);
    this.#tell('ResponseStarted');
    this.#isOver = true;
  }

  impersonates({ user, constraint }: Impersonated): void {
    this.#event.impersonatedUser = auditUser(user);
    if (constraint) this.#event.authenticationMetadata = { impersonationConstraint: constraint };
  }

  /** The first of two values for a key stays. */
  annotate(key: string, value: string, level: Level = 'Metadata'): void {
    if (this.#isAtLeast(level) && !this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  /** The object that the request brings; of it the log names what the path does not. */
  requests(object: () => JsonObject): void {
    const value = object();
    this.#nameObject(value);
    if (this.#isAtLeast('Request')) this.#event.requestObject = this.#shown(value);
  }

  /** The patch that it brings, whichever its form. */
  patches(patch: JsonValue): void {
    if (this.#isAtLeast('Request')) this.#event.requestObject = patch;
  }

  /** What it is answered with; asked for only where the policy wants it. */
  responds(object: () => JsonValue): void {
    if (this.#isAtLeast('RequestResponse')) this.#event.responseObject = this.#shown(object());
  }

  /** The same, when it is a Status. */
  respondsStatus({ status, message, reason, details, code }: Status): void {
    this.#event.responseStatus = {
      metadata: {},
      ...(status ? { status } : {}),
      ...(message ? { message } : {}),
      ...(reason ? { reason } : {}),
      ...(details ? { details } : {}),
      ...(code ? { code } : {}),
    };
  }

  #isAtLeast(level: Level): boolean {
    return levels.indexOf(this.#event.level) >= levels.indexOf(level);
  }

  #shown(value: JsonValue): JsonValue {
    return this.#options.ruling.omitsManagedFields ? withoutManagers(value) : value;
  }

  #nameObject({ metadata }: JsonObject): void {
    if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return;
    const reference = this.#event.objectRef ?? {};
    for (const key of ['namespace', 'name', 'uid', 'resourceVersion'] as const) {
      const text = metadata[key];
      if (!reference[key] && typeof text === 'string' && text !== '') reference[key] = text;
    }
    this.#event.objectRef = reference;
  }

  #setCode(code: number): void {
    this.#event.responseStatus = { ...(this.#event.responseStatus ?? { metadata: {} }), code };
  }

  #tell(stage: Stage, at = this.#options.nowText()): boolean {
    if (this.#options.ruling.omitStages.has(stage)) return true;
    return this.#options.write({ ...inOrder(this.#event, this.#annotations), stage, stageTimestamp: at });
  }
}

/** Fields as upstream orders them: what was learnt late does not stand last. */
function inOrder(event: AuditEvent, annotations: ReadonlyMap<string, string>): AuditEvent {
  const { kind, apiVersion, level, auditID, stage, requestURI, verb, user } = event;
  const { impersonatedUser, authenticationMetadata, sourceIPs, userAgent, objectRef, responseStatus } = event;
  const { requestObject, responseObject, requestReceivedTimestamp, stageTimestamp } = event;
  return {
    ...{ kind, apiVersion, level, auditID, stage, requestURI, verb, user },
    ...(impersonatedUser ? { impersonatedUser } : {}),
    ...(authenticationMetadata ? { authenticationMetadata } : {}),
    ...(sourceIPs && sourceIPs.length > 0 ? { sourceIPs } : {}),
    ...(userAgent ? { userAgent } : {}),
    ...(objectRef ? { objectRef: { ...referenceInOrder(objectRef) } } : {}),
    ...(responseStatus ? { responseStatus } : {}),
    ...(requestObject === undefined ? {} : { requestObject }),
    ...(responseObject === undefined ? {} : { responseObject }),
    ...{ requestReceivedTimestamp, stageTimestamp },
    ...(annotations.size > 0 ? { annotations: Object.fromEntries([...annotations].sort()) } : {}),
  };
}

function referenceInOrder(reference: NonNullable<AuditEvent['objectRef']>) {
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = reference;
  const all = { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text));
}

/** As the log names somebody. */
export function auditUser({ name, uid, groups, extra }: UserInfo): AuditUser {
  return {
    username: name,
    ...(uid ? { uid } : {}),
    ...(groups.length > 0 ? { groups } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}
