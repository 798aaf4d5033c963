import { internalError, type RangeAllocation } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import { toStoredText } from '../../objects/stored-text.ts';
import type { StoreWrite } from '../../store/store.ts';
import { PortBits, type PortRange } from '../port-range.ts';
import type { ServiceLedger } from './ledger.ts';

const name = 'servicenodeports';

/**
 * The node ports that the servers of one store have given out, where upstream's keep them, too
 * (`/registry/ranges/servicenodeports`): a port is somebody's from before its service is stored.
 */
export class GivenPorts {
  readonly #range: PortRange;
  readonly #ranges: ObjectCache<RangeAllocation>;
  readonly #ledger: ServiceLedger;

  constructor(range: PortRange, ranges: ObjectCache<RangeAllocation>, ledger: ServiceLedger) {
    this.#range = range;
    this.#ranges = ranges;
    this.#ledger = ledger;
  }

  /** The range of another flag, if it is stored: that of a server before this one, or of one beside it. */
  get otherRange(): string | undefined {
    const range = this.#ranges.get(name)?.range;
    return range === String(this.#range) ? undefined : range;
  }

  /** What is stored; without that, what the services have. Throws 500 where it is of another range. */
  read(): PortBits {
    if (this.otherRange === undefined) return this.readOrRebuild();
    const why = `the stored range of node ports is ${this.otherRange}, this server's ${this.#range}; start all servers of a store with the same --service-node-port-range`;
    throw internalError(new Error(why));
  }

  /** The same, but for what is of another range what the services have of this one. */
  readOrRebuild(): PortBits {
    const stored = this.#ranges.get(name);
    if (!stored || this.otherRange !== undefined) return PortBits.of(this.#range, this.#ledger.storedPorts());
    return PortBits.read(this.#range, stored.data);
  }

  /** A write that has no effect when another server has written since. */
  write(ports: PortBits): StoreWrite {
    const stored = this.#ranges.get(name);
    const object = as<ApiObject>({
      metadata: {},
      ...stored,
      range: String(this.#range),
      data: ports.toString(),
    });
    return {
      key: this.#ranges.keyOf(name),
      value: toStoredText(object, 'v1'),
      kind: 'RangeAllocation',
      expectedRevision: Number(stored?.metadata.resourceVersion ?? 0),
    };
  }
}
