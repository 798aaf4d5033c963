import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '@wherry/clock';
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  type JsonObject,
  kubernetesVersion,
  OpenApiDocuments,
  parseMediaClause,
  pathNotFound,
  type ResourceFacts,
  resources,
  type StatusError,
  tooManyRequests,
  withoutTrailing,
} from '@wherry/kubeapi';
import { ProcessPages, timesOfProcess } from '@wherry/kubeapi/zpages';
import {
  answerSessions,
  exposition,
  type HealthCheck,
  type HealthKind,
  HealthPages,
  healthPaths,
  type MetricsRegistry,
  type SessionBook,
} from '@wherry/telemetry';
import type { Availability } from '../aggregation/availability.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { sessionsPath } from '../flow/long-running.ts';
import { type ContentHeaders, sendContent } from '../http/content.ts';
import { contentTypeOf, isForPeople, negotiate, plainJson } from '../http/negotiation.ts';
import { isToldInText, sendPageNotFound } from '../http/page-not-found.ts';
import type { Query } from '../http/query.ts';
import { sendWarnings } from '../http/warnings.ts';
import { encodeAs } from '../responses/responder.ts';
import { serveHealth } from './health.ts';
import { OpenApiV2 } from './open-api-v2.ts';
import { methodNotAllowed } from './served-paths.ts';
import type { ServiceAccountDiscovery } from './service-account-discovery.ts';
import { showBuild, versionInfo } from './version.ts';

/** What the paths outside of resources tell of. */
export interface RootPathsOptions {
  catalog: Catalog;
  metrics: MetricsRegistry;
  /** Brings those figures up to date that are not kept so. */
  refreshMetrics(): Promise<void>;
  sessions: SessionBook;
  /** `HOST:PORT` that clients reach this server at. */
  serverAddress(): string;
  healthChecks(kind: HealthKind): HealthCheck[];
  serviceAccountDiscovery: ServiceAccountDiscovery;
  /** What other servers tell of. */
  extensions: Extensions;
  /** By which this server was started, where it was by flags. */
  flags: Readonly<Record<string, string>> | undefined;
  clock: Clock;
}

/** What other servers serve through this one. */
export type Extensions = Pick<Availability, 'generation' | 'facts' | 'stale' | 'versions' | 'openApiUrls'>;

const keysPath = '/openid/v1/jwks';
const issuerPath = '/.well-known/openid-configuration';
/** Indented whoever asks, as upstream's. */
const indentedPaths = new Set(['/', '/version']);
const openApiPrefix = '/openapi/v3/';
const plainPaths: ReadonlySet<string> = new Set(['/metrics', '/metrics/slis', '/openapi/v2', sessionsPath]);

/** Where upstream's server looks at no method: what is no go-restful service (server/routes, kube-aggregator's apisHandler). */
const anyMethod =
  /^\/((healthz|livez|readyz|openapi)(\/.*)?|metrics(\/slis)?|statusz|flagz|apis(\/[^/]+)?)?$/;

/** A request outside of resources, authorized. */
export interface RootRequest {
  method: string;
  path: string;
  query: Query;
  headers: ContentHeaders & Pick<IncomingHttpHeaders, 'user-agent'>;
  response: ServerResponse;
  /** Aborts when the client is gone or the server closes. */
  signal: AbortSignal;
}

/** Answers `/version`, health checks, discovery, OpenAPI, metrics and sessions. */
export class RootPaths {
  readonly #options: RootPathsOptions;
  readonly #health: HealthPages;
  readonly #pages: ProcessPages;
  #documents: Documents;

  constructor(options: RootPathsOptions) {
    this.#options = options;
    this.#health = new HealthPages((kind) => options.healthChecks(kind));
    this.#documents = new Documents(options.catalog, options.extensions);
    this.#pages = new ProcessPages({
      component: 'apiserver',
      version: kubernetesVersion.slice(1),
      emulationVersion: `${versionInfo.emulationMajor}.${versionInfo.emulationMinor}`,
      paths: rootPaths([]),
      flags: options.flags,
    });
    showBuild(options.metrics);
  }

  /** Paths that lead nowhere are told in text, or by a thrown 404; throws 405 for methods that a path has not. */
  async serve({ method, path, query, headers, response, signal }: RootRequest): Promise<void> {
    const { catalog, extensions } = this.#options;
    if (!this.#documents.areOf(catalog, extensions)) this.#documents = new Documents(catalog, extensions);
    const clean = path.length > 1 ? withoutTrailing(path, '/') : path;
    if (isToldInText(clean) && !this.#leads(clean)) {
      sendPageNotFound(response);
      return;
    }
    if (method !== 'GET' && !anyMethod.test(clean)) {
      throw this.#leads(clean) ? methodNotAllowed() : notFound(clean);
    }
    if (healthPaths.test(clean)) serveHealth(this.#health, clean, query, response);
    else if (this.#pages.has(clean)) this.#servePage(clean, headers, response);
    else if (clean === '/metrics') await this.#serveMetrics(headers, response);
    else if (clean === '/metrics/slis') sendMetrics(this.#health.indicators(), headers, response);
    else if (clean === sessionsPath) await this.#serveSessions({ query, response, signal });
    else if (clean.startsWith(openApiPrefix)) this.#serveOpenApi({ path: clean, query, headers, response });
    else if (clean === '/openapi/v2') this.#documents.openApiV2.serve(headers, response);
    else this.#serveDocument(clean, { headers, query }, response);
  }

  async #serveMetrics(headers: ContentHeaders, response: ServerResponse): Promise<void> {
    await this.#options.refreshMetrics();
    sendMetrics(this.#options.metrics.render(), headers, response);
  }

  #servePage(path: string, { accept }: ContentHeaders, response: ServerResponse): void {
    const page = this.#pages.answer(path, accept, timesOfProcess(this.#options.clock.nowMs()));
    if (!page) throw pathNotFound();
    if (page.warning !== undefined) sendWarnings(response, [page.warning]);
    sendText(response, page.text, page.type);
  }

  async #serveSessions({
    query,
    response,
    signal,
  }: Pick<RootRequest, 'query' | 'response' | 'signal'>): Promise<void> {
    const asked = { watch: query.flag('watch'), id: query.text('id') || undefined };
    if (await answerSessions(this.#options.sessions, asked, { response, signal })) return;
    throw tooManyRequests('too many watch the sessions of this server already; ask again later');
  }

  #leads(path: string): boolean {
    if (healthPaths.test(path) || plainPaths.has(path) || this.#pages.has(path)) return true;
    return this.#object(path) !== undefined;
  }

  #serveDocument(
    clean: string,
    request: Pick<RootRequest, 'headers' | 'query'>,
    response: ServerResponse,
  ): void {
    const document = this.#document(clean, request);
    if (!document) throw notFound(clean);
    const { body, type, hash } = document;
    if (hash) {
      // Whoever keeps it asks each time whether it still is so, as upstream's aggregated discovery wants it.
      response.setHeader('cache-control', 'public');
      sendContent(request.headers, response, { type, hash, body: () => body });
      return;
    }
    response.writeHead(200, {
      'content-type': type,
      'content-length': body.length,
      // Who verifies tokens may keep what it verifies them by, as upstream's says.
      'cache-control':
        clean === keysPath || clean === issuerPath ? 'public, max-age=3600' : 'no-cache, private',
      vary: 'Accept',
    });
    response.end(body);
  }

  #document(
    path: string,
    { headers, query }: Pick<RootRequest, 'headers' | 'query'>,
  ): (Rendered & { type: string }) | undefined {
    const { accept = '' } = headers;
    const aggregated = path === '/api' || path === '/apis' ? aggregatedVersion(accept) : undefined;
    const isDiscovery = /^\/apis?(\/|$)/.test(path);
    const pretty = isDiscovery
      ? isForPeople(query.text('pretty'), headers['user-agent'])
      : indentedPaths.has(path);
    const media = { ...(aggregated || !isDiscovery ? plainJson : negotiate(accept, [])), pretty };
    const key = `${path} ${aggregated ?? media.encoding} ${pretty}`;
    let rendered = this.#documents.rendered.get(key);
    if (!rendered) {
      const object =
        aggregated && (path === '/api' || path === '/apis')
          ? aggregatedDiscovery(this.#documents.resources, {
              ...{ root: path, version: aggregated, stale: this.#documents.stale },
              versions: this.#documents.versions,
            })
          : this.#object(path);
      if (!object) return undefined;
      const body = Buffer.from(encodeAs(object, media));
      rendered = { body, hash: aggregated ? hashOf(body) : undefined };
      this.#documents.rendered.set(key, rendered);
    }
    const type = aggregated
      ? `application/json;g=apidiscovery.k8s.io;v=${aggregated};as=APIGroupDiscoveryList`
      : contentTypeOf(media);
    return { ...rendered, type: path === keysPath ? 'application/jwk-set+json' : type };
  }

  #object(path: string): object | undefined {
    const { serverAddress, serviceAccountDiscovery } = this.#options;
    const { served, openApi, versions } = this.#documents;
    if (path === '/version') return versionInfo;
    if (path === '/api') return apiVersions(serverAddress());
    if (path === '/apis') return apiGroupList(versions);
    if (path === '/openapi/v3') return this.#openApiIndex(openApi.index());
    if (path === issuerPath) return serviceAccountDiscovery.configuration();
    if (path === keysPath) return serviceAccountDiscovery.keys();
    if (path === '/')
      return { paths: rootPaths(versions).filter((each) => each !== '/flagz' || this.#pages.has(each)) };
    const [, root, first = '', second, ...more] = path.split('/');
    if (root === 'api' && second === undefined) return apiResourceList('', first, served);
    // What only begins like a document is none: each one that is told of is kept.
    if (root !== 'apis' || more.length > 0) return undefined;
    return second === undefined ? apiGroup(first, versions) : apiResourceList(first, second, served);
  }

  /** Documents of other servers are where they say, behind this one. */
  #openApiIndex(index: JsonObject): JsonObject {
    const urls = [...this.#options.extensions.openApiUrls()];
    const theirs = Object.fromEntries(urls.map(([name, serverRelativeURL]) => [name, { serverRelativeURL }]));
    return { paths: { ...(index['paths'] as JsonObject), ...theirs } };
  }

  #serveOpenApi({ path, query, headers, response }: Omit<RootRequest, 'method' | 'signal'>): void {
    const document = this.#documents.openApi.document(path.slice(openApiPrefix.length));
    if (!document) throw pathNotFound();
    const { body, hash } = document;
    const asked = query.text('hash');
    // The address in the index names the content, so kubectl may keep it, and asks anew where the content is another.
    if (asked && asked !== hash) {
      response.writeHead(301, { location: `${path}?hash=${hash}`, 'content-length': 0 }).end();
      return;
    }
    if (asked) response.setHeader('cache-control', 'public, immutable, max-age=31536000');
    sendContent(headers, response, { type: 'application/json', hash, body: () => body });
  }
}

/** A document as it is sent; `hash` names its content where clients may keep it. */
interface Rendered {
  body: Buffer;
  hash: string | undefined;
}

/** What is told of one generation of the catalog; each document is made when first asked for. */
class Documents {
  readonly #generations: readonly [number, number];
  readonly served: readonly ResourceFacts[];
  /** With what other servers serve, in place of what this one has of the same versions. */
  readonly resources: readonly ResourceFacts[];
  readonly stale: readonly { group: string; version: string }[];
  readonly versions: readonly { group: string; version: string }[];
  readonly openApi: OpenApiDocuments;
  readonly openApiV2: OpenApiV2;
  readonly rendered = new Map<string, Rendered>();

  constructor(catalog: Catalog, extensions: Extensions) {
    this.#generations = [catalog.generation, extensions.generation];
    this.served = catalog.facts();
    const theirs = extensions.facts();
    this.stale = extensions.stale();
    const isTheirs = ({ group, version }: ResourceFacts) =>
      [...theirs, ...this.stale].some((each) => each.group === group && each.version === version);
    this.resources = [...this.served.filter((facts) => !isTheirs(facts)), ...theirs];
    this.versions = [...this.resources, ...extensions.versions()];
    const custom = ({ group, version, plural }: ResourceFacts) =>
      catalog.find(group, version, plural)?.collection.resource.components?.();
    this.openApi = new OpenApiDocuments(this.served, custom);
    this.openApiV2 = new OpenApiV2({ served: this.served, custom, version: versionInfo.gitVersion });
  }

  /** False once something else is served. */
  areOf(catalog: Catalog, extensions: Extensions): boolean {
    const [own, theirs] = this.#generations;
    return own === catalog.generation && theirs === extensions.generation;
  }
}

/** In upstream's form. */
function hashOf(body: Buffer): string {
  return createHash('sha512').update(body).digest('hex').toUpperCase();
}

function sendMetrics(text: string, { accept }: ContentHeaders, response: ServerResponse): void {
  const { type, body } = exposition(text, accept);
  sendBytes(response, body, type);
}

function sendText(response: ServerResponse, text: string, type: string): void {
  sendBytes(response, Buffer.from(text), type);
}

function sendBytes(response: ServerResponse, body: Uint8Array, type: string): void {
  response.setHeader('content-type', type);
  response.setHeader('content-length', body.length);
  response.end(body);
}

/** The newest form of aggregated discovery that the client takes, if it takes one before plain JSON. */
function aggregatedVersion(accept: string): 'v2' | 'v2beta1' | undefined {
  for (const text of accept.split(',')) {
    const { type, parameters } = parseMediaClause(text);
    if (type !== 'application/json' && type !== '*/*') continue;
    const as = parameters.get('as');
    const version = parameters.get('v');
    if (as === undefined) return undefined;
    if (as === 'APIGroupDiscoveryList' && (version === 'v2' || version === 'v2beta1')) return version;
  }
  return undefined;
}

/** Discovery of a group that could be served says so. */
function notFound(path: string): StatusError {
  const [, root, group = '', version] = path.split('/');
  const isKnown = resources.some(
    (facts) => facts.group === group && (version === undefined || facts.version === version),
  );
  if (root !== 'apis' || group === '' || !isKnown) return pathNotFound();
  return pathNotFound(`wherry does not serve ${version === undefined ? group : `${group}/${version}`}`);
}

function rootPaths(served: readonly { group: string; version: string }[]): string[] {
  const groups = new Set<string>();
  for (const { group, version } of served) {
    if (group !== '') groups.add(`/apis/${group}`).add(`/apis/${group}/${version}`);
  }
  const fixed = [
    sessionsPath,
    '/flagz',
    '/healthz',
    '/livez',
    '/metrics',
    '/metrics/slis',
    '/openapi/v2',
    '/openapi/v3',
    '/readyz',
    '/statusz',
    '/version',
  ];
  return ['/api', '/api/v1', '/apis', ...[...groups].sort(), ...fixed];
}
