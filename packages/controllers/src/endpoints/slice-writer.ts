import { type KubeClient, kinds } from '@wherry/client';
import { type EndpointSlice, ownValue } from '@wherry/kubeapi/objects';
import { isLateWrite } from '../machinery/late-write.ts';
import type { OwnWrites } from '../ownership/own-writes.ts';
import { isNamespaceGoing } from '../ownership/pod-writes.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';
import { managedByLabel, type SlicePlan, serviceNameLabel } from './slice-plan.ts';

/** Who writes a slice. */
export function managerOf({ metadata }: EndpointSlice): string | undefined {
  return ownValue(metadata.labels, managedByLabel);
}

/** The key of the service that a slice is for. */
export function serviceKeyOf({ metadata }: EndpointSlice): string {
  return `${metadata.namespace}/${ownValue(metadata.labels, serviceNameLabel)}`;
}

/** The slices for a service that say that `manager` writes them, whoever owns them. */
export function slicesFor(
  slices: ReadonlyMap<string, EndpointSlice>,
  serviceKey: string,
  manager: string,
): EndpointSlice[] {
  return [...slices.values()].filter(
    (slice) => managerOf(slice) === manager && serviceKeyOf(slice) === serviceKey,
  );
}

/** Does what a plan says, and notes it. */
export class SliceWriter {
  readonly #parts: { client: KubeClient; slices: InformerHandle<EndpointSlice>; writes: OwnWrites };

  constructor(parts: { client: KubeClient; slices: InformerHandle<EndpointSlice>; writes: OwnWrites }) {
    this.#parts = parts;
  }

  /** Creations and changes come first, so that no endpoint is missing in between. */
  async apply(key: string, plan: SlicePlan, signal: AbortSignal): Promise<void> {
    const { client, slices, writes } = this.#parts;
    const resource = client.resource(kinds.endpointSlices);
    try {
      for (const slice of plan.create) writes.wrote(key, slices, await resource.create(slice, { signal }));
      for (const slice of plan.update) writes.wrote(key, slices, await resource.update(slice, { signal }));
    } catch (error) {
      if (!isNamespaceGoing(error)) throw error;
    }
    for (const slice of plan.remove) {
      const { name = '', namespace, uid = '' } = slice.metadata;
      try {
        await resource.delete({ name, namespace }, { preconditions: { uid }, signal });
        writes.deleted(key, slices, slice);
      } catch (error) {
        if (!isLateWrite(error)) throw error;
      }
    }
  }
}
