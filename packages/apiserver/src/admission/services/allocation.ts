import type { FieldError } from '@wherry/kubeapi';
import type { AdmissionRequest } from '../admission.ts';
import type { ServiceLedger } from './ledger.ts';

/** What one write takes, and what is wrong with it. */
export class Allocation {
  readonly errors: FieldError[] = [];
  readonly #ledger: ServiceLedger;
  readonly #owner: string;
  readonly #request: AdmissionRequest;
  readonly #taken: string[] = [];

  constructor(ledger: ServiceLedger, owner: string, request: AdmissionRequest) {
    this.#ledger = ledger;
    this.#owner = owner;
    this.#request = request;
  }

  /** Of the service that is written. */
  get serviceName(): string {
    return this.#owner.slice(this.#owner.indexOf('/') + 1);
  }

  /** False when another service has it; otherwise nobody else gets it until this write is over. */
  take(thing: string): boolean {
    if (this.#ledger.isTaken(thing, this.#owner)) return false;
    this.#request.onSettled(this.#ledger.take(thing, this.#owner));
    this.#taken.push(thing);
    return true;
  }

  get hasTaken(): boolean {
    return this.#taken.length > 0;
  }

  /** Another server has given one of the things to somebody else. */
  isOutdated(): boolean {
    return this.#taken.some((thing) => this.#ledger.isStored(thing, this.#owner));
  }
}
