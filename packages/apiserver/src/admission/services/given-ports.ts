import { internalError, type RangeAllocation } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import { toStoredText } from '../../objects/stored-text.ts';
import type { StoreWrite } from '../../store/store.ts';
import type { ServiceLedger } from './ledger.ts';
import { nodePortRange, PortBits } from './port-range.ts';

const name = 'servicenodeports';

/**
 * The node ports that the servers of one store have given out, where upstream's keep them, too
 * (`/registry/ranges/servicenodeports`): a port is somebody's from before its service is stored.
 */
export class GivenPorts {
  readonly #ranges: ObjectCache<RangeAllocation>;
  readonly #ledger: ServiceLedger;

  constructor(ranges: ObjectCache<RangeAllocation>, ledger: ServiceLedger) {
    this.#ranges = ranges;
    this.#ledger = ledger;
  }

  /** What is stored; without that, what the services have. Throws 500 where other servers have another range. */
  read(): PortBits {
    const stored = this.#ranges.get(name);
    if (!stored) return PortBits.of(this.#ledger.storedPorts());
    if (stored.range === nodePortRange) return PortBits.read(stored.data);
    const why = `the stored range of node ports is ${stored.range}; start all servers of this store with --service-node-port-range=${nodePortRange}`;
    throw internalError(new Error(why));
  }

  /** A write that has no effect when another server has written since. */
  write(ports: PortBits): StoreWrite {
    const stored = this.#ranges.get(name);
    const object = as<ApiObject>({ metadata: {}, ...stored, range: nodePortRange, data: ports.toString() });
    return {
      key: this.#ranges.keyOf(name),
      value: toStoredText(object, 'v1'),
      kind: 'RangeAllocation',
      expectedRevision: Number(stored?.metadata.resourceVersion ?? 0),
    };
  }
}
