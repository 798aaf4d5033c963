import { type KubeClient, kinds } from '@wherry/client';
import { type ContainerStatus, hasReason, type Pod } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { warnLine } from '../../kube/warnings.ts';
import { defaultDetachKeys } from '../../terminal/detach-keys.ts';
import { endFrom, joinOrTell } from '../kube/join.ts';
import type { DebugFlags } from './flags.ts';

/** Joins a debug container as soon as it runs; of one that has ended, prints the log and gives back the exit code. */
export function joinDebugger(
  client: KubeClient,
  pod: Pod,
  container: string,
  flags: DebugFlags,
): Promise<void> {
  const { stdin = false, tty = false, quiet = false, filename: _filename, target: _target, ...rest } = flags;
  const statusOf = (seen: Pod) => statusOfContainer(seen, container);
  return joinOrTell(client, {
    look: () => untilBegun(client, pod, { container, quiet }),
    statusOf,
    endOf(seen) {
      const { terminated } = statusOf(seen)?.state ?? {};
      return terminated && endFrom(terminated);
    },
    // A custom profile may give it a terminal that no flag asked for.
    flags: { ...rest, container, stdin, quiet, detachKeys: defaultDetachKeys, ...(tty ? { tty } : {}) },
  });
}

function statusOfContainer({ status = {} }: Pod, container: string): ContainerStatus | undefined {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status;
  const all = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  return all.find(({ name }) => name === container);
}

interface Awaited {
  container: string;
  quiet: boolean;
}

/**
 * The pod once the container runs or has ended, however long that takes; what it waits for is said. Throws where it will never
 * run: the pod is gone, or has ended itself.
 */
async function untilBegun(
  client: KubeClient,
  { metadata: { name = '', namespace } }: Pod,
  { container, quiet }: Awaited,
): Promise<Pod> {
  const { promise, resolve } = Promise.withResolvers<Pod>();
  const stop = new AbortController();
  let said: string | undefined;
  const look = (pod: Pod): boolean => {
    const { state } = statusOfContainer(pod, container) ?? {};
    if (state?.running || state?.terminated) {
      resolve(pod);
      return true;
    }
    refuseEnded(pod, container);
    const why = state?.waiting?.message;
    if (why && why !== said && !quiet) warnLine(`container ${container}: ${why}`);
    said = why;
    return false;
  };
  // A first list may be older than the pod, and then it comes; one that has gone since is told of by nothing else.
  const lookUp = () =>
    client
      .resource(kinds.pods)
      .get({ name, namespace })
      .catch((error: unknown) => {
        if (hasReason(error, 'NotFound')) stop.abort(error);
      });
  const where = { namespace, fieldSelector: `metadata.name=${name}`, signal: stop.signal };
  await client.followUntil<Pod>(
    kinds.pods,
    (change) => {
      const isMissing = change.type === 'SYNCED' ? change.objects.length === 0 : change.type === 'DELETED';
      if (isMissing) void lookUp();
      return change.type === 'ADDED' || change.type === 'MODIFIED' ? look(change.object) : false;
    },
    where,
  );
  return promise;
}

/** In a pod that has ended no container starts any more. */
function refuseEnded({ metadata, status }: Pod, container: string): void {
  const { phase, message, reason } = status ?? {};
  if (phase !== 'Succeeded' && phase !== 'Failed') return;
  const why = message ?? reason;
  const ended = `pod "${metadata.name}" ${phase}${why ? `: ${why}` : ''}`;
  throw new CommandError(`container ${container} did not start: ${ended}`);
}
