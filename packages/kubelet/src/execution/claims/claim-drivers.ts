import type { Clock } from '@wherry/clock';
import { dnsSubdomain } from '@wherry/kubeapi';
import type { Histogram } from '@wherry/telemetry';
import { plugInsMax } from '../../limits.ts';
import { ClaimDriver, versionOf } from './claim-driver.ts';
import type { SliceWiper } from './slice-wiper.ts';

const driverNameMax = 63;

/** What drivers are kept with. */
export interface ClaimDriversOptions {
  wiper: Pick<SliceWiper, 'away' | 'back'>;
  clock: Clock;
  /** Seconds that calls took. */
  durations: Histogram;
  /** A driver can be asked; `gone` aborts when it can not be any more. */
  onAdded(driver: ClaimDriver, gone: AbortSignal): void;
}

interface Plug {
  driver: ClaimDriver;
  gone: AbortController;
}

/** The drivers of the node, each with one plug-in, or two while one replaces the other (pkg/kubelet/cm/dra/plugin). */
export class ClaimDrivers {
  readonly #options: ClaimDriversOptions;
  /** By driver, in the order in which they registered. */
  readonly #plugs = new Map<string, Plug[]>();

  constructor(options: ClaimDriversOptions) {
    this.#options = options;
  }

  /** A plug-in offers itself. Throws, in upstream's words, where it can't be taken. */
  add(name: string, endpoint: string, versions: readonly string[]): void {
    if (name.length > driverNameMax || dnsSubdomain(name.toLowerCase()).length > 0)
      throw new Error(
        `${JSON.stringify(name)} is no name of a DRA driver: it is a DNS subdomain of at most ${driverNameMax}`,
      );
    const version = chosen(name, endpoint, versions);
    const plugs = this.#plugs.get(name) ?? [];
    if (plugs.some(({ driver }) => driver.endpoint === endpoint))
      throw new Error(`endpoint ${endpoint} already registered for DRA driver plugin ${name}`);
    if ([...this.#plugs.values()].flat().length >= plugInsMax)
      throw new Error(`there are ${plugInsMax} plug-ins of DRA drivers already`);
    const { clock, durations, onAdded } = this.#options;
    const driver = new ClaimDriver({ name, endpoint, version, clock, durations });
    const gone = new AbortController();
    this.#plugs.set(name, [...plugs, { driver, gone }]);
    driver.follow(() => this.#compare(name), gone.signal);
    this.#compare(name);
    onAdded(driver, gone.signal);
  }

  /** The plug-in behind that socket is gone. */
  remove(name: string, endpoint: string): void {
    const plugs = this.#plugs.get(name) ?? [];
    const lost = plugs.find(({ driver }) => driver.endpoint === endpoint);
    if (!lost) return;
    const others = plugs.filter((plug) => plug !== lost);
    if (others.length > 0) this.#plugs.set(name, others);
    else this.#plugs.delete(name);
    lost.gone.abort(new Error(`the plug-in of DRA driver ${name} is gone`));
    lost.driver.close();
    this.#compare(name);
  }

  /** The newest plug-in of a driver that is there, or else the newest. Throws, in upstream's words, where there is none. */
  get(name: string): ClaimDriver {
    if (name === '') throw new Error('DRA driver name is empty');
    const drivers = (this.#plugs.get(name) ?? []).map(({ driver }) => driver);
    const found = drivers.findLast(({ isConnected }) => isConnected) ?? drivers.at(-1);
    if (!found) throw new Error(`DRA driver ${name} is not registered`);
    return found;
  }

  close(): void {
    for (const { driver, gone } of [...this.#plugs.values()].flat()) {
      gone.abort(new Error('the kubelet is stopping'));
      driver.close();
    }
  }

  #compare(name: string): void {
    const { wiper } = this.#options;
    const isThere = (this.#plugs.get(name) ?? []).some(({ driver }) => driver.isConnected);
    if (isThere) wiper.back(name);
    else wiper.away(name);
  }
}

function chosen(name: string, endpoint: string, versions: readonly string[]): string {
  try {
    return versionOf(versions);
  } catch (error) {
    const what = `invalid supported gRPC versions of DRA driver plugin ${name} at endpoint ${endpoint}`;
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
  }
}
