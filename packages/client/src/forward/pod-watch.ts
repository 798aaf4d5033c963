import { type Pod, StatusError } from '@wherry/kubeapi/objects';
import { pods } from '../generated/kinds.ts';
import type { KubeClient } from '../kube-client/kube-client.ts';
import { Informer } from '../watch/informer.ts';

/** What becomes of a forwarded pod: `ending` takes no new connections, `gone` has ended those it had. */
export type PodEnd = 'ending' | 'gone';

/**
 * Tells when a pod ends. A runtime need not end a forward session with its pod, so waiting for the session alone can
 * mean to talk to nobody for ever. Users who may not watch pods go without: the session's own end counts for them.
 */
export function watchPod(client: KubeClient, pod: Pod, ended: (change: PodEnd) => void): Informer<Pod> {
  const { name = '', namespace, uid } = pod.metadata;
  const look = (now: Pod) => {
    if (now.metadata.uid !== uid) ended('gone');
    else if (now.metadata.deletionTimestamp || now.status?.phase !== 'Running') ended('ending');
  };
  let hasSeenPod = false;
  const informer = new Informer<Pod>({
    resource: client.resource(pods),
    namespace,
    fieldSelector: `metadata.name=${name}`,
    clock: client.clock,
    handlers: {
      added(now) {
        hasSeenPod = true;
        look(now);
      },
      updated: look,
      deleted: () => ended('gone'),
      synced() {
        if (!hasSeenPod) ended('gone');
      },
      failed(error) {
        if (error instanceof StatusError && error.reason === 'Forbidden') void informer.close();
      },
    },
  });
  return informer.start();
}
