import type { Clock } from '@wherry/clock';
import type { EndpointSlice, Service } from '@wherry/kubeapi/objects';
import { type AddressFamily, type KeptTable, TableKeeper, WantedTable } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { endStaleFlows } from './flows.ts';
import { limits } from './limits.ts';
import {
  affinityChanges,
  type OrderedFrontend,
  type Orders,
  orderedFrontends,
  shareOf,
  shareOfNode,
  shareOfRanges,
} from './service-state.ts';
import { endpointKey } from './services/endpoints.ts';
import { frontendsOf } from './services/frontends.ts';
import { boundedService } from './services/service-bounds.ts';
import type { Place } from './services/usable-endpoints.ts';
import { ordersIn } from './table/elements.ts';
import type { KernelTable } from './table/kernel-table.ts';

/** What a router looks at. */
export interface RouterOptions {
  /** Whose addresses are led; others have a router of their own. */
  family: AddressFamily;
  table: KernelTable;
  place(): Place;
  /** Whether all services and endpoints are known. */
  isComplete(): boolean;
  service(key: string): Service | undefined;
  slices(key: string): EndpointSlice[];
  /** Ranges of services' addresses beside the table's own: what no service has of them is refused. */
  furtherRanges(): readonly string[];
  /** The node's own of the family, where node ports are at those alone. Default: they are everywhere. */
  nodeAddresses?: (() => readonly string[]) | undefined;
  /** Default: nobody is told. */
  signs?: RouterSigns | undefined;
  clock: Clock;
  logger: Logger;
}

/** What a router tells of itself. */
export interface RouterSigns {
  /** Something may be to do. */
  queued(family: AddressFamily): void;
  /** The kernel is at what is wanted, after so long. */
  updated(family: AddressFamily, seconds: number): void;
  /** The kernel refused. */
  failed(family: AddressFamily): void;
}

/** Keeps the kernel's table at what services and their endpoints say. */
export class ServiceRouter {
  readonly #options: RouterOptions;
  readonly #keeper: TableKeeper;
  readonly #wanted = new WantedTable();
  readonly #frontends = new Map<string, OrderedFrontend[]>();
  readonly #marked = new Set<string>();
  /** What was told of services that are led in part. */
  readonly #leftOut = new Map<string, string>();
  #areRangesMarked = false;
  /** By service: what the kernel was told last, and is yet to be told; clients of it may be with endpoints that are gone. */
  readonly #changed = new Map<string, { before: OrderedFrontend[]; after: OrderedFrontend[] }>();
  /** What an earlier process left, until it was looked at. */
  #found: Orders = new Map();

  constructor(options: RouterOptions) {
    const { family, table, signs, clock, logger } = options;
    this.#options = options;
    const kept: KeptTable = {
      get isMissing() {
        return table.isMissing;
      },
      get isPassing() {
        return table.isPassing;
      },
      isComplete: options.isComplete,
      settle: async () => {
        const content = await table.settle();
        this.#wanted.assume(content);
        this.#found = ordersIn(options.family, content.elements);
      },
      apply: () => {
        const startedMs = clock.monotonicMs();
        try {
          this.#apply();
        } catch (error) {
          signs?.failed(family);
          throw error;
        }
        signs?.updated(family, (clock.monotonicMs() - startedMs) / 1_000);
      },
      lost: () => logger.warn('somebody flushed the rules of services; they are made again'),
      failed: (error) => logger.error('services cannot be routed and will be tried again', { error }),
    };
    this.#keeper = new TableKeeper({ table: kept, clock, retryMs: limits.retryMs, checkMs: limits.checkMs });
  }

  /** A service, `namespace/name`, or its endpoints changed. */
  mark(key: string): void {
    this.#marked.add(key);
    this.look();
  }

  /** Ranges of services' addresses changed, or the node's own addresses. */
  markRanges(): void {
    this.#areRangesMarked = true;
    this.look();
  }

  /** Something may be to do. */
  look(): void {
    const { family, signs } = this.#options;
    signs?.queued(family);
    this.#keeper.look();
  }

  /** Ends it; the table stays. */
  close(): Promise<void> {
    return this.#keeper.close();
  }

  #apply(): void {
    for (const key of this.#marked) {
      const before = this.#frontends.get(key) ?? [];
      const after = this.#frontendsOf(key, before);
      this.#wanted.set(key, after.length > 0 ? shareOf(this.#options.family, after) : undefined);
      if (after.length > 0) this.#frontends.set(key, after);
      else this.#frontends.delete(key);
      this.#changed.set(key, { before: this.#changed.get(key)?.before ?? before, after });
    }
    this.#marked.clear();
    if (this.#areRangesMarked) {
      const { family, furtherRanges, nodeAddresses } = this.#options;
      // No service has these keys.
      this.#wanted.set('', shareOfRanges(family, furtherRanges()));
      this.#wanted.set('node', shareOfNode(nodeAddresses?.() ?? []));
      this.#areRangesMarked = false;
    }
    this.#options.table.apply(this.#wanted);
    for (const [key, { before, after }] of this.#changed) {
      this.#changed.delete(key);
      this.#letGo(before, after);
    }
    this.#found = new Map();
  }

  #frontendsOf(key: string, before: readonly OrderedFrontend[]): OrderedFrontend[] {
    const { service: find, slices, place, logger } = this.#options;
    const found = find(key);
    if (!found) {
      this.#leftOut.delete(key);
      return [];
    }
    const known = slices(key);
    const { service, leftOut } = boundedService(found, known);
    if (leftOut !== undefined && this.#leftOut.get(key) !== leftOut)
      logger.error(`a service is led in part, since it has too much: ${leftOut} are left out`, {
        service: key,
      });
    if (leftOut === undefined) this.#leftOut.delete(key);
    else this.#leftOut.set(key, leftOut);
    return orderedFrontends(frontendsOf(service, known, place()), before, this.#found);
  }

  /** Clients that stayed with an endpoint which is gone, and packets without connections that still go there. */
  #letGo(before: readonly OrderedFrontend[], after: readonly OrderedFrontend[]): void {
    for (const { key, order, numbers } of affinityChanges({ before, after, found: this.#found })) {
      const next = order.map((target) => numbers.get(endpointKey(target)));
      if (next.length > 0 && next.every((number, at) => number === at)) continue;
      this.#options.table.moveClients(key, (number) => next[number]);
    }
    endStaleFlows(this.#options.family, before, after);
  }
}
