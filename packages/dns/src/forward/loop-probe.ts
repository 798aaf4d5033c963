import { randomBytes } from 'node:crypto';
import type { Logger } from '@wherry/telemetry';
import { headerFlags, recordTypes } from '../wire/codes.ts';
import type { Name } from '../wire/name.ts';
import type { ForwardedQuestion } from './forwarder.ts';
import type { Resolver } from './resolver-list.ts';

/** No name that servers answer without asking others, as they do for `invalid`. */
const word = () => randomBytes(8).toString('hex');

/** Asks one server; what it answers does not matter. */
interface Asker {
  probe(resolver: Resolver, question: ForwardedQuestion): Promise<unknown>;
}

/**
 * Finds resolvers that send questions back here: each is asked once for a name that nobody else knows, and one whose
 * question arrives is asked no more (CoreDNS' `loop` ends the whole server).
 */
export class LoopProbe {
  readonly #logger: Logger;
  readonly #probes = new Map<Name, Resolver>();
  readonly #looping = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Whether the resolver is known to lead back here. */
  leadsBack({ address }: Resolver): boolean {
    return this.#looping.has(address);
  }

  /** Begins anew with these. */
  async probe(resolvers: readonly Resolver[], asker: Asker): Promise<void> {
    this.#probes.clear();
    this.#looping.clear();
    for (const resolver of resolvers) this.#probes.set(`${word()}.${word()}`, resolver);
    const flags = headerFlags.recursionDesired;
    await Promise.all(
      [...this.#probes].map(([name, resolver]) =>
        asker.probe(resolver, { name, type: recordTypes.HINFO, flags, dnssecOk: false }),
      ),
    );
  }

  /** Takes note of a question that has arrived; whether it is one of the probes. */
  arrived(name: Name): boolean {
    const resolver = this.#probes.get(name);
    if (!resolver) return false;
    if (!this.#looping.has(resolver.address))
      this.#logger.error('a resolver sends questions back to this server and is asked no more', {
        resolver: resolver.address,
      });
    this.#looping.add(resolver.address);
    return true;
  }
}
