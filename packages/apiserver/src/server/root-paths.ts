import type { ServerResponse } from 'node:http';
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  OpenApiDocuments,
  pathNotFound,
  type ResourceFacts,
} from '@wherry/kubeapi';
import type { MetricsRegistry } from '@wherry/telemetry';
import { parseMediaClause } from '../http/negotiation.ts';
import type { Query } from '../http/query.ts';
import { openApiV2, openApiV2Answered, openApiV2Asked } from './open-api-v2.ts';
import type { ServiceAccountDiscovery } from './service-account-discovery.ts';
import { versionInfo } from './version.ts';

/** What the paths outside of resources tell of. */
export interface RootPathsOptions {
  served: readonly ResourceFacts[];
  metrics: MetricsRegistry;
  /** `HOST:PORT` that clients reach this server at. */
  serverAddress(): string;
  /** The names of checks that do not hold; empty = ready. */
  failingChecks(): string[];
  serviceAccountDiscovery: ServiceAccountDiscovery;
}

const openApiPrefix = '/openapi/v3/';

type Headers = { accept?: string | undefined };

/** A request outside of resources, authorized. */
export interface RootRequest {
  path: string;
  query: Query;
  headers: Headers;
  response: ServerResponse;
}

/** Answers `/version`, health checks, discovery, OpenAPI and metrics. */
export class RootPaths {
  readonly #options: RootPathsOptions;
  readonly #openApi: OpenApiDocuments;
  /** Discovery does not change while the server runs. */
  readonly #rendered = new Map<string, Buffer>();

  constructor(options: RootPathsOptions) {
    this.#options = options;
    this.#openApi = new OpenApiDocuments(options.served);
  }

  /** Throws 404 for paths that lead nowhere. */
  serve({ path, query, headers, response }: RootRequest): void {
    const clean = path.length > 1 ? path.replace(/\/+$/, '') : path;
    const metrics = () => this.#options.metrics.render();
    if (/^\/(healthz|livez|readyz)(\/|$)/.test(clean)) this.#serveHealth(clean, response);
    else if (clean === '/metrics') sendText(response, metrics(), 'text/plain; version=0.0.4');
    else if (clean.startsWith(openApiPrefix))
      this.#serveOpenApi(clean.slice(openApiPrefix.length), query.text('hash'), response);
    else if (clean === '/openapi/v2') this.#serveOpenApiV2(headers, response);
    else this.#serveDocument(clean, headers, response);
  }

  #serveDocument(clean: string, headers: Headers, response: ServerResponse): void {
    const document = this.#document(clean, headers);
    if (!document) throw pathNotFound();
    const { body, type } = document;
    response.writeHead(200, {
      'content-type': type,
      'content-length': body.length,
      'cache-control': 'no-cache, private',
      vary: 'Accept',
    });
    response.end(body);
  }

  #document(path: string, { accept = '' }: Headers): { body: Buffer; type: string } | undefined {
    const aggregated = path === '/api' || path === '/apis' ? aggregatedVersion(accept) : undefined;
    const key = `${path} ${aggregated ?? ''}`;
    let body = this.#rendered.get(key);
    if (!body) {
      const object =
        aggregated && (path === '/api' || path === '/apis')
          ? aggregatedDiscovery(this.#options.served, { root: path, version: aggregated })
          : this.#object(path);
      if (!object) return undefined;
      body = Buffer.from(`${JSON.stringify(object)}\n`);
      this.#rendered.set(key, body);
    }
    const type = aggregated
      ? `application/json;g=apidiscovery.k8s.io;v=${aggregated};as=APIGroupDiscoveryList`
      : 'application/json';
    return { body, type };
  }

  #object(path: string): object | undefined {
    const { served, serverAddress, serviceAccountDiscovery } = this.#options;
    if (path === '/version') return versionInfo;
    if (path === '/api') return apiVersions(serverAddress());
    if (path === '/apis') return apiGroupList(served);
    if (path === '/openapi/v3') return this.#openApi.index();
    if (path === '/.well-known/openid-configuration') return serviceAccountDiscovery.configuration();
    if (path === '/openid/v1/jwks') return serviceAccountDiscovery.keys();
    if (path === '/') return { paths: rootPaths(served) };
    const [, root, first = '', second] = path.split('/');
    if (root === 'api' && second === undefined) return apiResourceList('', first, served);
    if (root !== 'apis') return undefined;
    return second === undefined ? apiGroup(first, served) : apiResourceList(first, second, served);
  }

  #serveOpenApi(name: string, hash: string, response: ServerResponse): void {
    const document = this.#openApi.document(name);
    if (!document) throw pathNotFound();
    response.setHeader('etag', `"${document.hash}"`);
    // The address in the index names the content, so kubectl may keep it.
    if (hash === document.hash) response.setHeader('cache-control', 'public, immutable, max-age=31536000');
    sendText(response, document.body, 'application/json');
  }

  #serveOpenApiV2({ accept = '' }: Headers, response: ServerResponse): void {
    const isProtobuf = accept.includes(openApiV2Asked);
    response.setHeader('content-type', isProtobuf ? openApiV2Answered : 'application/json');
    response.end(openApiV2(isProtobuf));
  }

  #serveHealth(path: string, response: ServerResponse): void {
    const failing = path.startsWith('/livez') ? [] : this.#options.failingChecks();
    if (failing.length === 0) {
      sendText(response, 'ok', 'text/plain; charset=utf-8');
      return;
    }
    const lines = failing.map((check) => `[-]${check} failed: not ready`);
    response.statusCode = 500;
    sendText(response, `${lines.join('\n')}\n${path.slice(1)} check failed\n`, 'text/plain; charset=utf-8');
  }
}

function sendText(response: ServerResponse, text: string, type: string): void {
  const body = Buffer.from(text);
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

function rootPaths(served: readonly ResourceFacts[]): string[] {
  const groups = new Set<string>();
  for (const { group, version } of served) {
    if (group !== '') groups.add(`/apis/${group}`).add(`/apis/${group}/${version}`);
  }
  const fixed = ['/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];
  return ['/api', '/api/v1', '/apis', ...[...groups].sort(), ...fixed];
}
