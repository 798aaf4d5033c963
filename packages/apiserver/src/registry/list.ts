import { setImmediate as turn } from 'node:timers/promises';
import { badRequest, expired } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import { shownSnapshots } from '../objects/shown-snapshots.ts';
import { Snapshot } from '../objects/snapshot.ts';
import { keyOf } from '../objects/strategy.ts';
import { checkVersion, readVersion, tooLargeRevision } from '../requests/list-options.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { readSelection, type Selection } from '../requests/selection.ts';
import { StoreError } from '../store/errors.ts';
import type { StoredValue } from '../store/stored-value.ts';
import { awaitRevision } from './await-revision.ts';
import type { Collection } from './collection.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';

/** A page of a list. */
export interface ListPage {
  items: Snapshot[];
  revision: number;
  /** '' when this is the end. */
  continueToken: string;
  /** Known only without selectors. */
  remaining?: number | undefined;
}

interface Start {
  /** Undefined: now. */
  revision: number | undefined;
  /** Whole key of the last object that was sent. */
  after: string | undefined;
}

/** GET of a collection. Throws 400, 410, 422 and 504. */
export async function listObjects(collection: Collection, request: ResourceRequest): Promise<ListPage> {
  const items: Snapshot[] = [];
  let end: Omit<ListPage, 'items'> = { revision: 0, continueToken: '' };
  for await (const { items: more, ...rest } of listInParts(collection, request)) {
    for (const item of more) items.push(item);
    end = rest;
  }
  return { ...end, items };
}

/**
 * The same in parts of bounded size, all of one revision; between two of them others have their turn. The last part's
 * `continueToken` is the list's.
 */
export async function* listInParts(
  collection: Collection,
  request: ResourceRequest,
): AsyncGenerator<ListPage> {
  const { resource } = collection;
  const selection = readSelection(request, resource.type);
  const limit = limitOf(request);
  const prefix = keyOf(resource, request.info.namespace, '');
  const start = await startOf(request, collection, prefix);
  const options = { collection, selection, prefix, limit };
  try {
    const named = namedKey(collection, request, selection);
    if (named && start.revision === undefined && start.after === undefined)
      yield await listOne(named, options);
    else yield* readParts(start, options);
  } catch (error) {
    throw asExpired(error, start.after?.slice(prefix.length));
  }
}

/** 0: all. A list of whatever is there (`resourceVersion=0`) comes whole, as upstream's cache gives it; events have none there. */
function limitOf({ query, info: { resource } }: ResourceRequest): number {
  const limit = Math.max(query.integer('limit') ?? 0, 0);
  const isOfCache = query.text('resourceVersion') === '0' && resource !== 'events';
  return isOfCache ? 0 : limit;
}

interface PartOptions {
  collection: Collection;
  selection: Selection;
  prefix: string;
  limit: number;
}

async function* readParts(start: Start, options: PartOptions): AsyncGenerator<ListPage> {
  const { selection, prefix } = options;
  const { store } = options.collection.storage;
  let missing = options.limit === 0 ? Number.POSITIVE_INFINITY : options.limit;
  let { revision, after } = start;
  const listed = { fetched: 0, evaluated: 0, returned: 0 };
  for (;;) {
    const isLastOfMany = missing <= limits.pageRowsMax;
    const page = await store.range({
      ...{ prefix, after, revision, charactersMax: limits.pageCharactersMax },
      limit: selection.isEmpty && isLastOfMany ? missing : limits.pageRowsMax,
      countsRemaining: selection.isEmpty && isLastOfMany,
    });
    revision = page.revision;
    const { items, last, evaluated } = await selectFrom(page.items, missing, options);
    missing -= items.length;
    listed.fetched += page.items.length;
    listed.evaluated += evaluated;
    listed.returned += items.length;
    after = last ?? after;
    const hasMore = page.hasMore || last !== page.items.at(-1)?.key;
    if (hasMore && missing > 0) {
      yield { items, revision, continueToken: '' };
      await turn();
      continue;
    }
    options.collection.figures.listed(listed);
    const continueToken = hasMore ? encodeContinue({ revision, after: after!.slice(prefix.length) }) : '';
    yield { items, revision, continueToken, remaining: hasMore ? page.remaining : undefined };
    return;
  }
}

/** The first `missing` of the stored objects that are selected, and the key of the last one that was looked at. */
async function selectFrom(
  stored: readonly StoredValue[],
  missing: number,
  { selection, collection: { resource } }: PartOptions,
): Promise<{ items: Snapshot[]; last: string | undefined; evaluated: number }> {
  const items: Snapshot[] = [];
  // Selections are about what is shown, and that is not known before it is asked for.
  const shown = resource.conversion?.remote && (await shownSnapshots(resource, stored));
  for (const [index, value] of stored.entries()) {
    if (!selection.mayMatch(shown?.[index]?.value ?? value.value)) continue;
    const snapshot = shown?.[index] ?? Snapshot.of(value, resource);
    if (selection.isEmpty || selection.matches(snapshot.object)) items.push(snapshot);
    if (items.length >= missing) return { items, last: value.key, evaluated: index + 1 };
  }
  return { items, last: stored.at(-1)?.key, evaluated: stored.length };
}

/** The key of the only object that can match. */
function namedKey(
  collection: Collection,
  request: ResourceRequest,
  selection: Selection,
): string | undefined {
  const { name } = selection;
  const { namespace } = request.info;
  const isPlaced = !collection.resource.facts.namespaced || namespace !== '';
  return name && isPlaced ? keyOf(collection.resource, namespace, name) : undefined;
}

async function listOne(key: string, { collection, selection }: PartOptions): Promise<ListPage> {
  const { store, resource } = collection.storage;
  const revision = await store.revision();
  const stored = await store.get(key);
  const [snapshot] = stored ? await shownSnapshots(resource, [stored]) : [];
  const items = snapshot && selection.matches(snapshot.object) ? [snapshot] : [];
  // No list is older than what is in it: a watch from there would tell of that again.
  return { items, revision: Math.max(revision, stored?.modRevision ?? 0), continueToken: '' };
}

async function startOf(
  { query, signal }: ResourceRequest,
  { storage: { store }, clock }: Collection,
  prefix: string,
): Promise<Start> {
  const token = query.text('continue');
  if (token !== '') {
    checkVersion(query, 'list');
    const point = decodeContinue(token);
    if (!['', '0'].includes(query.text('resourceVersion')))
      throw badRequest('specifying resource version is not allowed when using continue');
    return { revision: point.revision, after: `${prefix}${point.after}` };
  }
  const { revision, match } = readVersion(query, 'list');
  if (revision === undefined) return { revision: undefined, after: undefined };
  const hasLimit = (query.integer('limit') ?? 0) > 0;
  // A limit with a version but no match means that very version, as it did before there was a match.
  const isExact = match === 'Exact' || (match === '' && hasLimit);
  const current = isExact ? await store.revision() : revision;
  if (revision > current) throw tooLargeRevision(revision, current);
  if (!isExact) await awaitRevision(store, revision, { clock, signal });
  return { revision: isExact ? revision : undefined, after: undefined };
}

const inconsistentContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** The 410 for a revision that is not kept any more; a list that had begun may go on with what is there now. */
function asExpired(error: unknown, after: string | undefined): unknown {
  if (!(error instanceof StoreError) || error.code !== 'compacted') return error;
  if (after === undefined) return expired('The resourceVersion for the provided list is too old.');
  const refusal = expired(inconsistentContinue);
  refusal.status.metadata = { continue: encodeContinue({ revision: undefined, after }) };
  return refusal;
}
