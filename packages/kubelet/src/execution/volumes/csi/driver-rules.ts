import { type KubeClient, kinds } from '@wherry/client';
import { type CSIDriver, StatusError } from '@wherry/kubeapi';

/** What the object of a driver says of how its volumes are mounted. */
export class DriverRules {
  readonly #driver: string;
  readonly #spec: CSIDriver['spec'] | undefined;

  constructor(driver: string, object: CSIDriver | undefined) {
    this.#driver = driver;
    this.#spec = object?.spec;
  }

  static async read(client: KubeClient, driver: string, signal: AbortSignal): Promise<DriverRules> {
    try {
      return new DriverRules(driver, await client.resource(kinds.csiDrivers).get({ name: driver, signal }));
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return new DriverRules(driver, undefined);
      throw error;
    }
  }

  /** A driver without an object needs it. */
  get attachRequired(): boolean {
    return this.#spec?.attachRequired ?? true;
  }

  /** The driver is asked from time to time how many volumes the node can have. */
  get countsVolumes(): boolean {
    return (this.#spec?.nodeAllocatableUpdatePeriodSeconds ?? 0) > 0;
  }

  get podInfoOnMount(): boolean {
    return this.#spec?.podInfoOnMount ?? false;
  }

  get requiresRepublish(): boolean {
    return this.#spec?.requiresRepublish ?? false;
  }

  get seLinuxMount(): boolean {
    return this.#spec?.seLinuxMount ?? false;
  }

  get tokenRequests() {
    return this.#spec?.tokenRequests ?? [];
  }

  /** Tokens go with the secrets, not with the attributes. */
  get tokensAreSecrets(): boolean {
    return this.#spec?.serviceAccountTokenInSecrets ?? false;
  }

  get fsGroupPolicy(): string {
    return this.#spec?.fsGroupPolicy ?? 'ReadWriteOnceWithFSType';
  }

  /** Throws in upstream's words for volumes that are not for this driver. */
  checkMode(mode: 'Persistent' | 'Ephemeral'): void {
    if (!this.#spec) {
      if (mode === 'Persistent') return;
      throw new Error(`volume mode "${mode}" not supported by driver ${this.#driver} (no CSIDriver object)`);
    }
    const modes = this.#spec.volumeLifecycleModes ?? ['Persistent'];
    if (modes.includes(mode)) return;
    const only = modes.map((each) => `"${each}"`).join(' ');
    throw new Error(
      `volume mode "${mode}" not supported by driver ${this.#driver} (only supports [${only}])`,
    );
  }
}
