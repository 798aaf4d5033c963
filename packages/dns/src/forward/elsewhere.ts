import type { Clock } from '@wherry/clock';
import { type Logger, unattended } from '@wherry/telemetry';
import type { Name } from '../wire/name.ts';
import { Forwarder } from './forwarder.ts';
import { LoopProbe } from './loop-probe.ts';
import { type Resolver, ResolverList, type ResolverSettings } from './resolver-list.ts';

/** What the rest of the world is asked by. */
export interface ElsewhereOptions {
  /** A resolv.conf. */
  path: string;
  /** Resolvers to be asked instead of that file's. */
  resolvers: readonly Resolver[] | undefined;
  /** This server's own addresses, which are not asked. */
  own: readonly string[];
  clock: Clock;
  logger: Logger;
  asked(resolver: Resolver, code: number | undefined): void;
}

/** The machine's resolvers, those among them that lead back here, and what they answer. */
export class Elsewhere {
  readonly forwarder: Forwarder;
  readonly loop: LoopProbe;
  readonly #logger: Logger;
  readonly #list: ResolverList | undefined;
  #settings: ResolverSettings = { resolvers: [], searches: [] };
  #isProbing = false;

  constructor({ path, resolvers, own, clock, logger, asked }: ElsewhereOptions) {
    this.#logger = logger;
    this.loop = new LoopProbe(logger);
    this.forwarder = new Forwarder({
      ...{ clock, asked },
      resolvers: () => this.#settings.resolvers.filter((each) => !this.loop.leadsBack(each)),
    });
    const changed = (settings: ResolverSettings) => this.#take(settings);
    if (resolvers) this.#settings = { resolvers, searches: [] };
    else this.#list = new ResolverList({ path, own, clock, logger, changed });
  }

  /** What the machine's resolver puts behind short names. */
  get searches(): readonly Name[] {
    return this.#settings.searches;
  }

  /** Resolves once the resolvers are known. */
  async start(): Promise<void> {
    await this.#list?.start();
  }

  /** Looks from now on which of them lead back, which shows only once this server listens. */
  probe(): void {
    this.#isProbing = true;
    const probed = this.loop.probe(this.#settings.resolvers, this.forwarder);
    unattended(probed, { logger: this.#logger, task: 'a probe of resolvers' });
  }

  close(): void {
    this.#list?.close();
    this.forwarder.close();
  }

  #take(settings: ResolverSettings): void {
    this.#settings = settings;
    this.forwarder.forget();
    if (this.#isProbing) this.probe();
  }
}
