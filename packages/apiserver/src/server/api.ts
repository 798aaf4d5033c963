import { randomUUID } from 'node:crypto';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@wherry/clock';
import {
  type APIService,
  badRequest,
  internalError,
  type JsonObject,
  notAcceptable,
  parseDurationMs,
  requestEntityTooLarge,
  StatusError,
  timedOut,
  toStatusError,
} from '@wherry/kubeapi';
import { type Logger, type MetricsRegistry, type Tracer, unattended } from '@wherry/telemetry';
import type { ExtensionProxy } from '../aggregation/extension-proxy.ts';
import { extensionOf } from '../aggregation/extensions.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Auditor } from '../audit/auditor.ts';
import type { Authenticator } from '../authentication/authenticator.ts';
import { anonymous, type UserInfo } from '../authentication/identity.ts';
import type { AuthorizationFigures } from '../authorization/authorization-figures.ts';
import { type Attributes, type Authorizer, attributesOf, refusalOf } from '../authorization/authorizer.ts';
import { Impersonation } from '../authorization/impersonation/impersonation.ts';
import type { FlowControl } from '../flow/flow-control.ts';
import type { Place } from '../flow/levels.ts';
import { isLongRunning, longRunningSubresources } from '../flow/long-running.ts';
import { onBodyRead } from '../http/body.ts';
import { carrierOf, takeNoMoreBehind } from '../http/carrier.ts';
import {
  isForPeople,
  type MediaType,
  negotiate,
  plainJson,
  representations,
  streamMediaTypes,
  unroutable,
} from '../http/negotiation.ts';
import { sendPageNotFound } from '../http/page-not-found.ts';
import { Query } from '../http/query.ts';
import { discardBody, limitBodyTime } from '../http/request-body-time.ts';
import { type RequestInfo, readRequestInfo } from '../http/request-info.ts';
import { sendWarnings } from '../http/warnings.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import type { Wire } from '../registry/handler.ts';
import { onBodySent } from '../responses/body.ts';
import { sendStatus } from '../responses/responder.ts';
import { StoreError } from '../store/errors.ts';
import { auditedWire } from './audited-wire.ts';
import { type MeasuredRequest, RequestMetrics } from './figures/request-metrics.ts';
import { loggedUrl } from './logged-url.ts';
import { RequestDeadlines } from './request-deadlines.ts';
import { type OnWritten, RequestTracer } from './request-tracer.ts';
import type { ResourceRouter } from './resource-router.ts';
import type { RootPaths } from './root-paths.ts';

/** What every request passes through. */
export interface ApiOptions {
  authenticator: Authenticator;
  authorizer: Authorizer;
  authorizationFigures: AuthorizationFigures;
  router: ResourceRouter;
  rootPaths: RootPaths;
  flows: FlowControl;
  /** The APIServices whose servers answer in place of this one. */
  apiServices: ObjectCache<APIService>;
  extensions: ExtensionProxy;
  /** Undefined: nothing is audited. */
  auditor: Auditor | undefined;
  metrics: MetricsRegistry;
  tracer: Tracer;
  clock: Clock;
  logger: Logger;
  /** The longest that a request may take, but for those that last as long as they are used. */
  requestTimeoutMs: number;
  /** The shortest that a watch lasts whose client says no time. */
  watchMinimumMs: number;
}

interface RequestParts {
  auditId: string;
  /** Begun once it is known who asks; undefined where nothing is written down. */
  trail: AuditTrail | undefined;
  info: RequestInfo;
  query: Query;
  signal: AbortSignal;
  /** Sent with the answer, whatever it is. */
  warnings: string[];
  wire: Wire;
  measured: MeasuredRequest;
  /** How long it may take; undefined where it lasts as long as it is used. */
  timeMs: number | undefined;
}

/** One request: authentication, authorization, routing, and whatever goes wrong on the way as a Status. */
export class Api {
  readonly #options: ApiOptions;
  readonly #metrics: RequestMetrics;
  readonly #spans: RequestTracer;
  readonly #impersonation: Impersonation;
  readonly #deadlines: RequestDeadlines;
  /** One per request; a signal of the whole server would gather a listener for each. */
  readonly #active = new Set<AbortController>();

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#metrics = new RequestMetrics(options.metrics, options.clock, (info) => options.router.known(info));
    this.#spans = new RequestTracer(options.tracer, options.clock);
    this.#impersonation = new Impersonation(options.authorizer);
    const { clock, requestTimeoutMs: usualMs } = options;
    this.#deadlines = new RequestDeadlines({ clock, usualMs });
  }

  /** Ends watches and streams. */
  close(): void {
    this.#deadlines.close();
    for (const abort of this.#active) abort.abort(new Error('the API server is closing'));
  }

  handleRequest(request: IncomingMessage, response: ServerResponse): void {
    this.#start(request, { response: () => response, exchange: undefined });
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    let response: ServerResponse | undefined;
    const respond = () => (response ??= responseOnSocket(request, socket));
    socket.on('error', () => {});
    this.#start(request, { response: respond, exchange: { request, socket, head } });
  }

  /** True for what an extension server answers. */
  isElsewhere({ method = '', url = '/' }: IncomingMessage): boolean {
    const [path = '/', search = ''] = url.split(/\?(.*)/s);
    try {
      const info = readInfo(method, path, new URLSearchParams(search));
      return extensionOf(this.#options.apiServices, info) !== undefined;
    } catch {
      return false;
    }
  }

  /** Whatever goes wrong in a request, the answer to it included, ends that request's connection at most. */
  #start(http: IncomingMessage, wire: Wire): void {
    const { logger } = this.#options;
    const onFailure = () => carrierOf(http).destroy();
    unattended(this.#handle(http, wire), { logger, task: 'a request', onFailure });
  }

  async #handle(http: IncomingMessage, wire: Wire): Promise<void> {
    const abort = new AbortController();
    const leave = () => abort.abort(new Error('the client is gone'));
    const carrier = carrierOf(http);
    carrier.once('close', leave);
    this.#active.add(abort);
    const { signal } = abort;
    const measured = this.#metrics.begin(http);
    let code = 200;
    const warnings: string[] = [];
    let stopWaiting = () => {};
    let endDeadline: () => unknown = () => {};
    let isLate = false;
    let parts: RequestParts | undefined;
    const auditId = auditIdOf(http);
    if (!wire.exchange) wire.response().setHeader('Audit-Id', auditId);
    try {
      const [path = '/', search = ''] = (http.url ?? '/').split(/\?(.*)/s);
      const parameters = new URLSearchParams(search);
      const info = readInfo(http.method ?? 'GET', path, parameters);
      measured.isAbout(info);
      onBodyRead(http, measured.wasSent);
      if (!wire.exchange && sizedVerbs.has(info.verb)) onBodySent(wire.response(), measured.answeredWith);
      const isLong = longRunningSubresources.has(info.subresource);
      if (!isLong) stopWaiting = limitBodyTime(http, this.#options.clock);
      const query = new Query(parameters);
      parts = { info, query, signal, warnings, wire, auditId, trail: undefined, measured, timeMs: undefined };
      const current = parts;
      parts.timeMs = this.#timeOf(http, parts);
      if (parts.timeMs !== undefined)
        endDeadline = this.#deadlines.begin(parts.timeMs, () => {
          isLate = true;
          this.#expire(http, current, abort);
        });
      await this.#serve(http, parts);
      code = isLate ? late.code : codeOf(wire);
      if (!wire.exchange && !isLong) discardBody(http, wire.response(), this.#options.clock);
    } catch (error) {
      const failure = isLate ? late : asStatusError(error);
      code = failure.code;
      // Who is late has been answered, and what a handler still does with its answer goes nowhere.
      if (!isLate) {
        if (!wire.exchange) sendWarnings(wire.response(), warnings);
        if (isOwnMistake(error)) parts?.trail?.panicked((error as Error).message);
        this.#fail(failure, http, parts?.wire ?? wire, measured);
      }
    } finally {
      carrier.off('close', leave);
      this.#active.delete(abort);
      stopWaiting();
      endDeadline();
      parts?.trail?.completed(code);
      measured.ended(code);
      this.#options.logger.debug('request', { method: http.method, url: loggedUrl(http.url), code });
    }
  }

  /** The request is over: it is answered, or torn where its answer has begun, and what it waits for is let go. */
  #expire(http: IncomingMessage, { wire, measured }: RequestParts, abort: AbortController): void {
    const response = wire.response();
    response.on('error', () => {});
    measured.terminated(late.code);
    if (!response.writableEnded) this.#fail(late, http, wire, measured);
    abort.abort(late);
  }

  /** How long a request may take. Throws 400, whoever asks, for a time that is none. */
  #timeOf(http: IncomingMessage, { info, query, auditId }: RequestParts): number | undefined {
    if (isLongRunning(info)) return undefined;
    const text = query.text('timeout');
    if (text === '') return this.#deadlines.usualMs;
    try {
      return this.#deadlines.timeFor(parseDurationMs(text));
    } catch (error) {
      const refusal = badRequest(
        `invalid timeout specified in the request URL - ${(error as Error).message}`,
        error,
      );
      const trail = this.#options.auditor?.trailOf({ id: auditId, http, info, user: undefined });
      trail?.responds(() => refusal.status as unknown as JsonObject);
      trail?.refused(refusal.status);
      throw refusal;
    }
  }

  async #serve(http: IncomingMessage, parts: RequestParts): Promise<void> {
    const startMs = this.#spans.nowMs();
    const user = await this.#identify(http, parts);
    const { info, signal, wire, measured } = parts;
    const { flows, clock } = this.#options;
    await this.#spans.serve({ http, info, user, startMs }, async (onWritten) => {
      const place = flows.placeOf(user, info);
      if (!wire.exchange && place) tellPlace(wire.response(), place);
      const inLineSinceMs = clock.monotonicMs();
      const entering = { info, signal, timeMs: parts.timeMs };
      const leave = await flows.enter(place, user, entering).catch((refusal: unknown) => {
        measured.terminated(429);
        throw refusal;
      });
      const hasPlaceSinceMs = measured.passed('priorityandfairness', inLineSinceMs);
      measured.waited(hasPlaceSinceMs - inLineSinceMs);
      try {
        await this.#authorize(user, parts);
        measured.passed('authorization', hasPlaceSinceMs);
        await this.#answer(http, { ...parts, user, onWritten });
      } finally {
        leave();
      }
      return codeOf(wire);
    });
  }

  async #answer(
    http: IncomingMessage,
    {
      info,
      query,
      signal,
      warnings,
      wire,
      auditId,
      trail,
      measured,
      user,
      onWritten,
    }: RequestParts & {
      user: UserInfo;
      onWritten: OnWritten;
    },
  ): Promise<void> {
    const extension = extensionOf(this.#options.apiServices, info);
    if (extension) return this.#options.extensions.serve(extension, { info, user, http, signal }, wire);
    if (!info.isResource) {
      const { method = 'GET', headers } = http;
      return this.#options.rootPaths.serve({
        ...{ method, path: info.path, query, headers },
        response: wire.response(),
        signal,
      });
    }
    const { router } = this.#options;
    if (!router.leadsOn(info)) return sendPageNotFound(wire.response());
    if (router.isBuiltIn(info)) refuseUnroutable(http, info);
    router.warn({ info, http, audit: trail }, wire);
    const media = readMedia(http, info, query);
    const { waited } = measured;
    const { watchMinimumMs } = this.#options;
    await router.serve(
      {
        watchMinimumMs,
        info,
        query,
        user,
        media,
        http,
        signal,
        auditId,
        warnings,
        onWritten,
        audit: trail,
        waited,
      },
      wire,
    );
  }

  /** Who shows nothing, or nothing good, keeps no HTTP/2 connection, as upstream: they are worth more to an attacker. */
  async #identify(http: IncomingMessage, parts: RequestParts): Promise<UserInfo> {
    const { info, query, measured } = parts;
    const { authenticator, router, apiServices, clock } = this.#options;
    const leave = this.#enterUnknown(parts);
    try {
      const startedMs = clock.monotonicMs();
      const authenticated = await authenticator.authenticate(http, parts.warnings);
      // Reads have no other warnings, and send none themselves.
      if (parts.warnings.length > 0 && !parts.wire.exchange)
        sendWarnings(parts.wire.response(), parts.warnings.splice(0));
      const knownMs = measured.passed('authentication', startedMs);
      this.#audit(http, parts, authenticated);
      const auditedMs = measured.passed('audit', knownMs);
      if (authenticated === anonymous) takeNoMoreBehind(http);
      if (info.isResource && !extensionOf(apiServices, info)) router.checkPlace(info);
      const wanted = () => attributesOf(authenticated, info, selectorsOf(info, query));
      const other = await this.#impersonation.impersonated(http, wanted);
      measured.passed('impersonation', auditedMs);
      if (other) parts.trail?.impersonates(other);
      return other?.user ?? authenticated;
    } catch (error) {
      if (error instanceof StatusError && error.code === 401) {
        takeNoMoreBehind(http);
        const unknown = { id: parts.auditId, http, info, user: undefined };
        this.#options.auditor?.trailOf(unknown)?.refused(error.status);
      }
      throw error;
    } finally {
      leave();
    }
  }

  #enterUnknown({ info, measured }: RequestParts): () => void {
    try {
      return this.#options.flows.enterUnknown(info);
    } catch (refusal) {
      measured.terminated(429);
      throw refusal;
    }
  }

  /** Begins what is written down of a request. Throws 500 where that has to be written and can't be. */
  #audit(http: IncomingMessage, parts: RequestParts, user: UserInfo): void {
    const { auditor } = this.#options;
    const trail = auditor?.trailOf({ id: parts.auditId, http, info: parts.info, user });
    if (!auditor || !trail) return;
    parts.trail = trail;
    parts.wire = auditedWire(parts.wire, trail, isLongRunning(parts.info));
    if (trail.received() || !auditor.isStrict) return;
    auditor.refused();
    throw internalError(new Error('failed to store audit event'));
  }

  async #authorize(user: UserInfo, { info, query, trail }: RequestParts): Promise<void> {
    const attributes = attributesOf(user, info, selectorsOf(info, query));
    const { authorizer, authorizationFigures } = this.#options;
    const decision = await authorizationFigures.timed(authorizer, attributes);
    const { outcome, reason, error } = decision;
    const isUnknown = outcome !== 'allow' && error !== undefined;
    if (!isUnknown)
      trail?.annotate('authorization.k8s.io/decision', outcome === 'allow' ? 'allow' : 'forbid');
    trail?.annotate('authorization.k8s.io/reason', isUnknown ? 'internal error' : reason);
    if (outcome !== 'allow') throw refusalOf(attributes, decision);
  }

  #fail(error: StatusError, http: IncomingMessage, wire: Wire, measured: MeasuredRequest): void {
    const { logger, clock } = this.#options;
    const facts = { method: http.method, url: loggedUrl(http.url), code: error.code, error: error.message };
    if (error.code >= 500) logger.warn('request failed', facts);
    const response = wire.response();
    if (response.headersSent) measured.aborted();
    discardBody(http, response, clock);
    const nowMs = clock.nowMs();
    try {
      sendStatus(error, { response, media: safeMedia(http), nowMs });
    } catch (failure) {
      logger.error('an error could not be sent as asked for', { ...facts, failure });
      sendStatus(internalError(failure), { response, media: plainJson, nowMs });
    }
  }
}

/** What is said to who waits for longer than he may, in upstream's words. */
const late = timedOut('request did not complete within the allotted timeout');

/** Of an answer that was given. */
const codeOf = (wire: Wire): number => (wire.exchange ? 101 : wire.response().statusCode);

/** What is asked for how long its answers are, as upstream. */
const sizedVerbs: ReadonlySet<string> = new Set(['get', 'list']);
const selecting = new Set(['list', 'watch', 'deletecollection']);

/** What narrows a request, for those who decide about it. */
function selectorsOf(
  { verb }: RequestInfo,
  query: Query,
): Pick<Attributes, 'fieldSelector' | 'labelSelector'> {
  if (!selecting.has(verb)) return {};
  return { fieldSelector: query.text('fieldSelector'), labelSelector: query.text('labelSelector') };
}

/** By which objects a request was judged; nothing where they are not stored. */
function tellPlace(response: ServerResponse, { schema, level }: Place): void {
  if (schema.uid) response.setHeader('X-Kubernetes-PF-FlowSchema-UID', schema.uid);
  if (level.uid) response.setHeader('X-Kubernetes-PF-PriorityLevel-UID', level.uid);
}

/** Throws 406 where upstream's router does, which looks at a request before anything is said of it. */
function refuseUnroutable({ headers, method }: IncomingMessage, info: RequestInfo): void {
  if (longRunningSubresources.has(info.subresource)) return;
  const refusal = unroutable(headers.accept, info.name === '' && method === 'GET');
  if (refusal) throw refusal;
}

function readMedia(http: IncomingMessage, info: RequestInfo, query: Query): MediaType {
  // Proxied and streamed answers are not ours to shape.
  if (longRunningSubresources.has(info.subresource)) return plainJson;
  const accepted = negotiate(http.headers.accept, representations);
  const isPretty = info.verb !== 'watch' && isForPeople(query.text('pretty'), http.headers['user-agent']);
  const media = isPretty ? { ...accepted, pretty: true } : accepted;
  if (info.verb === 'watch' && media.encoding === 'yaml') throw notAcceptable(streamMediaTypes);
  return media;
}

/** For errors: what the client takes of what has no other shape, else JSON. */
function safeMedia(http: IncomingMessage): MediaType {
  try {
    const accepted = negotiate(http.headers.accept, []);
    const asked = URL.parse(http.url ?? '', 'http://localhost')?.searchParams.get('pretty') ?? '';
    const pretty = accepted.pretty || isForPeople(asked, http.headers['user-agent']);
    return { ...accepted, pretty };
  } catch {
    return plainJson;
  }
}

function readInfo(method: string, path: string, parameters: URLSearchParams): RequestInfo {
  try {
    return readRequestInfo(method, path, parameters);
  } catch (error) {
    throw badRequest(`the path ${JSON.stringify(path)} is not percent-encoded as it should be`, error);
  }
}

/** The client's own name for the request, or a new one: logs of several servers are put together by it. */
function auditIdOf({ headers }: IncomingMessage): string {
  const told = headers['audit-id'];
  return typeof told === 'string' && told !== '' ? told : randomUUID();
}

/** An error that no part of this server throws on purpose. */
function isOwnMistake(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

function asStatusError(error: unknown): StatusError {
  if (error instanceof StoreError && error.code === 'closed') {
    return toStatusError(new Error('the API server is closing'));
  }
  if (error instanceof StoreError && error.code === 'unavailable') return timedOut(error.message);
  if (error instanceof StoreError && error.code === 'oversized') return requestEntityTooLarge(error.message);
  return toStatusError(error);
}

/** A response for a request that asked for an upgrade and won't get it; the connection ends behind it. */
function responseOnSocket(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as never);
  response.once('finish', () => {
    response.detachSocket(socket as never);
    socket.end();
  });
  return response;
}
