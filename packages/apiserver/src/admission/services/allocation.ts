import type { FieldError } from '@wherry/kubeapi';
import type { AdmissionRequest } from '../admission.ts';
import { addressThing, portThing, type ServiceLedger } from './ledger.ts';
import type { SharedAllocations } from './shared-allocations.ts';

/** What services' things are looked up in. */
export interface AllocationParts {
  ledger: ServiceLedger;
  /** Present where other servers give out addresses and ports, too. */
  shared: SharedAllocations | undefined;
}

/** What one write takes, and what is wrong with it. */
export class Allocation {
  readonly errors: FieldError[] = [];
  /** `namespace/name` of the service that is written. */
  readonly owner: string;
  readonly addresses: string[] = [];
  readonly ports: number[] = [];
  readonly #parts: AllocationParts;
  readonly #request: AdmissionRequest;

  constructor(parts: AllocationParts, owner: string, request: AdmissionRequest) {
    this.#parts = parts;
    this.owner = owner;
    this.#request = request;
  }

  /** False when another service has it; otherwise nobody else gets it until this write is over. */
  takeAddress(address: string): boolean {
    if (this.#parts.shared?.hasAddress(address, this.owner) || !this.#take(addressThing(address)))
      return false;
    this.addresses.push(address);
    return true;
  }

  /** As {@link takeAddress}. */
  takePort(port: number): boolean {
    if (this.#parts.shared?.hasPort(port) || !this.#take(portThing(port))) return false;
    this.ports.push(port);
    return true;
  }

  #take(thing: string): boolean {
    const { ledger } = this.#parts;
    if (ledger.isTaken(thing, this.owner)) return false;
    this.#request.onSettled(ledger.take(thing, this.owner));
    return true;
  }
}
