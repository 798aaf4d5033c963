/** A pod network without interfaces, in place of `packages/runtime/src/network/bridge.ts`: addresses alone. */
import { AddressPool } from '../../packages/runtime/src/network/address-pool.ts';
import type { HeldAddress } from '../../packages/runtime/src/network/bridge.ts';
import type {
  AttachRequest,
  PodAddress,
  PodNetwork,
} from '../../packages/runtime/src/network/pod-network.ts';

export class BridgeNetwork implements PodNetwork {
  readonly #pool = new AddressPool('10.88.0.0/16');
  readonly problem = null;

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
  plugIn(): void {}
  publish(): void {}

  release(_request: AttachRequest, { ip }: PodAddress): void {
    this.#pool.release(ip);
  }

  close(): void {}
}
