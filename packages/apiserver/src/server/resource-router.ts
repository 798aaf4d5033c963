import type { ServerResponse } from 'node:http';
import type { Clock } from '@wherry/clock';
import { type IncludeObject, invalid, notSupported, pathNotFound } from '@wherry/kubeapi';
import type { UpgradeExchange } from '@wherry/upgrade';
import { sendList } from '../http/list-response.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { type AnswerOptions, sendObject, sendSnapshot } from '../http/responder.ts';
import { serveWatch } from '../http/watch-response.ts';
import type { Endpoint } from '../registry/endpoint.ts';
import { type ListPage, listObjects } from '../registry/list.ts';
import { readPatch } from '../registry/patches.ts';
import type { ResourceRequest } from '../registry/request.ts';
import { readDeleteOptions } from '../registry/write-options.ts';
import {
  createObject,
  deleteNamed,
  deleteObject,
  patchObject,
  replaceObject,
  type Written,
} from '../registry/writes.ts';
import { checkPlace, checkVerb, notServed } from './served-paths.ts';

/** What a handler writes its answer to. */
export interface Wire {
  /** The HTTP response; made on demand for upgrade requests. */
  response(): ServerResponse;
  /** Present when the request is an upgrade. */
  exchange: UpgradeExchange | undefined;
}

/** Serves a sub-resource, or a resource that is not stored. */
export type ResourceHandler = (request: ResourceRequest, wire: Wire) => Promise<void>;

/** What the router routes to. */
export interface ResourceRouterOptions {
  /** By `group/version/plural`. */
  endpoints: ReadonlyMap<string, Endpoint>;
  /** By `group/version/plural` or `group/version/plural/subresource`; asked before the stored resources. */
  handlers: ReadonlyMap<string, ResourceHandler>;
  clock: Clock;
}

/** Leads requests for resources to what serves them. */
export class ResourceRouter {
  readonly #options: ResourceRouterOptions;

  constructor(options: ResourceRouterOptions) {
    this.#options = options;
  }

  /** Throws 404 for a path that no resource has; to be asked before authorization. */
  checkPlace(info: RequestInfo): void {
    const { endpoint, handler } = this.#find(info);
    if (endpoint) checkPlace(info, endpoint.resource.facts);
    else if (handler) checkPlace(info, { namespaced: false });
  }

  /** True for a resource that is served, or a sub-resource of one. */
  knows(info: RequestInfo): boolean {
    const { endpoint, handler } = this.#find(info);
    const { subresource } = info;
    if (handler !== undefined || subresource === '') return handler !== undefined || endpoint !== undefined;
    return endpoint?.resource.facts.subresources?.some(({ name }) => name === subresource) === true;
  }

  #find(info: RequestInfo): { endpoint: Endpoint | undefined; handler: ResourceHandler | undefined } {
    const { group, version, resource, subresource } = info;
    const path = `${group}/${version}/${resource}`;
    const handler = this.#options.handlers.get(subresource === '' ? path : `${path}/${subresource}`);
    return { endpoint: this.#options.endpoints.get(path), handler };
  }

  /** Throws StatusErrors. */
  async serve(request: ResourceRequest, wire: Wire): Promise<void> {
    const { subresource } = request.info;
    const { endpoint, handler } = this.#find(request.info);
    if (endpoint) checkVerb(request.info, endpoint.resource.facts);
    if (handler) return handler(request, wire);
    if (!endpoint) throw notServed(request.info);
    if (subresource === '') return this.#serveObject(endpoint, request, wire);
    if (subresource === 'status') return this.#serveStatus(endpoint, request, wire);
    throw pathNotFound();
  }

  async #serveObject(endpoint: Endpoint, request: ResourceRequest, wire: Wire): Promise<void> {
    const response = wire.response();
    switch (request.info.verb) {
      case 'list':
        return this.#sendList(await listObjects(endpoint, request), endpoint, { request, response });
      case 'watch':
        return serveWatch(endpoint, request, response);
      case 'create':
        return this.sendWritten(await createObject(endpoint, request), request, response);
      case 'delete':
        return this.#delete(endpoint, request, response);
      case 'deletecollection':
        return this.#deleteCollection(endpoint, request, response);
      default:
        return this.#serveStatus(endpoint, request, wire);
    }
  }

  /** The verbs that objects and their status share. */
  async #serveStatus(endpoint: Endpoint, request: ResourceRequest, wire: Wire): Promise<void> {
    const response = wire.response();
    const { namespace, name, verb } = request.info;
    if (verb === 'get') {
      return sendSnapshot(await endpoint.storage.get({ namespace, name }), this.#answer(request, response));
    }
    const written =
      verb === 'update'
        ? await replaceObject(endpoint, request)
        : await patchObject(endpoint, request, await readPatch(request));
    this.sendWritten(written, request, response);
  }

  sendWritten({ code, snapshot }: Written, request: ResourceRequest, response: ServerResponse): void {
    for (const text of request.warnings) response.appendHeader('warning', `299 - ${JSON.stringify(text)}`);
    sendSnapshot(snapshot, { ...this.#answer(request, response), code });
  }

  async #delete(endpoint: Endpoint, request: ResourceRequest, response: ServerResponse): Promise<void> {
    const { snapshot, removed } = await deleteObject(endpoint, request);
    const { resource } = endpoint;
    if (!removed || resource.strategy.returnsDeleted) {
      return sendSnapshot(snapshot, this.#answer(request, response));
    }
    const { group, plural } = resource.facts;
    const { name, uid } = snapshot.object.metadata;
    const details = { name, ...(group ? { group } : {}), kind: plural, uid };
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
    sendObject(status, { ...this.#answer(request, response), media: { ...request.media, as: 'object' } });
  }

  async #deleteCollection(
    endpoint: Endpoint,
    request: ResourceRequest,
    response: ServerResponse,
  ): Promise<void> {
    const options = await readDeleteOptions(request);
    const page = await listObjects(endpoint, request);
    for (const { object } of page.items) {
      const { name = '', namespace = '' } = object.metadata;
      await deleteNamed(endpoint, request, { name, namespace, options }).catch(ignoreNotFound);
    }
    await this.#sendList(page, endpoint, { request, response });
  }

  #sendList(
    page: ListPage,
    endpoint: Endpoint,
    { request, response }: { request: ResourceRequest; response: ServerResponse },
  ): Promise<void> {
    return sendList(page, endpoint.storage.gvk, this.#answer(request, response));
  }

  #answer(request: ResourceRequest, response: ServerResponse): AnswerOptions {
    const include = readInclude(request);
    return { response, media: request.media, code: 200, include, nowMs: this.#options.clock.nowMs() };
  }
}

function readInclude({ query, media }: ResourceRequest): IncludeObject {
  const text = query.text('includeObject') || 'Metadata';
  if (media.as !== 'Table' || text === 'None' || text === 'Metadata' || text === 'Object')
    return text as IncludeObject;
  const error = notSupported('includeObject', text, ['', 'None', 'Metadata', 'Object']);
  throw invalid({ group: 'meta.k8s.io', kind: 'TableOptions' }, '', [error]);
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 404)) throw error;
}
