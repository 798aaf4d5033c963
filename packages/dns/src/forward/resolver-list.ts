import { open } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Clock, Timer } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { foldCase, type Name, nameFrom } from '../wire/name.ts';

/** Another server that answers for names outside the cluster. */
export interface Resolver {
  address: string;
  port: number;
}

/** What the machine's own resolver is told. */
export interface ResolverSettings {
  resolvers: readonly Resolver[];
  searches: readonly Name[];
}

/** What a list of resolvers is made of. */
export interface ResolverListOptions {
  /** A resolv.conf(5). */
  path: string;
  /** Addresses that questions must not be sent to, since they lead back here. */
  own: readonly string[];
  clock: Clock;
  logger: Logger;
  /** Is told of each list that differs from the one before. */
  changed(settings: ResolverSettings): void;
}

const dnsPort = 53;

/** Follows a resolv.conf: read at the start, and every few seconds anew. */
export class ResolverList {
  readonly #options: ResolverListOptions;
  #settings: ResolverSettings = { resolvers: [], searches: [] };
  #text: string | undefined;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: ResolverListOptions) {
    this.#options = options;
  }

  get settings(): ResolverSettings {
    return this.#settings;
  }

  /** Resolves once the file was read; a file that can't be read means no resolvers until it can. */
  async start(): Promise<void> {
    const { path, clock, logger } = this.#options;
    try {
      this.#take(await readStart(path));
    } catch (error) {
      if (this.#text === undefined) logger.warn('the file of resolvers cannot be read', { path, error });
      this.#text ??= '';
    }
    if (!this.#isClosed) this.#timer = clock.after(limits.resolvConfPeriodMs, () => void this.start());
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #take(text: string): void {
    if (text === this.#text) return;
    const { own, path, logger, changed } = this.#options;
    this.#text = text;
    const { servers, searches } = parse(text);
    const leadsBack = servers.filter((address) => own.includes(address));
    if (leadsBack.length > 0)
      logger.warn('a resolver is this server itself and is left out', { path, resolvers: leadsBack });
    const resolvers = servers
      .filter((address) => !own.includes(address))
      .slice(0, limits.resolversMax)
      .map((address) => ({ address, port: dnsPort }));
    if (resolvers.length === 0)
      logger.warn('no resolvers are known: names outside the cluster are not found', { path });
    this.#settings = { resolvers, searches };
    changed(this.#settings);
  }
}

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(limits.resolvConfBytesMax));
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function parse(text: string): { servers: string[]; searches: Name[] } {
  const servers: string[] = [];
  let searches: Name[] = [];
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.trim().split(/\s+/);
    if (keyword === 'nameserver' && words[0] && isIP(words[0])) servers.push(words[0]);
    if (keyword === 'search' || keyword === 'domain')
      searches = words.flatMap((word) => nameFrom(foldCase(word)) ?? []);
  }
  return { servers, searches };
}
