import { onAbort } from '@wherry/bytes';
import { expired, type StatusError, toStatusError } from '@wherry/kubeapi';
import { limits, periods } from '../limits.ts';
import { keyOf } from '../objects/strategy.ts';
import { awaitRevision } from '../registry/await-revision.ts';
import type { Collection } from '../registry/collection.ts';
import type { Wire } from '../registry/handler.ts';
import { listInParts } from '../registry/list.ts';
import type { WatchBatch } from '../registry/watch-events.ts';
import { readVersion, tooLargeRevision } from '../requests/list-options.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { readSelection, type Selection } from '../requests/selection.ts';
import { readInclude } from '../requests/table-options.ts';
import { StoreError } from '../store/errors.ts';
import type { StoreEvent, StoreWatch } from '../store/store.ts';
import { openWatchDoor, type WatchDoor } from './watch-door.ts';
import { createWatchFramer, type WatchFramer } from './watch-frames.ts';

/** Where a watch begins. */
interface WatchStart {
  /** Undefined: with what is there now. */
  revision: number | undefined;
  /** What is there has to be as new as this before it is told. */
  notBefore: number | undefined;
  /** A bookmark tells the end of what was there. */
  marksInitialEnd: boolean;
  allowsBookmarks: boolean;
  timeoutMs: number;
}

/** GET with `watch`: streams changes until the time is over, the client leaves or falls too far behind. */
export async function serveWatch(
  collection: Collection,
  request: ResourceRequest,
  wire: Wire,
): Promise<void> {
  const selection = readSelection(request, collection.resource.type);
  const { revision } = readVersion(request.query, 'watch');
  const current = await collection.storage.store.revision();
  const start = readStart(request, revision, current);
  // Upstream waits in silence; who saw a cluster that was set back since has to list anew.
  if (start.revision !== undefined && start.revision > current)
    throw tooLargeRevision(start.revision, current);
  const framer = createWatchFramer({
    ...{ media: request.media, type: collection.resource.type, include: readInclude(request) },
    nowMs: () => collection.clock.nowMs(),
  });
  const door = openWatchDoor(wire, request.media);
  if (door) await new WatchResponse({ collection, request, door, framer, selection, start }).run();
}

function readStart(
  { query, watchMinimumMs = periods.watchMinimumMs }: ResourceRequest,
  revision: number | undefined,
  current: number,
): WatchStart {
  // Without a version that is the default, as upstream has it since lists can be watched.
  const sendsInitial = query.has('sendInitialEvents')
    ? query.flag('sendInitialEvents')
    : revision === undefined;
  const seconds = query.integer('timeoutSeconds') ?? 0;
  // Spread, so that watches made together do not end together.
  const defaultMs = watchMinimumMs * (1 + Math.random());
  const allowsBookmarks = query.flag('allowWatchBookmarks');
  return {
    ...{ revision: sendsInitial ? undefined : (revision ?? current), notBefore: revision },
    marksInitialEnd: sendsInitial && allowsBookmarks,
    allowsBookmarks,
    timeoutMs: seconds > 0 ? seconds * 1000 : defaultMs,
  };
}

class WatchResponse {
  readonly #collection: Collection;
  readonly #request: ResourceRequest;
  readonly #door: WatchDoor;
  readonly #selection: Selection;
  readonly #start: WatchStart;
  readonly #framer: WatchFramer;
  /** Resolves with whether it was its time that was over. */
  readonly #ended = Promise.withResolvers<boolean>();
  #watch: StoreWatch | undefined;
  /** What waits for another server's conversion; undefined where nothing does. */
  #turns: Promise<void> | undefined;
  #waitingCharacters = 0;
  #isOver = false;

  constructor(options: {
    collection: Collection;
    request: ResourceRequest;
    door: WatchDoor;
    framer: WatchFramer;
    selection: Selection;
    start: WatchStart;
  }) {
    const { collection, request } = options;
    this.#collection = collection;
    this.#request = request;
    this.#door = options.door;
    this.#selection = options.selection;
    this.#start = options.start;
    this.#framer = options.framer;
  }

  async run(): Promise<void> {
    const { signal } = this.#request;
    const { clock } = this.#collection;
    const leave = onAbort(signal, () => this.#end(false));
    const timeout = clock.after(this.#start.timeoutMs, () => this.#end(true));
    const bookmarks = this.#start.allowsBookmarks ? this.#repeatBookmarks() : undefined;
    try {
      await this.#follow();
      const isTimeUp = await this.#ended.promise;
      if (isTimeUp && this.#isCaughtUp && this.#start.allowsBookmarks) await this.#bookmark();
    } catch (error) {
      this.#fail(watchError(error));
    } finally {
      timeout.cancel();
      bookmarks?.cancel();
      leave();
      this.#watch?.close();
      await this.#door.end();
    }
  }

  async #follow(): Promise<void> {
    const { storage, resource } = this.#collection;
    const prefix = keyOf(resource, this.#request.info.namespace, '');
    const startedMs = this.#collection.clock.monotonicMs();
    let revision = this.#start.revision ?? (await this.#sendInitial());
    if (revision === undefined) return;
    if (this.#start.marksInitialEnd) {
      await this.#write(this.#framer.bookmark(revision, true));
      this.#tellInitial(this.#collection.clock.monotonicMs() - startedMs);
    }
    // Whoever is behind, or reads slowly, is sent no more than it takes, until it has caught up.
    for (let hasWaited = true; hasWaited; ) {
      const page = await storage.store.history({ prefix, afterRevision: revision });
      revision = page.revision;
      await this.#collection.watchEvents.prepare(page.events);
      hasWaited = (await this.#write(this.#bytesOf(page.events))) || !page.isCurrent;
      if (this.#isOver) return;
    }
    this.#watch = await storage.store.watch({
      prefix,
      afterRevision: revision,
      onEvents: (events) => this.#send(events),
      onEnd: () => this.#end(false),
    });
  }

  #tellInitial(tookMs: number): void {
    const { info } = this.#request;
    const isOne = this.#selection.name !== undefined;
    const scope = isOne ? 'resource' : info.namespace === '' ? 'cluster' : 'namespace';
    this.#collection.figures.toldInitial(scope, tookMs);
  }

  /** Everything that is there now, as ADDED; its revision, or undefined when the watch ended meanwhile. */
  async #sendInitial(): Promise<number | undefined> {
    const { signal } = this.#request;
    const { clock, storage } = this.#collection;
    const { notBefore } = this.#start;
    if (notBefore !== undefined) await awaitRevision(storage.store, notBefore, { clock, signal });
    let revision: number | undefined;
    for await (const part of listInParts(this.#collection, withoutVersion(this.#request))) {
      const frames = part.items.map((snapshot) => this.#framer.event({ type: 'ADDED', snapshot }));
      await this.#write(this.#told(batchOf(frames)));
      if (this.#isOver) return undefined;
      revision = part.revision;
    }
    return revision;
  }

  /** Writes, and waits until the client has taken it or the watch is over. True when it had to wait. */
  async #write(bytes: Buffer): Promise<boolean> {
    if (bytes.length === 0 || this.#door.write(bytes)) return false;
    await Promise.race([this.#door.drained(), this.#ended.promise]);
    return true;
  }

  #bytesOf(events: readonly StoreEvent[]): Buffer {
    const { sharedBatches } = this.#collection.watchEvents;
    const isShared = this.#selection.isEmpty && this.#framer.isShared;
    const batch = (isShared && sharedBatches.get(events)) || this.#render(events);
    if (isShared) sharedBatches.set(events, batch);
    return this.#told(batch);
  }

  /** What is about to be sent. */
  #told({ bytes, lengths }: WatchBatch): Buffer {
    if (lengths.length > 0) this.#collection.figures.sent(lengths);
    return bytes;
  }

  #end(isTimeUp: boolean): void {
    this.#isOver = true;
    this.#ended.resolve(isTimeUp);
  }

  #send(events: readonly StoreEvent[]): void {
    const prepared = this.#collection.watchEvents.prepare(events);
    if (prepared) this.#sendLater(events, prepared);
    else this.#sendNow(events);
  }

  /** In their order, once another server has converted them. */
  #sendLater(events: readonly StoreEvent[], prepared: Promise<void>): void {
    const characters = events.reduce((sum, event) => sum + lengthOf(event), 0);
    this.#waitingCharacters += characters;
    if (this.#waitingCharacters > limits.watchBufferBytesMax) this.#fallBehind();
    else
      this.#inOrder(async () => {
        await prepared;
        this.#waitingCharacters -= characters;
        if (!this.#isOver) this.#sendNow(events);
      });
  }

  /** Behind all that waits already. */
  #inOrder(work: () => Promise<void>): void {
    const turn = (this.#turns ?? Promise.resolve()).then(work).catch((error: unknown) => {
      if (!this.#isOver) this.#fail(watchError(error));
    });
    this.#turns = turn;
    void turn.then(() => {
      if (this.#turns === turn) this.#turns = undefined;
    });
  }

  #sendNow(events: readonly StoreEvent[]): void {
    const bytes = this.#bytesOf(events);
    if (bytes.length === 0) return;
    this.#door.write(bytes);
    if (this.#door.bufferedBytes > limits.watchBufferBytesMax) this.#fallBehind();
  }

  #render(events: readonly StoreEvent[]): WatchBatch {
    const { watchEvents } = this.#collection;
    const frames: Buffer[] = [];
    for (const event of events) {
      const seen = watchEvents.read(event, this.#selection);
      if (seen) frames.push(this.#framer.event(seen));
    }
    return batchOf(frames);
  }

  /** All that was before has been written: only then a bookmark is true. */
  get #isCaughtUp(): boolean {
    return this.#watch !== undefined;
  }

  async #bookmark(): Promise<void> {
    const revision = await this.#collection.storage.store.revision();
    const write = () => this.#door.write(this.#framer.bookmark(revision, false));
    if (!this.#turns) write();
    // A bookmark says that all before it has been told.
    else if (!this.#isOver)
      this.#inOrder(async () => {
        if (!this.#isOver) write();
      });
  }

  #repeatBookmarks(): { cancel(): void } {
    const { clock } = this.#collection;
    let timer = clock.after(periods.bookmarkMs, next.bind(this));
    function next(this: WatchResponse): void {
      if (this.#isCaughtUp) this.#bookmark().catch(() => {});
      timer = clock.after(periods.bookmarkMs, next.bind(this));
    }
    return { cancel: () => timer.cancel() };
  }

  #fallBehind(): void {
    this.#collection.figures.fellBehind();
    this.#fail(tooFarBehind());
  }

  #fail(error: StatusError): void {
    this.#watch?.close();
    this.#door.write(this.#framer.error(error.status));
    this.#end(false);
  }
}

function batchOf(frames: readonly Buffer[]): WatchBatch {
  const bytes = frames.length === 1 ? frames[0]! : Buffer.concat(frames);
  return { bytes, lengths: frames.map(({ length }) => length) };
}

function tooFarBehind(): StatusError {
  return expired('too old resource version: the watch fell too far behind');
}

function lengthOf({ current, previous }: StoreEvent): number {
  return (current?.value.length ?? 0) + (previous?.value.length ?? 0);
}

function watchError(error: unknown): StatusError {
  if (!(error instanceof StoreError)) return toStatusError(error);
  return error.code === 'compacted'
    ? expired(`too old resource version: ${error.message}`)
    : toStatusError(error);
}

/** The same request for a plain list of now. */
function withoutVersion(request: ResourceRequest): ResourceRequest {
  return {
    ...request,
    query: request.query.without(
      'resourceVersion',
      'resourceVersionMatch',
      'sendInitialEvents',
      'limit',
      'continue',
    ),
  };
}
