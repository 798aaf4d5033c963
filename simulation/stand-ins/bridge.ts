/** A pod network without interfaces, in place of `packages/runtime/src/network/bridge.ts`: addresses alone. */
import { AddressPool } from '../../packages/runtime/src/network/address-pool.ts';
import { parseRanges } from '../../packages/runtime/src/network/address-range.ts';
import type {
  AttachRequest,
  HeldAddress,
  PodAddress,
  PodNetwork,
  ReleaseRequest,
} from '../../packages/runtime/src/network/pod-network.ts';

export class BridgeNetwork implements PodNetwork {
  readonly #pool = new AddressPool(parseRanges('10.88.0.0/16')[0]!);
  readonly problem = null;
  readonly limitsBandwidth = false;

  async open(held: () => readonly HeldAddress[]): Promise<void> {
    for (const { address } of held()) this.#pool.take(address.ip);
  }

  /** Whether no pod has an address. */
  get isUnused(): boolean {
    return this.#pool.isUnused;
  }

  async adoptRange(): Promise<void> {}

  reserve({ sandboxId }: AttachRequest): PodAddress {
    return { ip: this.#pool.allocate(), additionalIps: [], hostInterface: sandboxId.slice(0, 8) };
  }

  connect(): void {}

  async attach(_request: AttachRequest, reserved: PodAddress | null): Promise<PodAddress> {
    if (!reserved) throw new TypeError('nothing was reserved');
    return reserved;
  }

  async release(_request: ReleaseRequest, address: PodAddress | null): Promise<void> {
    if (address) this.#pool.release(address.ip);
  }

  complaintOf(): undefined {
    return undefined;
  }

  info(): Record<string, string> {
    return {};
  }

  async close(): Promise<void> {}
}
