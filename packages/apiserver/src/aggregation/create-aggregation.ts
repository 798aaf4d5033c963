import type { Clock } from '@wherry/clock';
import type { APIService } from '@wherry/kubeapi';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import type { Catalog } from '../catalog/catalog.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import type { Collection } from '../registry/collection.ts';
import { Availability } from './availability.ts';
import type { ExtensionClient } from './extension-client.ts';
import { LocalServices } from './local-services.ts';

/** What keeps APIServices. */
export interface Aggregation {
  local: LocalServices;
  availability: Availability;
}

interface AggregationParts {
  /** APIServices. */
  collection: Collection;
  services: ObjectCache<APIService>;
  catalog: Catalog;
  client: ExtensionClient;
  isStoreShared: boolean;
  metrics: MetricsRegistry;
  clock: Clock;
  logger: Logger;
}

/** Keeps the APIServices of this server's own versions, and looks after those of others. */
export function createAggregation(parts: AggregationParts): Aggregation {
  return {
    local: new LocalServices(parts),
    availability: new Availability({
      ...parts,
      endpointPrefixes: ['/services/', '/discovery.k8s.io/endpointslices/'],
    }),
  };
}
