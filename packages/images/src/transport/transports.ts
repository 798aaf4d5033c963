import { createHash } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import { plainTls, type RegistryHost } from '../hosts/registry-host.ts';
import { limits } from '../limits.ts';
import { contextOf, readMaterial } from './tls-context.ts';
import { Transport } from './transport.ts';

/** What every transport is made with. */
export interface TransportsOptions {
  clock: Clock;
  /** Names the proxies. Default: this process's. */
  environment?: NodeJS.ProcessEnv | undefined;
}

/** The ways to registries: one for all hosts with the same settings, so that their connections are used again. */
export class Transports {
  readonly #clock: Clock;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #known = new Map<string, Transport>();

  constructor({ clock, environment = process.env }: TransportsOptions) {
    this.#clock = clock;
    this.#environment = environment;
  }

  /** The way to a host. Rejects with `ImageError` INVALID_ARGUMENT when its certificates cannot be read. */
  to({ tls, prefersTls, dialTimeoutMs }: RegistryHost): Promise<Transport> {
    return this.#with({ tls, prefersTls, dialTimeoutMs });
  }

  /**
   * The way to a host that another one redirects to: it may prove itself by the same authorities, but it is verified,
   * and sees no client certificate.
   */
  beyond({ tls: { authorities }, dialTimeoutMs }: RegistryHost): Promise<Transport> {
    return this.#with({ tls: { ...plainTls, authorities }, prefersTls: false, dialTimeoutMs });
  }

  async #with({
    tls,
    prefersTls,
    dialTimeoutMs,
  }: Pick<RegistryHost, 'tls' | 'prefersTls' | 'dialTimeoutMs'>): Promise<Transport> {
    const material = await readMaterial(tls);
    const skipsVerification = tls.skipsVerification ?? false;
    const settings = JSON.stringify([material, skipsVerification, prefersTls, dialTimeoutMs]);
    const key = createHash('sha256').update(settings).digest('hex');
    const known = this.#known.get(key);
    if (known) return known;
    const transport = new Transport({
      context: contextOf(material, skipsVerification),
      skipsVerification,
      prefersTls,
      dialTimeoutMs,
      clock: this.#clock,
      environment: this.#environment,
    });
    // The oldest is forgotten: its idle connections end by themselves.
    const [oldest] = this.#known.keys();
    if (this.#known.size >= limits.transportsMax && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, transport);
    return transport;
  }
}
