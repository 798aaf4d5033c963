import { setImmediate as turn } from 'node:timers/promises';
import {
  encodeListItems,
  encodeProtobufList,
  formatApiVersion,
  type JsonValue,
  type ListMeta,
  type ObjectType,
  parseExactJson,
} from '@wherry/kubeapi';
import { trailOfAnswer } from '../audit/answers.ts';
import { limits } from '../limits.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import type { ListPage } from '../registry/list.ts';
import { sendBody } from './body.ts';
import { partialList, tableOf, wrongShape } from './representation.ts';
import { type AnswerOptions, isPlainJson, sendObject } from './responder.ts';

/**
 * Answers with a page of a list of `gvk`. Long ones are rendered and written part by part, and others have their turn
 * in between. Resolves when all is written.
 */
export async function sendList(page: ListPage, type: ObjectType, options: AnswerOptions): Promise<void> {
  const { gvk } = type;
  const metadata: ListMeta = {
    resourceVersion: String(page.revision),
    ...(page.continueToken === '' ? {} : { continue: page.continueToken }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  const list = {
    kind: type.listKind ?? `${gvk.kind}List`,
    apiVersion: formatApiVersion(gvk.group, gvk.version),
    metadata,
  };
  const { media, response } = options;
  if (media.as === 'PartialObjectMetadata') throw wrongShape(type, media.as, true);
  // Of custom resources it always stands there, as upstream: programs that read them field by field ask for it.
  const isUntyped = !type.schema && media.as === 'object';
  if (isUntyped) metadata.continue = page.continueToken;
  const isWhole = isPlainJson(media) || (media.encoding === 'protobuf' && media.as === 'object');
  if (isWhole) trailOfAnswer(response)?.responds(() => wholeList(list, page.items));
  if (isPlainJson(media)) return sendBody(await renderJson(list, page.items), options);
  if (media.encoding === 'protobuf' && media.as === 'object')
    return sendBody(await renderProtobuf(list, page.items), options);
  const objects: ApiObject[] = [];
  for await (const part of inParts(page.items)) for (const { object } of part) objects.push(object);
  const { include = 'Metadata', nowMs } = options;
  const table = { media, includeObject: include, nowMs, metadata };
  if (media.as === 'Table') sendObject(tableOf(type, objects, table), options);
  else if (media.as === 'object')
    sendObject({ ...list, items: type.schema ? objects.map(withoutKind) : objects }, options);
  else sendObject(partialList(objects, metadata, media.asVersion), options);
}

function wholeList(list: ListHead, items: readonly Snapshot[]): JsonValue {
  return { ...list, items: items.map(({ itemJson }) => parseExactJson(itemJson)) } as unknown as JsonValue;
}

interface ListHead {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
}

async function renderJson(list: ListHead, items: readonly Snapshot[]): Promise<Uint8Array[]> {
  const texts: string[] = [];
  for await (const part of inParts(items)) texts.push(part.map(({ itemJson }) => itemJson).join(','));
  const head = `${JSON.stringify(list).slice(0, -1)},"items":[`;
  if (texts.length <= 1) return [Buffer.from(`${head}${texts[0] ?? ''}]}\n`)];
  return [head, ...texts.map((text, index) => (index === 0 ? text : `,${text}`)), ']}\n'].map((text) =>
    Buffer.from(text),
  );
}

async function renderProtobuf(list: ListHead, items: readonly Snapshot[]): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const part of inParts(items)) {
    parts.push(
      encodeListItems(
        list,
        part.map(({ object }) => object),
      ),
    );
  }
  return encodeProtobufList(list, parts);
}

/** As the store's pages: bounded in number and characters. */
async function* inParts(items: readonly Snapshot[]): AsyncGenerator<readonly Snapshot[]> {
  let begin = 0;
  let characters = 0;
  for (const [index, { value }] of items.entries()) {
    characters += value.length;
    const isFull = index - begin + 1 >= limits.pageRowsMax || characters > limits.pageCharactersMax;
    if (!isFull || index === items.length - 1) continue;
    yield items.slice(begin, index + 1);
    await turn();
    begin = index + 1;
    characters = 0;
  }
  if (begin < items.length) yield begin === 0 ? items : items.slice(begin);
}

function withoutKind(object: { kind?: string; apiVersion?: string }): object {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}
