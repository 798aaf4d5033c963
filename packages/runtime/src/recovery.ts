import type { Logger } from '@wherry/telemetry';
import type { Certainty } from './container/certainty.ts';
import type { ContainerStore } from './container/container-store.ts';
import type { ContainerTracker } from './container/container-tracker.ts';
import { RuntimeError } from './errors.ts';
import type { HeldAddress, PodNetwork } from './network/pod-network.ts';
import type { Sandbox } from './sandbox/sandbox-record.ts';
import type { SandboxStore } from './sandbox/sandbox-store.ts';

/**
 * Reads the sandboxes of an earlier run. Those of another boot have lost their namespaces: they are shown as not
 * ready, and keep their address until they are stopped. Answers the ids of folders without a record.
 */
export async function recoverSandboxes(options: {
  store: SandboxStore;
  network: PodNetwork;
  /** Whether pods are connected by CNI plug-ins. */
  usesCni: boolean;
  bootId: string;
  logger: Logger;
}): Promise<string[]> {
  const { store, network, usesCni, bootId, logger } = options;
  const orphans = store.open();
  for (const sandbox of store.list()) {
    if (sandbox.bootId === bootId || !sandbox.ready) continue;
    logger.info('the machine was restarted since this sandbox ran', { sandbox: sandbox.id });
    store.put({ ...sandbox, ready: false, namespaces: {}, holderPid: null });
  }
  refuseOtherNetwork(store, usesCni);
  await network.open(() => store.list().flatMap(heldAddress));
  return orphans;
}

function heldAddress({ id, config, address, ready }: Sandbox): HeldAddress[] {
  return address ? [{ request: { sandboxId: id, config }, address, ready }] : [];
}

/**
 * What one network gave, the other cannot take back. Of the built-in one nothing but running pods is in the way. Throws
 * `RuntimeError` FAILED_PRECONDITION.
 */
function refuseOtherNetwork(store: SandboxStore, usesCni: boolean): void {
  const stay = store.list().filter(({ address, ready }) => {
    if (!address || (address.cniNetwork !== undefined) === usesCni) return false;
    return ready || !usesCni;
  });
  if (stay.length === 0) return;
  const [theirs, remedy] = usesCni ? ['the built-in network', 'without'] : ['a CNI network', 'with'];
  throw new RuntimeError(
    'FAILED_PRECONDITION',
    `${stay.length} pods are on ${theirs}, "${stay[0]?.id}" among them; start once more ${remedy} --cni-conf-dir and remove them first`,
  );
}

/**
 * Reads the containers of an earlier run. What ran when the machine went down has ended, nobody saw how; what was only
 * made may have been started by a call whose answer went with that run. Answers the ids of folders without a record.
 */
export function recoverContainers(options: {
  store: ContainerStore;
  sandboxes: SandboxStore;
  tracker: ContainerTracker;
  certainty: Certainty;
  bootId: string;
  logger: Logger;
}): string[] {
  const { store, sandboxes, tracker, certainty, bootId, logger } = options;
  const orphans = store.open();
  for (const container of store.list()) {
    const { id, sandboxId, state } = container;
    const sandbox = sandboxes.get(sandboxId);
    if (!sandbox) logger.warn('a container has lost its sandbox', { container: id, sandbox: sandboxId });
    else if (sandbox.bootId === bootId && state === 'created') certainty.startUnanswered(id);
    else if (sandbox.bootId !== bootId && state === 'running')
      tracker.applyLoss(container, 'the machine was restarted while the container ran');
  }
  return orphans;
}
