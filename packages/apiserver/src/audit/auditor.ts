import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Clock } from '@wherry/clock';
import type { Counter, Logger, MetricsRegistry } from '@wherry/telemetry';
import type { UserInfo } from '../authentication/identity.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { limits } from '../limits.ts';
import type { AuditEvent } from './audit-event.ts';
import type { AuditPolicy } from './audit-policy.ts';
import { AuditTrail, auditUser } from './audit-trail.ts';

/** Where events go. */
export interface AuditSink {
  /** False when the event could not be written. */
  write(event: AuditEvent): boolean;
  /** True: a request whose beginning can't be written is refused. */
  readonly isStrict: boolean;
  /** Resolves once all that was taken has been written. */
  close(): Promise<void>;
}

/** What is audited, and where to. */
export interface AuditorOptions {
  policy: AuditPolicy;
  sink: AuditSink;
  metrics: MetricsRegistry;
  clock: Clock;
  logger: Logger;
}

/** A request of somebody. */
export interface AuditedRequest {
  id: string;
  http: IncomingMessage;
  info: RequestInfo;
  /** Undefined: they could not say who they are. */
  user: UserInfo | undefined;
}

/** Begins the trails of requests as the policy says. */
export class Auditor {
  readonly #options: AuditorOptions;
  readonly #events: Counter;
  readonly #errors: Counter;

  constructor(options: AuditorOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#events = metrics.counter(
      'apiserver_audit_event_total',
      'Events that were handed to the audit log.',
    );
    this.#errors = metrics.counter('apiserver_audit_error_total', 'Events that could not be written.');
  }

  /** The sink wants requests refused whose beginning can't be written. */
  get isStrict(): boolean {
    return this.#options.sink.isStrict;
  }

  /** Undefined where the policy wants nothing of the request. */
  trailOf({ id, http, info, user }: AuditedRequest): AuditTrail | undefined {
    const { policy, clock } = this.#options;
    const ruling = policy.rulingFor(info, user);
    if (ruling.level === 'None') return undefined;
    const nowText = () => microTime(clock.nowMs());
    const now = nowText();
    const event: AuditEvent = {
      ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: ruling.level, auditID: id },
      ...{ stage: 'RequestReceived', requestURI: http.url ?? '/', verb: info.verb },
      user: user ? auditUser(user) : {},
      ...{ sourceIPs: sourceIps(http), userAgent: userAgentOf(http) },
      ...(info.isResource ? { objectRef: referenceOf(info) } : {}),
      ...{ requestReceivedTimestamp: now, stageTimestamp: now },
    };
    return new AuditTrail({ ruling, event, nowText, write: (written) => this.#write(written) });
  }

  close(): Promise<void> {
    return this.#options.sink.close();
  }

  #write(event: AuditEvent): boolean {
    this.#events.add(1);
    const isWritten = this.#options.sink.write(event);
    if (!isWritten) this.#errors.add(1, { plugin: 'log' });
    return isWritten;
  }
}

function referenceOf({ resource, subresource, namespace, name, group, version }: RequestInfo) {
  return { resource, namespace, name, apiGroup: group, apiVersion: version, subresource };
}

function userAgentOf({ headers }: IncomingMessage): string {
  const agent = headers['user-agent'] ?? '';
  const most = limits.auditUserAgentCharactersMax;
  return agent.length > most ? `${agent.slice(0, most)}...TRUNCATED` : agent;
}

/** Who is said to have asked, the nearest last; only that one is certain. */
function sourceIps({ headers, socket }: IncomingMessage): string[] {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const said = forwarded.map((text) => text.trim()).filter((text) => isIP(text) !== 0);
  const real = String(headers['x-real-ip'] ?? '').trim();
  if (isIP(real) !== 0 && !said.includes(real)) said.push(real);
  const remote = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  if (remote !== '' && said.at(-1) !== remote) said.push(remote);
  return said;
}

/** As `MicroTime` prints it. */
function microTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/Z$/, '000Z');
}
