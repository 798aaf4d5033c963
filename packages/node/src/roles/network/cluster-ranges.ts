/** What the network of a node can only learn from the cluster. */
import { type KubeClient, kinds } from '@wherry/client';
import { type Clock, sleep } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { NodeError } from '../../errors.ts';

const retryMs = 2_000;
/** The object that an API server makes of its own ranges. */
const usualName = 'kubernetes';

interface Asking {
  client: KubeClient;
  clock: Clock;
  logger: Logger;
  signal?: AbortSignal | undefined;
}

/** Ranges of services' addresses, by the cluster's ServiceCIDR. Throws `NodeError` `bad-settings` where the cluster has no such kind. */
export const serviceRanges = (asking: Asking): Promise<readonly string[]> =>
  untilKnown('ranges of services', asking, async () => {
    const { client, signal } = asking;
    try {
      const { items } = await client.resource(kinds.serviceCIDRs).list({ signal });
      const found = items.find(({ metadata }) => metadata?.name === usualName) ?? items[0];
      return found?.spec?.cidrs ?? [];
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error;
      const text = 'the API server has no ServiceCIDR; give --service-cluster-ip-range';
      throw new NodeError('bad-settings', text, { cause: error });
    }
  });

/** Ranges that a node's object has for its pods: waits for them, as upstream with `detectLocalMode: NodeCIDR`. */
export const nodeRanges = (asking: Asking, name: string): Promise<readonly string[]> =>
  untilKnown("ranges of the node's pods", asking, async () => {
    const { client, signal } = asking;
    const { spec } = await client.resource(kinds.nodes).get({ name, signal });
    return spec?.podCIDRs ?? [];
  });

/** Asks until there are some. */
async function untilKnown(
  what: string,
  { clock, logger, signal }: Asking,
  ask: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  for (let isTold = false; ; isTold = true) {
    let failure: unknown;
    try {
      const found = await ask();
      if (found.length > 0) return found;
    } catch (error) {
      if (error instanceof NodeError) throw error;
      failure = error;
    }
    if (!isTold) logger.warn(`waiting for ${what}`, { error: failure });
    await sleep({ clock, delayMs: retryMs, signal, keepsAlive: true });
  }
}
