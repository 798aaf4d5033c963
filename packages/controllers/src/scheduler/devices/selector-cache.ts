import type { DeviceSelector } from '@wherry/kubeapi/device-selectors';
import type { ResourceV1ResourceClaim, DeviceSelector as SelectorSpec } from '@wherry/kubeapi/objects';
import { limits } from '../../limits.ts';
import { AllocationError } from './allocation-error.ts';
import { claimText, type DeviceChoice } from './device-choice.ts';
import type { KnownDevice } from './device-pools.ts';

type Engine = typeof import('@wherry/kubeapi/device-selectors');

let engine: Engine | undefined;

/** Loads what reads expressions: only clusters with claims on devices pay for it. */
export async function loadSelectors(): Promise<void> {
  if (engine) return;
  const loaded = await import('@wherry/kubeapi/device-selectors');
  await loaded.loadPatternEngine();
  engine = loaded;
}

/** Compiled selectors; the oldest go where there are too many. Needs {@link loadSelectors}. */
export class SelectorCache {
  readonly #known = new Map<string, DeviceSelector | Error>();

  /** Whether class and request want such a device. Throws {@link AllocationError}. */
  suits(claim: ResourceV1ResourceClaim, { deviceClass, asked }: DeviceChoice, known: KnownDevice): boolean {
    return (
      this.#matches(deviceClass.spec.selectors, known, `class ${deviceClass.metadata.name}`) &&
      this.#matches(asked.selectors, known, `claim ${claimText(claim)}`)
    );
  }

  #matches(
    selectors: readonly SelectorSpec[] | undefined,
    { driver, device }: KnownDevice,
    where: string,
  ): boolean {
    return (selectors ?? []).every(({ cel }, index) => {
      try {
        const selector = this.#compiled(cel?.expression ?? '');
        if (selector instanceof Error) throw selector;
        return selector.matches({ ...device, driver });
      } catch (error) {
        throw new AllocationError(`${where}: selector #${index}: ${(error as Error).message}`);
      }
    });
  }

  #compiled(text: string): DeviceSelector | Error {
    const known = this.#known.get(text);
    if (known) return known;
    if (!engine) throw new Error('loadSelectors() must have been waited for');
    const { DeviceSelector: Selector, DeviceSelectorError } = engine;
    let made: DeviceSelector | Error;
    try {
      made = new Selector(text);
    } catch (error) {
      if (!(error instanceof DeviceSelectorError)) throw error;
      made = error;
    }
    const oldest = this.#known.size < limits.deviceSelectorsMax ? undefined : this.#known.keys().next().value;
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(text, made);
    return made;
  }
}
