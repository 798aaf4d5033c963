import { type DeviceConstraint, ownValue } from '@wherry/kubeapi/objects';
import type { DeviceChoice } from './device-choice.ts';
import type { KnownDevice } from './device-pools.ts';

/** What devices of one claim must have in common, or apart: the value of an attribute. */
export class AttributeConstraint {
  readonly #requests: readonly string[];
  readonly #attribute: string;
  readonly #isDistinct: boolean;
  readonly #values: string[] = [];

  constructor({ requests = [], matchAttribute, distinctAttribute }: DeviceConstraint) {
    this.#requests = requests;
    this.#attribute = matchAttribute ?? distinctAttribute ?? '';
    this.#isDistinct = matchAttribute === undefined;
  }

  /** Whether the device may be one more; it counts from now on if so. */
  add(choice: DeviceChoice, device: KnownDevice): boolean {
    if (!this.#concerns(choice)) return true;
    const value = this.#valueOf(device);
    if (value === undefined) return false;
    const holds = this.#isDistinct
      ? !this.#values.includes(value)
      : this.#values.length === 0 || this.#values[0] === value;
    if (holds) this.#values.push(value);
    return holds;
  }

  /** Takes back the last that was added for the choice. */
  remove(choice: DeviceChoice): void {
    if (this.#concerns(choice)) this.#values.pop();
  }

  #concerns({ parent, name, fullName }: DeviceChoice): boolean {
    if (this.#requests.length === 0) return true;
    return this.#requests.includes(parent ?? name) || this.#requests.includes(fullName);
  }

  /** A name without a domain is the driver's own. */
  #valueOf({ device: { attributes = {} }, driver }: KnownDevice): string | undefined {
    const [domain, ...rest] = this.#attribute.split('/');
    const found =
      ownValue(attributes, this.#attribute) ??
      (domain === driver ? ownValue(attributes, rest.join('/')) : undefined);
    if (!found) return undefined;
    const { int, bool, string, version } = found;
    const value = int ?? bool ?? string ?? version;
    return value === undefined ? undefined : JSON.stringify({ int, bool, string, version });
  }
}
