import type { Clock, Timer } from '@wherry/clock';
import type { EndpointPort, EndpointSubset, Endpoints } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { periods } from '../limits.ts';
import { type ApiObject, as } from '../objects/api-object.ts';
import { toStoredText } from '../objects/stored-text.ts';
import type { Store } from '../store/store.ts';
import { ensure } from './ensure.ts';
import {
  advertisedAddress,
  ensureKubernetesService,
  type KubernetesServiceOptions,
  kubernetesMetadata,
} from './kubernetes-service.ts';

/** What the addresses are kept with. */
export interface ServerAddressesOptions extends KubernetesServiceOptions {
  store: Store;
  /** False: the endpoints are somebody else's to keep. */
  keepsEndpoints: boolean;
  clock: Clock;
  logger: Logger;
}

/** As upstream calls it (pkg/controlplane/reconcilers). */
const prefix = '/masterleases/';

/**
 * The service `kubernetes` and its endpoints, which come back where somebody deletes them (`kubectl delete all --all`). Endpoints
 * are this server alone, or where several share a store all that have said lately that they are there, as upstream's lease
 * reconciler keeps them.
 */
export class ServerAddresses {
  readonly #options: ServerAddressesOptions;
  readonly #address: string | undefined;
  #timer: Timer | undefined;
  /** Never rejects. */
  #keeping: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: ServerAddressesOptions) {
    this.#options = options;
    this.#address = options.keepsEndpoints ? advertisedAddress(options) : undefined;
  }

  /** Resolves once the service is there, and this server an endpoint of it. */
  async start(): Promise<void> {
    await this.#keep();
    this.#keepLater();
  }

  /** The others learn that this server is gone; where that fails, time tells them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    // What says that this server is there must not come after what takes it back.
    await this.#keeping;
    const { store } = this.#options;
    if (this.#address === undefined || !store.shared?.answersWithin(periods.etcdHealthMs)) return;
    try {
      await store.write({ key: `${prefix}${this.#address}`, value: null });
      await this.#write(await this.#living());
    } catch (error) {
      this.#options.logger.warn('the endpoints of this server could not be taken back', { error });
    }
  }

  #keepLater(): void {
    const { clock, logger } = this.#options;
    this.#timer = clock.after(periods.serverAddressMs, () => {
      this.#keeping = this.#keep()
        .catch((error: unknown) => {
          if (!this.#isClosed)
            logger.warn('the service "kubernetes" and its endpoints could not be kept', { error });
        })
        .finally(() => {
          if (!this.#isClosed) this.#keepLater();
        });
    });
  }

  async #keep(): Promise<void> {
    await ensureKubernetesService(this.#options);
    if (this.#address !== undefined) await this.#tell(this.#address);
  }

  async #tell(ip: string): Promise<void> {
    const { store } = this.#options;
    const subsets: EndpointSubset[] = [{ addresses: [{ ip }], ports: this.#ports }];
    if (!store.shared) return this.#write(subsets);
    const value = toStoredText(as<ApiObject>({ metadata: { name: ip }, subsets } as ApiObject), 'v1');
    const lifetimeMs = periods.serverAddressLifetimeMs;
    await store.write({ key: `${prefix}${ip}`, value, kind: 'Endpoints', lifetimeMs });
    await this.#write(await this.#living());
  }

  get #ports(): EndpointPort[] {
    return [{ name: 'https', port: this.#options.securePort, protocol: 'TCP' }];
  }

  async #living(): Promise<EndpointSubset[]> {
    const { items } = await this.#options.store.range({ prefix });
    const told = items.flatMap(({ value }) => (JSON.parse(value) as Endpoints).subsets ?? []);
    const addressesByPorts = new Map<string, EndpointSubset>();
    // Upstream's servers tell no port: all have the same.
    for (const { addresses = [], ports = this.#ports } of told) {
      const text = JSON.stringify(ports);
      const known = addressesByPorts.get(text)?.addresses ?? [];
      addressesByPorts.set(text, { addresses: [...known, ...addresses], ports });
    }
    return [...addressesByPorts.values()];
  }

  async #write(subsets: EndpointSubset[]): Promise<void> {
    const endpoints = this.#options.collection('', 'v1', 'endpoints');
    await ensure(endpoints, as<ApiObject>({ metadata: kubernetesMetadata(), subsets } as never));
    await endpoints.storage.change({
      ...{ namespace: 'default', name: 'kubernetes' },
      change: (current) => ({ next: { ...current, subsets } }),
    });
  }
}
