import { type KubeClient, kinds } from '@wherry/client';
import type { Pod, PodTemplateSpec, StatefulSet } from '@wherry/kubeapi/objects';
import { isFinished } from '@wherry/podrules';
import { isLateWrite } from '../machinery/late-write.ts';
import { scaledCount } from '../ownership/int-or-percent.ts';
import type { PodWriter } from '../ownership/pod-writes.ts';
import { slowStart } from '../ownership/slow-start.ts';
import { firstOrdinal, missingLabels, ordinalOf, statefulPod } from './identity.ts';
import type { StatefulClaims } from './stateful-claims.ts';
import { isAvailable, podRevision } from './stateful-set-status.ts';

/** A template, and the name of its revision. */
export interface TemplateVersion {
  revision: string;
  template: PodTemplateSpec;
}

/** One look at a set. */
export interface StatefulTurn {
  set: StatefulSet;
  pods: readonly Pod[];
  /** What the set was made of before its template changed, while some of it still is. */
  current: TemplateVersion;
  update: TemplateVersion;
  nowMs: number;
  signal: AbortSignal;
}

interface Parts {
  client: KubeClient;
  writer: PodWriter;
  claims: StatefulClaims;
}

/** Makes, replaces and deletes the pods of sets: one after the other, or all at once when they are managed in parallel. */
export class StatefulPods {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Does what may be done now; answers the pods that there are afterwards. */
  async establish(turn: StatefulTurn): Promise<Pod[]> {
    const { set, pods } = turn;
    const first = firstOrdinal(set);
    const wanted = set.spec.replicas ?? 1;
    const ordinal = (pod: Pod) => ordinalOf(set, pod) ?? -1;
    const isWanted = (pod: Pod) => ordinal(pod) >= first && ordinal(pod) < first + wanted;
    const replicas = new Map(pods.filter(isWanted).map((pod) => [ordinal(pod), pod]));
    const condemned = pods.filter((pod) => !isWanted(pod)).sort((a, b) => ordinal(b) - ordinal(a));
    const settle = (index: number) => this.#settleReplica(turn, first + index, replicas);
    const all = () => [...replicas.values(), ...condemned];
    if (!(await forAll(set, wanted, settle))) return all();
    // No list of them was made before: all that are wanted are there by now, but for those that wait for a claim to go.
    const ordinals = [...replicas.keys()].sort((a, b) => a - b);
    for (const pod of condemned) await this.#parts.claims.retain(set, pod, turn.signal);
    const unavailable = [...ordinals.map((each) => replicas.get(each)), ...condemned.toReversed()].find(
      (pod) => pod && !isAvailable(set, pod, turn.nowMs),
    );
    const condemn = (index: number) => this.#condemn(turn, condemned[index]!, unavailable);
    if (!(await forAll(set, condemned.length, condemn))) return all();
    for (const pod of outdated(turn, ordinals, replicas))
      await this.#parts.writer.delete(set, pod, turn.signal);
    return all();
  }

  /** Whether that replica is such that the next may be looked at. */
  async #settleReplica(turn: StatefulTurn, ordinal: number, replicas: Map<number, Pod>): Promise<boolean> {
    const { set, nowMs, signal } = turn;
    const pod = replicas.get(ordinal);
    if (!pod) {
      const made = await this.#create(turn, ordinal);
      if (made) replicas.set(ordinal, made);
      return false;
    }
    if (isFinished(pod)) {
      if (!pod.metadata.deletionTimestamp) await this.#parts.writer.delete(set, pod, signal);
      return false;
    }
    if (pod.status?.phase === 'Pending' && !pod.metadata.deletionTimestamp) {
      await this.#parts.claims.create(set, ordinal, signal);
      await this.#retain(turn, pod);
    }
    if (!isParallel(set) && !isAvailable(set, pod, nowMs)) return false;
    await this.#identify(turn, pod);
    return true;
  }

  /** A new pod with its claims; undefined while a claim has to go first. */
  async #create(turn: StatefulTurn, ordinal: number): Promise<Pod | undefined> {
    const { set, signal } = turn;
    const { claims, writer } = this.#parts;
    if (claims.mustGoFirst(set, ordinal)) return undefined;
    const made = statefulPod(set, ordinal, versionFor(turn, ordinal));
    try {
      await claims.create(set, ordinal, signal);
    } catch (error) {
      if (!signal.aborted) writer.tell(set, 'Create', made.metadata.name ?? '', error);
      throw error;
    }
    return writer.create(set, made, signal);
  }

  async #retain({ set, signal }: StatefulTurn, pod: Pod): Promise<boolean> {
    const { claims, writer } = this.#parts;
    try {
      return await claims.retain(set, pod, signal);
    } catch (error) {
      if (!signal.aborted && !isLateWrite(error)) writer.tell(set, 'Update', pod.metadata.name ?? '', error);
      throw error;
    }
  }

  /** Mends what tells a pod and its claims from those of others (upstream: UpdateStatefulPod). */
  async #identify(turn: StatefulTurn, pod: Pod): Promise<void> {
    const { set, signal } = turn;
    const { client, writer } = this.#parts;
    const { name = '', namespace } = pod.metadata;
    const isChanged = await this.#retain(turn, pod);
    const labels = missingLabels(pod);
    if (!isChanged && !labels) return;
    if (labels) {
      const patch = { metadata: { labels } };
      await client.resource(kinds.pods).patch({ name, namespace, type: 'merge', patch, signal });
    }
    writer.tell(set, 'Update', name);
  }

  /** Whether the next may be looked at: in a row only one goes at a time, and only while the others serve. */
  async #condemn({ set, nowMs, signal }: StatefulTurn, pod: Pod, unavailable?: Pod): Promise<boolean> {
    if (pod.metadata.deletionTimestamp) return false;
    if (!isParallel(set) && !isAvailable(set, pod, nowMs) && pod !== unavailable) return false;
    await this.#parts.writer.delete(set, pod, signal);
    return false;
  }
}

const isParallel = ({ spec }: StatefulSet) => spec.podManagementPolicy === 'Parallel';

/** In order, up to the first that is not settled; or all, however settled they are. Answers whether to go on. */
async function forAll(
  set: StatefulSet,
  count: number,
  settle: (index: number) => Promise<boolean>,
): Promise<boolean> {
  if (isParallel(set)) {
    const { error } = await slowStart(count, async (index) => void (await settle(index)));
    if (error !== undefined) throw error;
    return true;
  }
  for (let index = 0; index < count; index += 1) if (!(await settle(index))) return false;
  return true;
}

/** Below the partition pods are made of the current template (upstream: newVersionedStatefulSetPod). */
function versionFor({ set, current, update }: StatefulTurn, ordinal: number): TemplateVersion {
  const { updateStrategy } = set.spec;
  if (updateStrategy?.type === 'OnDelete') return update;
  const kept = updateStrategy?.rollingUpdate?.partition ?? set.status?.currentReplicas ?? 0;
  return ordinal < firstOrdinal(set) + kept ? current : update;
}

/** Which pods go now since they are not of the newest template: from the last to the partition. */
export function outdated(
  { set, update, nowMs }: StatefulTurn,
  ordinals: readonly number[],
  replicas: ReadonlyMap<number, Pod>,
): Pod[] {
  const { updateStrategy, replicas: wanted = 1 } = set.spec;
  if (updateStrategy?.type === 'OnDelete') return [];
  const { partition = 0, maxUnavailable } = updateStrategy?.rollingUpdate ?? {};
  const fromLast = ordinals.filter((each) => each >= firstOrdinal(set) + partition).toReversed();
  const isOld = (pod: Pod | undefined) =>
    pod !== undefined && podRevision(pod) !== update.revision && !pod.metadata.deletionTimestamp;
  const isDown = (pod: Pod | undefined) => !pod || !isAvailable(set, pod, nowMs);
  if (maxUnavailable === undefined) {
    const target = fromLast.map((each) => replicas.get(each)).find((pod) => isOld(pod) || isDown(pod));
    return target && isOld(target) ? [target] : [];
  }
  // One that waits for a claim to go is down, too.
  const down = wanted - ordinals.filter((each) => !isDown(replicas.get(each))).length;
  const room = Math.max(1, scaledCount(maxUnavailable, wanted, 'down')) - down;
  const old = fromLast.flatMap((each) => {
    const pod = replicas.get(each);
    return pod && isOld(pod) ? [pod] : [];
  });
  return old.slice(0, Math.max(0, room));
}
