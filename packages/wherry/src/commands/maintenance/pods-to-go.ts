import { type KubeClient, kinds } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { hasReason, type Pod, StatusError } from '@wherry/kubeapi';
import { isTerminalPhase } from '@wherry/podrules';
import { itemsInChunks } from '../../objects/in-chunks.ts';
import type { DrainFlags } from './flags.ts';
import { DrainProblems } from './problems.ts';

/** What a drain does with one pod: it goes or stays, and there may be something to say of that, or against it. */
interface Verdict {
  goes: boolean;
  warning?: string;
  problem?: string;
}

/** The pods of a node that have to go. */
export interface PodsToGo {
  pods: Pod[];
  /** Empty for none. */
  warnings: string;
}

const goes: Verdict = { goes: true };
const stays: Verdict = { goes: false };
const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Finds them. Throws `DrainProblems` where one may not go, with all that may not. */
export async function podsToGo(client: KubeClient, nodeName: string, flags: DrainFlags): Promise<PodsToGo> {
  const selectors = { labelSelector: flags.podSelector, fieldSelector: `spec.nodeName=${nodeName}` };
  const items = await itemsInChunks(flags.chunkSize, (part) =>
    client.resource<Pod>(kinds.pods).list({ ...selectors, ...part }),
  );
  const judged: { pod: Pod; verdict: Verdict }[] = [];
  for (const pod of items) judged.push({ pod, verdict: await judge(client, pod, flags) });
  const problems = byWords(judged, ({ problem }) => problem);
  if (problems.length > 0)
    throw new DrainProblems(problems.map(([words, names]) => `cannot delete ${words}: ${names}`));
  return {
    pods: judged.filter(({ verdict }) => verdict.goes).map(({ pod }) => pod),
    warnings: byWords(judged, ({ warning }) => warning)
      .map(([words, names]) => `${words}: ${names}`)
      .join('; '),
  };
}

/** The pods of which the same is said, as `NAMESPACE/NAME, …`. */
function byWords(
  judged: readonly { pod: Pod; verdict: Verdict }[],
  wordsOf: (verdict: Verdict) => string | undefined,
): [words: string, names: string][] {
  const groups = new Map<string, string[]>();
  for (const { pod, verdict } of judged) {
    const words = wordsOf(verdict);
    if (words === undefined) continue;
    const names = groups.get(words) ?? [];
    groups.set(words, [...names, `${pod.metadata.namespace}/${pod.metadata.name}`]);
  }
  return [...groups].map(([words, names]) => [words, names.join(', ')]);
}

/** The first word against a pod decides; of two warnings the last is said, as in kubectl. */
async function judge(client: KubeClient, pod: Pod, flags: DrainFlags): Promise<Verdict> {
  if (isGivenUp(pod, flags)) return stays;
  const ofDaemonSet = await judgeDaemonSet(client, pod, flags);
  if (!ofDaemonSet.goes) return ofDaemonSet;
  if (pod.metadata.annotations?.[mirrorAnnotation] !== undefined) return stays;
  if (isOver(pod)) return goes;
  if (pod.spec.volumes?.some(({ emptyDir }) => emptyDir) && !flags.deleteEmptydirData)
    return { goes: false, problem: 'Pods with local storage (use --delete-emptydir-data to override)' };
  if (controllerOf(pod)) return goes;
  if (!flags.force)
    return { goes: false, problem: 'Pods that declare no controller (use --force to override)' };
  return { goes: true, warning: 'deleting Pods that declare no controller' };
}

const isOver = ({ status }: Pod): boolean => isTerminalPhase(status?.phase);

const controllerOf = ({ metadata }: Pod) => metadata.ownerReferences?.find(({ controller }) => controller);

/** Whether a pod has been going for so long that nobody waits for it any more. */
function isGivenUp({ metadata }: Pod, { skipWaitForDeleteTimeout }: DrainFlags): boolean {
  if (skipWaitForDeleteTimeout <= 0 || metadata.deletionTimestamp === undefined) return false;
  const goingForMs = systemClock.nowMs() - Date.parse(metadata.deletionTimestamp);
  return Math.floor(goingForMs / 1000) > skipWaitForDeleteTimeout;
}

async function judgeDaemonSet(client: KubeClient, pod: Pod, flags: DrainFlags): Promise<Verdict> {
  const owner = controllerOf(pod);
  const isOfDaemonSet = owner?.kind === 'DaemonSet' && owner.apiVersion === 'apps/v1';
  if (!isOfDaemonSet || isOver(pod)) return goes;
  const { namespace } = pod.metadata;
  try {
    await client.resource(kinds.daemonSets).get({ name: owner.name, namespace });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (hasReason(error, 'NotFound') && flags.force) return { goes: true, warning: error.message };
    return { goes: false, problem: error.message };
  }
  return flags.ignoreDaemonsets
    ? { goes: false, warning: 'ignoring DaemonSet-managed Pods' }
    : { goes: false, problem: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' };
}
