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

  /** What is stored; without that, what the services have. Throws 500 where other servers have another range. */
  read(): PortBits {
    const stored = this.#ranges.get(name);
    if (!stored) return PortBits.of(this.#range, this.#ledger.storedPorts());
    if (stored.range === String(this.#range)) return PortBits.read(this.#range, stored.data);
    const why = `the stored range of node ports is ${stored.range}, this server's ${this.#range}; start all servers of a store with the same --service-node-port-range`;
    throw internalError(new Error(why));
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
