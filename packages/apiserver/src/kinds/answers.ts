import type { ServerResponse } from 'node:http';
import { builtInType, type GroupVersionKind, type ObjectType } from '@wherry/kubeapi';
import { negotiate } from '../http/negotiation.ts';
import { sendWarnings } from '../http/warnings.ts';
import { type ApiObject, as } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import { getObject } from '../registry/get.ts';
import type { Handler, Wire } from '../registry/handler.ts';
import { readPatch } from '../registry/patches.ts';
import { patchObject, replaceObject } from '../registry/writes.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { readObject } from '../requests/request-object.ts';
import { readInclude } from '../requests/table-options.ts';
import { readWriteOptions } from '../requests/write-options.ts';
import { type AnswerOptions, sendObject, sendSnapshot, sendTyped } from '../responses/responder.ts';
import type { HandlerParts } from './definition.ts';

/** How an object of a sub-resource is sent, with the warnings that the request has led to. */
export function answer(request: ResourceRequest, response: ServerResponse, code: number): AnswerOptions {
  sendWarnings(response, request.warnings);
  return { response, media: { ...request.media, as: 'object' }, code, nowMs: 0 };
}

/** The same of one whose type has columns: it is sent as a Table to who takes that. */
export function shapedAnswer(
  request: ResourceRequest,
  response: ServerResponse,
  { code, nowMs }: Pick<AnswerOptions, 'code' | 'nowMs'>,
): AnswerOptions {
  return { ...answer(request, response, code), media: request.media, include: readInclude(request), nowMs };
}

/** Answers a POST by doing something; the client is told that it succeeded. */
export function action(work: (request: ResourceRequest) => Promise<void>): Handler {
  return {
    verbs: ['create'],
    async serve(asked, wire) {
      const request = withoutTable(asked);
      await work(request);
      const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
      sendObject(status, answer(request, wire.response(), 201));
    },
  };
}

/** Answers a POST of a review by the same object with its status. */
export function review<T>(
  gvk: GroupVersionKind,
  { admission }: Pick<HandlerParts, 'admission'>,
  respond: (object: T, request: ResourceRequest) => object | Promise<object>,
): Handler {
  return {
    verbs: ['create'],
    async serve(asked, wire) {
      const request = withoutTable(asked);
      const { fieldValidation, dryRun } = readWriteOptions(request.query, 'CreateOptions');
      const type = builtInType(gvk);
      const object = await readObject(request, type, fieldValidation);
      await admission.pass(request, { operation: 'CREATE', type, object, dryRun });
      sendUnstored(await respond(as<T>(object), request), type, { request, wire });
    },
  };
}

/** Answers a POST with an object that is not stored: as its metadata, where that is asked for. */
export function sendUnstored(
  object: object,
  type: ObjectType,
  { request, wire }: { request: ResourceRequest; wire: Wire },
): void {
  const options = { ...answer(request, wire.response(), 201), media: request.media };
  sendTyped({ object: object as ApiObject, type }, options);
}

/** The request with the form that the client takes besides Tables: what is not stored has no columns. Throws 406. */
export function withoutTable(request: ResourceRequest): ResourceRequest {
  const { accept } = request.http.headers;
  const media = negotiate(accept, ['PartialObjectMetadata', 'PartialObjectMetadataList']);
  return { ...request, media: { ...media, pretty: request.media.pretty } };
}

/** A sub-resource whose body is the object itself; what it may change is the collection's business. */
export function wholeObject(collection: Collection): Handler {
  return {
    verbs: ['get', 'patch', 'update'],
    async serve(request, wire) {
      const { verb } = request.info;
      const written =
        verb === 'get'
          ? { code: 200, snapshot: await getObject(collection, request) }
          : verb === 'update'
            ? await replaceObject(collection, request)
            : await patchObject(collection, request, await readPatch(request, collection.resource.type));
      const { code, snapshot } = written;
      sendSnapshot(
        snapshot,
        shapedAnswer(request, wire.response(), { code, nowMs: collection.clock.nowMs() }),
      );
    },
  };
}
