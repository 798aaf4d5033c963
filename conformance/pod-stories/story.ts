/** An object of the API as it is written down. */
// biome-ignore lint/suspicious/noExplicitAny: stories read what either side answers, whatever it is.
export type Told = any;

/** What a story sees of its pod. */
export interface Seen {
  pod: Told;
  events: readonly Told[];
}

/** What a story can do once its pod has settled. */
export interface Acting {
  /** The pod's name. */
  name: string;
  /** Runs kubectl, and takes what it says and its exit code into what is compared. */
  ask(...words: string[]): Promise<void>;
  /** Runs kubectl, whatever comes of it. */
  change(...words: string[]): Promise<void>;
  /** The body and code of a GET below the pod, compared too. */
  get(path: string): Promise<void>;
  /** Takes in what is told now, under a word. */
  look(word: string): Promise<void>;
  /** Waits until it is so, or a while. */
  until(isSo: (seen: Seen) => boolean): Promise<void>;
}

/** A pod, and what happens to it. */
export interface Story {
  /** The pod's name. */
  name: string;
  spec: object;
  annotations?: Readonly<Record<string, string>>;
  labels?: Readonly<Record<string, string>>;
  /** Objects of v1 that are made before it, by their plural: `['configmaps', {...}]`. */
  objects?: readonly (readonly [string, object])[];
  /** When it has settled; by default when it is over. */
  until?: (seen: Seen) => boolean;
  next?: (acting: Acting) => Promise<void>;
  /** It lies in the kubelet's folder of manifests, and its pod has the node's name behind its own. */
  isStatic?: boolean;
}

/** Image of busybox, with a few users. */
export const image = 'stories.test/box:1';

/** A container that runs a script. */
export const script = (text: string, more: object = {}) => ({
  name: 'main',
  image,
  command: ['sh', '-c', text],
  ...more,
});

/** A story of one container that never starts again. */
export const once = (name: string, text: string, more: object = {}, spec: object = {}): Story => ({
  name,
  spec: { restartPolicy: 'Never', containers: [script(text, more)], ...spec },
});

/** What a container does that stays until it is told to end. */
export const stay = 'trap "exit 0" TERM; while :; do sleep 0.2; done';

const statuses = ({ pod }: Seen): Told[] => [
  ...(pod.status.initContainerStatuses ?? []),
  ...(pod.status.containerStatuses ?? []),
  ...(pod.status.ephemeralContainerStatuses ?? []),
];

export const isOver = ({ pod }: Seen) => ['Succeeded', 'Failed'].includes(pod.status?.phase);
export const isReady = ({ pod }: Seen) =>
  pod.status.conditions?.some((each: Told) => each.type === 'Ready' && each.status === 'True') ?? false;
export const isRunning = (seen: Seen) =>
  seen.pod.status.phase === 'Running' && statuses(seen).some((each) => each.state?.running);
/** Some container waits for this reason. */
export const waits = (reason: string) => (seen: Seen) =>
  statuses(seen).some((each) => each.state?.waiting?.reason === reason);
export const hasEvent = (reason: string) => (seen: Seen) =>
  seen.events.some((each: Told) => each.reason === reason);
export const restarted = (times: number) => (seen: Seen) =>
  statuses(seen).some((each) => each.restartCount >= times);
/** All of them are so. */
export const all =
  (...parts: ((seen: Seen) => boolean)[]) =>
  (seen: Seen) =>
    parts.every((part) => part(seen));

/** Deletes the pod, keeps its object by a finalizer until it is over, and looks at it then. */
export async function deleteAndLook({ change, name, until, look }: Acting): Promise<void> {
  await change('patch', 'pod', name, '-p', '{"metadata":{"finalizers":["stories.test/kept"]}}');
  await change('delete', 'pod', name, '--wait=false');
  await until(isOver);
  await look('after');
  await change('patch', 'pod', name, '--type=json', '-p', '[{"op":"remove","path":"/metadata/finalizers"}]');
}
