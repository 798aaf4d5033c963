import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Clock } from '@wherry/clock';
import { microTimeFromMs } from '@wherry/kubeapi';
import type { Counter, CounterSeries, Logger, MetricsRegistry } from '@wherry/telemetry';
import type { UserInfo } from '../authentication/identity.ts';
import { objectNameOf, type RequestInfo } from '../http/request-info.ts';
import { limits } from '../limits.ts';
import type { AuditEvent } from './audit-event.ts';
import { type AuditPolicy, type Level, levels } from './audit-policy.ts';
import type { AuditSink } from './audit-sink.ts';
import { AuditTrail, auditUser } from './audit-trail.ts';

/** What is audited, and where to. */
export interface AuditorOptions {
  policy: AuditPolicy;
  sinks: readonly AuditSink[];
  errors: Counter;
  metrics: MetricsRegistry;
  clock: Clock;
  logger: Logger;
}

/** Counts events that could not be written. */
export const auditErrors = (metrics: MetricsRegistry): Counter =>
  metrics.counter('apiserver_audit_error_total', 'Events that could not be written.');

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
  readonly #byLevel: ReadonlyMap<Level, CounterSeries>;
  readonly #refused: Counter;

  constructor(options: AuditorOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#events = metrics.plainCounter('apiserver_audit_event_total', 'Events of the audit.');
    const levelsTotal = metrics.counter('apiserver_audit_level_total', 'Requests by how they are audited.');
    this.#byLevel = new Map(levels.map((level) => [level, levelsTotal.series({ level })]));
    this.#refused = metrics.plainCounter(
      'apiserver_audit_requests_rejected_total',
      'Requests that were refused since their audit could not be written.',
    );
  }

  /** Requests are refused whose beginning can't be written. */
  get isStrict(): boolean {
    return this.#options.sinks.some(({ isStrict }) => isStrict);
  }

  /** Undefined where the policy wants nothing of the request. */
  trailOf({ id, http, info, user }: AuditedRequest): AuditTrail | undefined {
    const { policy, clock } = this.#options;
    const ruling = policy.rulingFor(info, user);
    this.#byLevel.get(ruling.level)?.add(1);
    if (ruling.level === 'None') return undefined;
    const nowText = () => microTimeFromMs(clock.nowMs());
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

  /** A request is refused since its beginning could not be written. */
  refused(): void {
    this.#refused.add(1);
  }

  async close(): Promise<void> {
    await Promise.all(this.#options.sinks.map((sink) => sink.close()));
  }

  /** False where a strict sink could not take it. */
  #write(event: AuditEvent): boolean {
    const { sinks, errors } = this.#options;
    this.#events.add(1);
    let isWritten = true;
    for (const sink of sinks) {
      const plugin = sink.write(event);
      if (plugin === undefined) continue;
      errors.add(1, { plugin });
      if (sink.isStrict) isWritten = false;
    }
    return isWritten;
  }
}

function referenceOf(info: RequestInfo) {
  const { resource, subresource, namespace, group, version } = info;
  const name = objectNameOf(info);
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
