import { type KubeObject, kinds } from '@wherry/client';
import { type LabelSelector, matcherFrom } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';

/** How many pods of a controller are in each phase. Throws `StatusError` where pods may not be read. */
export async function podPhases(
  { metadata = {} }: KubeObject,
  selector: LabelSelector | undefined,
  surroundings: Surroundings,
): Promise<string> {
  const { namespace, uid } = metadata;
  const pods = await surroundings.list(kinds.pods, {
    ...{ namespace, labelSelector: matcherFrom(selector).toString() },
  });
  const own = pods.filter(
    (pod) => pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid === uid,
  );
  const count = (phase: string) => own.filter(({ status }) => status?.phase === phase).length;
  const [running, waiting] = [count('Running'), count('Pending')];
  return `${running} Running / ${waiting} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}
