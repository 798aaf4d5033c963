import type { WorkerPhase } from '../../packages/kubelet/src/board/worker-phases.ts';
import type { FakeApi, StoredObject } from '../api/fake-api.ts';
import { type ContainerView, runningOf, type SeenContainer } from './container-view.ts';

/** Something that must never be, with the words that say what. */
export class Violation extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Violation';
  }
}

/** What the watch over a run looks at. */
export interface Watched {
  api: FakeApi;
  containers: ContainerView;
  /** The phase of a pod's worker in the kubelet that lives; undefined without one. */
  phaseOf(uid: string): WorkerPhase | undefined;
}

/** Looks at every change of a run, and remembers the first thing that must not be. */
export class Invariants {
  readonly #watched: Watched;
  readonly #stopped = new Set<string>();
  /** Pods that an older store of the API server wants again. */
  readonly #wantedAnew = new Set<string>();
  violation: Violation | undefined;

  constructor(watched: Watched) {
    this.#watched = watched;
    watched.api.onChange = (before, after) => this.#objectChanged(before, after);
    watched.containers.onStarted = (container) => this.#started(container);
  }

  /**
   * What is looked at between two steps. That a pod's time is over is forgotten with its kubelet when the API server never
   * heard when the pod began; a deletion is not.
   */
  check(): void {
    for (const { metadata, status } of this.#watched.api.objects('pods')) {
      const phase = this.#watched.phaseOf(metadata.uid);
      const isKnown = metadata.deletionTimestamp !== undefined || status?.['startTime'] !== undefined;
      if (isKnown && phase !== undefined && phase !== 'syncing') this.#stopped.add(metadata.uid);
    }
    for (const problem of this.#watched.containers.problems()) this.fail(problem);
  }

  /** The API server has been set back: a pod whose time was over may run again. */
  setBack(): void {
    for (const { metadata } of this.#watched.api.objects('pods'))
      if (metadata.deletionTimestamp === undefined) this.#wantedAnew.add(metadata.uid);
  }

  /** A file is about to go. */
  removing(path: string): void {
    const [, uid] = /^\/var\/lib\/kubelet\/pods\/([^/]+)/.exec(path) ?? [];
    const live = this.#liveOf(uid);
    if (uid !== undefined && live.length > 0 && !path.includes('/..'))
      this.fail(`"${path}" is removed while ${live.map(({ name: live }) => live).join(', ')} runs`);
  }

  /** A container of the pod is asked to start. One that was asked before the pod began to stop is stopped with it. */
  starting(uid: string): void {
    const phase = this.#watched.phaseOf(uid);
    const isStopped = this.#stopped.has(uid) && !this.#wantedAnew.has(uid);
    if (isStopped || (phase !== undefined && phase !== 'syncing'))
      this.fail(`a container of pod ${uid} is to start after the pod began to stop (${phase})`);
    const object = this.#watched.api.objects('pods').find(({ metadata }) => metadata.uid === uid);
    if (isOver(object))
      this.fail(`a container of pod ${uid} is to start after the pod's phase was ${object?.status?.phase}`);
  }

  fail(message: string): void {
    this.violation ??= new Violation(message);
  }

  #liveOf(uid: string | undefined): SeenContainer[] {
    return runningOf(this.#watched.containers).filter(({ podUid }) => podUid === uid);
  }

  #started({ id, name, podUid: uid }: SeenContainer): void {
    // What holds a pod's namespaces has no record of its own.
    if (uid === '') return;
    const twin = this.#liveOf(uid).find((other) => other.id !== id && other.name === name);
    if (twin) this.fail(`two containers "${name}" of pod ${uid} run at once`);
  }

  #objectChanged(before: StoredObject | undefined, after: StoredObject | undefined): void {
    if ((before ?? after)?.kind !== 'Pod' || !before || !after) return;
    const { uid, name } = after.metadata;
    const [old, now] = [before.status?.phase, after.status?.phase];
    if (isOver(before) && old !== now) this.fail(`pod ${name} left its final phase ${old} for ${now}`);
    if (!isOver(before) && isOver(after)) {
      const live = this.#liveOf(uid);
      if (live.length > 0)
        this.fail(
          `pod ${name} was said to be ${now} while ${live.map(({ name: live }) => live).join(', ')} ran`,
        );
    }
    this.#lookAtCodes(after);
    for (const [container, count] of restarts(after)) {
      const known = restarts(before).get(container) ?? 0;
      if (count < known)
        this.fail(`the restarts of "${container}" in pod ${name} fell from ${known} to ${count}`);
    }
  }

  /** A container that is gone with all that knew its code has a status that says so. */
  #lookAtCodes(pod: StoredObject): void {
    for (const { name, state, lastState } of containerStatuses(pod))
      for (const told of [state.terminated, lastState?.terminated]) {
        const [, id = ''] = /^\w+:\/\/(.+)$/.exec(told?.containerID ?? '') ?? [];
        const code = this.#watched.containers.exitCodeOf(id);
        if (told && code !== undefined && code !== told.exitCode && told.reason !== 'ContainerStatusUnknown')
          this.fail(
            `${pod.metadata.name}/${name} ended with ${code}, its status says ${told.exitCode} (${told.reason})`,
          );
      }
  }
}

interface Terminated {
  exitCode: number;
  reason?: string;
  containerID?: string;
}

export function isOver(object: StoredObject | undefined): boolean {
  return object?.status?.phase === 'Succeeded' || object?.status?.phase === 'Failed';
}

interface ContainerStatus {
  name: string;
  restartCount: number;
  containerID?: string;
  ready: boolean;
  state: { running?: object; terminated?: Terminated; waiting?: { reason: string } };
  lastState?: { terminated?: Terminated };
}

/** All container statuses of a pod. */
export function containerStatuses({ status }: StoredObject): ContainerStatus[] {
  const { containerStatuses = [], initContainerStatuses = [] } = (status ?? {}) as unknown as Record<
    string,
    ContainerStatus[] | undefined
  >;
  return [...(initContainerStatuses ?? []), ...(containerStatuses ?? [])];
}

const restarts = (pod: StoredObject) =>
  new Map(containerStatuses(pod).map(({ name, restartCount }) => [name, restartCount]));

/** What a status says differently from what runs, once everything is at rest; nothing when they agree. */
export function differences(api: FakeApi, view: ContainerView): string[] {
  const found = view.strays();
  const pods = api.objects('pods');
  const uids = new Set(pods.map(({ metadata }) => metadata.uid));
  const containers = view.list();
  for (const { isRunning, name, podUid } of containers) {
    if (isRunning && !uids.has(podUid))
      found.push(`container ${name} of pod ${podUid}, which nobody wants, runs`);
  }
  for (const pod of pods) {
    const { uid, name, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp) found.push(`pod ${name} was deleted and is still there`);
    const own = containers.filter(({ podUid }) => podUid === uid);
    for (const { name: container, state, containerID } of containerStatuses(pod)) {
      const running = own.find((other) => other.name === container && other.isRunning);
      if (running && !state.running)
        found.push(`${name}/${container} runs, its status says ${JSON.stringify(state)}`);
      if (!running && state.running) found.push(`${name}/${container} does not run, its status says it does`);
      if (running && state.running && !containerID?.endsWith(running.id))
        found.push(`${name}/${container} has the id of another container`);
    }
    if (!isOver(pod)) found.push(...unstarted(pod, own, view.hasSandbox(uid)));
  }
  return found;
}

/** Containers that should run for good, and do not. */
function unstarted(
  { metadata, spec, status }: StoredObject,
  own: readonly SeenContainer[],
  hasSandbox: boolean,
): string[] {
  const { containers = [], initContainers = [], restartPolicy } = spec as unknown as Shape;
  // A sandbox that went is not made again for such a pod, as upstream has it: who had not begun in it never does.
  const oneEnded = containerStatuses({ metadata, status } as StoredObject).some(
    ({ state }) => state.terminated,
  );
  if (restartPolicy === 'Never' && oneEnded && !hasSandbox) return [];
  if (initContainers.some(({ command }) => command[0] === 'exit' && command[1] !== '0')) return [];
  return containers
    .filter(({ command }) => command[0] === 'run')
    .filter(({ name }) => {
      const newest = own.filter((container) => container.name === name).at(-1);
      // An ended one leaves nothing but its status, with the runtime below.
      const ended = containerStatuses({ metadata, status } as StoredObject).find(
        (other) => other.name === name,
      );
      const exitCode = newest?.exitCode ?? ended?.state.terminated?.exitCode;
      const mayStay = restartPolicy === 'Never' || (restartPolicy === 'OnFailure' && exitCode === 0);
      const hasEnded = newest ? !newest.isRunning : ended?.state.terminated !== undefined;
      return !newest?.isRunning && !(mayStay && hasEnded);
    })
    .map(({ name }) => `${metadata.name}/${name} should run and does not; phase ${status?.phase}`);
}

interface Shape {
  containers?: { name: string; command: string[] }[];
  initContainers?: { name: string; command: string[] }[];
  restartPolicy: string;
}
