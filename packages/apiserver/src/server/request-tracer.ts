import type { IncomingMessage } from 'node:http';
import type { Clock } from '@wherry/clock';
import { toStatusError } from '@wherry/kubeapi';
import {
  readTraceparent,
  type Span,
  spanOfCaller,
  type Tracer,
  traceIdOf,
  traceparentHeader,
} from '@wherry/telemetry';
import type { UserInfo } from '../authentication/identity.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { ApiObject } from '../objects/api-object.ts';

/** A request whose sender is known. */
export interface TracedRequest {
  http: IncomingMessage;
  info: RequestInfo;
  user: UserInfo;
  /** When it came, Unix time in milliseconds. */
  startMs: number;
}

/** What a request's work hears and tells of. */
export type OnWritten = ((object: ApiObject) => void) | undefined;

/** Whose word counts on which trace a request belongs to, as upstream: of others the span is named, and no more. */
const trustedGroups: ReadonlySet<string> = new Set(['system:masters', 'system:monitoring']);

/** The spans of requests. */
export class RequestTracer {
  readonly #tracer: Tracer;
  readonly #clock: Clock;

  constructor(tracer: Tracer, clock: Clock) {
    this.#tracer = tracer;
    this.#clock = clock;
  }

  /** When a request came. */
  nowMs(): number {
    return this.#clock.nowMs();
  }

  /** Serves a request inside its span. `work` returns the code that the answer has. */
  async serve(request: TracedRequest, work: (onWritten: OnWritten) => Promise<number>): Promise<void> {
    if (!this.#tracer.isOn) {
      await work(undefined);
      return;
    }
    const { http, info, user, startMs } = request;
    const { method = '' } = http;
    const isTrusted = user.groups.some((group) => trustedGroups.has(group));
    const options = {
      kind: 'server' as const,
      startMs,
      facts: { 'http.request.method': method, 'url.path': info.path },
      ...spanOfCaller(readTraceparent(http.headers[traceparentHeader]), isTrusted),
      isFailure: (error: unknown) => toStatusError(error).code >= 500,
    };
    await this.#tracer.within(nameOf(method, info), options, async (span) => {
      const tell = (code: number) => span.set({ 'http.response.status_code': code });
      try {
        tell(await work((object) => this.#written(object, request, span)));
      } catch (error) {
        tell(toStatusError(error).code);
        throw error;
      }
    });
  }

  /** A pod's own trace, which its kubelet goes on with, begins where it was written. */
  #written({ metadata }: ApiObject, { info, startMs }: TracedRequest, span: Span): void {
    const step = podSteps.get(`${info.resource}/${info.subresource}`);
    if (!step || info.group !== '') return;
    const { uid = '', name = '', namespace = '' } = metadata;
    const parent = this.#tracer.rootOf(traceIdOf(uid));
    if (!parent) return;
    const facts = { 'k8s.pod.uid': uid, 'k8s.pod.name': name, 'k8s.namespace.name': namespace };
    this.#tracer.begin(step, { parent, startMs, facts, links: [span.context] }).end();
  }
}

/** What is written for a pod before its kubelet knows of it, by resource and sub-resource. */
const podSteps: ReadonlyMap<string, string> = new Map([
  ['pods/', 'create pod'],
  ['pods/binding', 'bind pod'],
  ['bindings/', 'bind pod'],
]);

/** What a request's span is called, as upstream: without the names of objects and namespaces. */
function nameOf(method: string, info: RequestInfo): string {
  if (!info.isResource) return method;
  const { group, version, resource, subresource, name, isInNamespace } = info;
  const parts = [
    ...(group === '' ? ['api', version] : ['apis', group, version]),
    ...(isInNamespace ? ['namespaces', '{:namespace}'] : []),
    resource,
    ...(name === '' ? [] : ['{:name}']),
    ...(subresource === '' ? [] : [subresource]),
  ];
  return `${method} /${parts.join('/')}`;
}
