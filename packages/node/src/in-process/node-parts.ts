import { createKubeClient, type KubeClient } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { describeNewNode } from '../addons/new-node.ts';
import { endPods } from '../end/end-pods.ts';
import { NodeError } from '../errors.ts';
import type { NodeLayout } from '../layout/layout.ts';
import type { NodeRecord } from '../layout/record.ts';
import { limits } from '../limits.ts';
import { dnsAnswers, readNode, readyCondition } from '../processes/probes.ts';
import { roleFlags } from '../processes/role-flags.ts';
import { startMonitorFrom } from '../roles/monitor.ts';
import { startRuntimeFrom } from '../roles/runtime.ts';
import type { Parts } from './parts.ts';

/** Starts what runs containers. The runtime needs the monitor from its start to its end, and pods end by the runtime. */
export function runContainers(
  layout: NodeLayout,
  record: NodeRecord,
  { parts, logger }: { parts: Parts; logger: Logger },
): Promise<unknown> {
  const monitor = startMonitorFrom(roleFlags.monitor(layout), { logger, ownsProcess: false });
  const runtime = startRuntimeFrom(roleFlags.runtime(layout, record), logger);
  const pods = runtime.then(() => ({ close: () => endPods(layout, true, 0) }));
  return Promise.all([parts.add('monitor', monitor), parts.add('runtime', runtime), parts.add('pods', pods)]);
}

/** How long a node may take. */
export interface Patience {
  /** Default `limits.readyTimeoutMs`. */
  readyTimeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Resolves once the node is Ready and names are found in it. Throws `NodeError` `not-ready`. */
export async function untilReady(
  layout: NodeLayout,
  record: NodeRecord,
  { readyTimeoutMs = limits.readyTimeoutMs, signal }: Patience,
): Promise<void> {
  const { name, apiPort } = record;
  const client: KubeClient = createKubeClient({ kubeconfig: layout.kubeconfig });
  const deadline = systemClock.monotonicMs() + readyTimeoutMs;
  try {
    for (;;) {
      const ready = readyCondition(await readNode(client, name));
      if (ready?.status === 'True' && (await dnsAnswers(record)))
        return await describeNewNode(client, record);
      if (systemClock.monotonicMs() > deadline) {
        const why =
          ready?.status === 'True'
            ? 'nothing answers on port 53 of its pods’ network'
            : (ready?.message ?? `the API server on port ${apiPort} does not know it`);
        throw new NodeError('not-ready', `node "${name}" was not Ready after ${readyTimeoutMs} ms: ${why}`);
      }
      await sleep({ clock: systemClock, delayMs: limits.readyPollMs, signal });
    }
  } finally {
    client.close();
  }
}
