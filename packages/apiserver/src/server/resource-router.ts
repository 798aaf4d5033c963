import type { ServerResponse } from 'node:http';
import type { Clock } from '@wherry/clock';
import { findResource, notFound, ownValue, pathNotFound } from '@wherry/kubeapi';
import type { Gauge, MetricsRegistry } from '@wherry/telemetry';
import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import { type MediaType, negotiateText, representations } from '../http/negotiation.ts';
import { isToldInText } from '../http/page-not-found.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { sendWarnings } from '../http/warnings.ts';
import type { Collection } from '../registry/collection.ts';
import { getObject } from '../registry/get.ts';
import type { ResourceHandler, Wire } from '../registry/handler.ts';
import { type ListPage, listObjects } from '../registry/list.ts';
import { isPatchType, readPatch } from '../registry/patches.ts';
import {
  createObject,
  deleteNamed,
  deleteObject,
  patchObject,
  readDeletion,
  replaceObject,
  type Written,
} from '../registry/writes.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { readInclude } from '../requests/table-options.ts';
import { sendList } from '../responses/list-response.ts';
import { type AnswerOptions, sendObject, sendSnapshot } from '../responses/responder.ts';
import { isSocketWatch } from '../responses/watch-door.ts';
import { serveWatch } from '../responses/watch-response.ts';
import { checkPlace, checkVerb, notServed } from './served-paths.ts';

/** What the router routes to. */
export interface ResourceRouterOptions {
  catalog: Catalog;
  /** What is answered and not told of, by `group/version/plural`. */
  unadvertised: ReadonlyMap<string, ResourceHandler>;
  metrics: MetricsRegistry;
  clock: Clock;
}

/** Leads requests for resources to what serves them. */
export class ResourceRouter {
  readonly #options: ResourceRouterOptions;
  readonly #deprecated: Gauge;

  constructor(options: ResourceRouterOptions) {
    this.#options = options;
    this.#deprecated = options.metrics.gauge(
      'apiserver_requested_deprecated_apis',
      'Resources that were asked for though they are on their way out.',
    );
  }

  /** Throws 404 for a path that no resource has; to be asked before authorization. */
  checkPlace(info: RequestInfo): void {
    const { entry, handler } = this.#find(info);
    if (entry) checkPlace(info, entry.collection.resource.facts);
    else if (handler) checkPlace(info, { namespaced: false });
  }

  /**
   * False for a resource that is not served, where that is told in text; throws 404 where it is not. To be asked before
   * the form of the answer is chosen.
   */
  leadsOn(info: RequestInfo): boolean {
    const { entry, handler } = this.#find(info);
    if (entry || handler) return true;
    if (isToldInText(info.path)) return false;
    throw notServed(info);
  }

  /** What a resource that is served, or a sub-resource of one, is told apart by; undefined for others. */
  known(info: RequestInfo): object | undefined {
    const { entry, handler } = this.#find(info);
    const { subresource } = info;
    if (handler !== undefined || subresource === '') return entry?.collection ?? handler;
    const parts = entry?.collection.resource.facts.subresources;
    return parts?.some(({ name }) => name === subresource) ? entry?.collection : undefined;
  }

  /** False for what a definition adds. */
  isBuiltIn(info: RequestInfo): boolean {
    const { group, version, resource } = info;
    return findResource(group, version, resource) !== undefined || this.#find(info).entry === undefined;
  }

  #find(info: RequestInfo): { entry: CatalogEntry | undefined; handler: ResourceHandler | undefined } {
    const { group, version, resource, subresource } = info;
    const { catalog, unadvertised } = this.#options;
    const entry = catalog.find(group, version, resource);
    if (entry) return { entry, handler: ownValue(entry.handlers, subresource)?.serve };
    const path = `${group}/${version}/${resource}`;
    return { entry, handler: subresource === '' ? unadvertised.get(path) : undefined };
  }

  /** Tells of a resource that is on its way out; to be asked before the form of the answer is chosen. */
  warn({ info, http, audit }: Pick<ResourceRequest, 'info' | 'http' | 'audit'>, wire: Wire): void {
    const { entry } = this.#find(info);
    if (!entry?.warning || (info.verb === 'patch' && !isPatchType(http.headers['content-type']))) return;
    // What becomes a WebSocket has no headers of ours.
    if (!isSocketWatch(wire.exchange)) sendWarnings(wire.response(), [entry.warning]);
    this.#noteDeprecated({ info, audit });
  }

  /** Throws StatusErrors. */
  async serve(asked: ResourceRequest, wire: Wire): Promise<void> {
    const { subresource } = asked.info;
    const { entry, handler } = this.#find(asked.info);
    if (entry && !handler) checkPart(asked.info, entry.collection);
    if (entry) checkVerb(asked.info, entry.collection.resource, asked.http.method);
    const request = entry ? requestOf(entry, asked) : asked;
    if (handler) return handler(request, wire);
    if (!entry) throw notServed(request.info);
    if (subresource === '') return this.#serveObject(entry.collection, request, wire);
    if (subresource === 'status') return this.#serveStatus(entry.collection, request, wire);
    throw pathNotFound();
  }

  #noteDeprecated({ info, audit }: Pick<ResourceRequest, 'info' | 'audit'>): void {
    const { group, version, resource, subresource } = info;
    // None of those that are served has a release in which it goes.
    this.#deprecated.set(1, { group, version, resource, subresource, removed_release: '' });
    audit?.annotate('k8s.io/deprecated', 'true');
  }

  async #serveObject(collection: Collection, request: ResourceRequest, wire: Wire): Promise<void> {
    if (request.info.verb === 'watch') return serveWatch(collection, request, wire);
    const response = wire.response();
    switch (request.info.verb) {
      case 'list':
        return this.#sendList(await listObjects(collection, request), collection, { request, response });
      case 'create':
        return this.sendWritten(await createObject(collection, request), request, response);
      case 'delete':
        return this.#delete(collection, request, response);
      case 'deletecollection':
        return this.#deleteCollection(collection, request, response);
      default:
        return this.#serveStatus(collection, request, wire);
    }
  }

  /** The verbs that objects and their status share. */
  async #serveStatus(collection: Collection, request: ResourceRequest, wire: Wire): Promise<void> {
    const response = wire.response();
    const { verb } = request.info;
    if (verb === 'get')
      return sendSnapshot(await getObject(collection, request), this.#answer(request, response));
    const written =
      verb === 'update'
        ? await replaceObject(collection, request)
        : await patchObject(collection, request, await readPatch(request, collection.resource.type));
    this.sendWritten(written, request, response);
  }

  sendWritten({ code, snapshot }: Written, request: ResourceRequest, response: ServerResponse): void {
    sendWarnings(response, request.warnings);
    sendSnapshot(snapshot, { ...this.#answer(request, response), code });
  }

  async #delete(collection: Collection, request: ResourceRequest, response: ServerResponse): Promise<void> {
    const { snapshot, removed, code } = await deleteObject(collection, request);
    sendWarnings(response, request.warnings);
    const { resource } = collection;
    if (!removed || resource.strategy.returnsDeleted) {
      return sendSnapshot(snapshot, { ...this.#answer(request, response), code });
    }
    const { group, plural } = resource.facts;
    const { name, uid } = snapshot.object.metadata;
    const details = { name, ...(group ? { group } : {}), kind: plural, uid };
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
    sendObject(status, { ...this.#answer(request, response), media: { ...request.media, as: 'object' } });
  }

  async #deleteCollection(
    collection: Collection,
    request: ResourceRequest,
    response: ServerResponse,
  ): Promise<void> {
    const options = await readDeletion(collection, request);
    const page = await listObjects(collection, request);
    for (const { object } of page.items) {
      request.signal.throwIfAborted();
      const { name = '', namespace = '' } = object.metadata;
      const one = { name, namespace, options, isOneOfMany: true };
      await deleteNamed(collection, request, one).catch(ignoreNotFound);
    }
    sendWarnings(response, request.warnings);
    await this.#sendList(page, collection, { request, response });
  }

  #sendList(
    page: ListPage,
    collection: Collection,
    { request, response }: { request: ResourceRequest; response: ServerResponse },
  ): Promise<void> {
    return sendList(page, collection.resource.type, this.#answer(request, response));
  }

  #answer(request: ResourceRequest, response: ServerResponse): AnswerOptions {
    const include = readInclude(request);
    return { response, media: request.media, code: 200, include, nowMs: this.#options.clock.nowMs() };
  }
}

/** The request as the entry can answer it: not as protobuf where its type has none, and for as long as it is there. */
function requestOf(
  { collection, handlers, retired }: CatalogEntry,
  request: ResourceRequest,
): ResourceRequest {
  const { info, http, signal } = request;
  const media = formOf(request.media, info);
  const isWhole = ownValue(handlers, info.subresource) === undefined;
  const hasForm = media.encoding !== 'protobuf' || media.as !== 'object' || !isWhole;
  return {
    ...request,
    media:
      hasForm || collection.resource.type.schema
        ? media
        : formOf(negotiateText(http.headers.accept, representations), info),
    signal: retired && info.verb === 'watch' ? AbortSignal.any([signal, retired]) : signal,
  };
}

/** No event of a watch is a list: upstream's sends the object as it is then (handlers/response.go, watchEmbeddedEncoder). */
function formOf(media: MediaType, { verb }: RequestInfo): MediaType {
  const asksForList = verb === 'watch' && media.as === 'PartialObjectMetadataList';
  return asksForList ? { ...media, as: 'object' } : media;
}

/** A part that a custom resource has not is told of as its object, as upstream. */
function checkPart({ subresource, name }: RequestInfo, { resource, storage }: Collection): void {
  if (subresource === '' || resource.type.schema) return;
  if (!resource.facts.subresources?.some((part) => part.name === subresource))
    throw notFound(storage.ref, name);
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 404)) throw error;
}
