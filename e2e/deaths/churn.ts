import { createKubeClient, type KubeClient, kinds, StatusError } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi';
import { podOf } from '../node.ts';

const namespace = 'default';
/** Pods that come and go, at most. */
const comingMax = 6;
const failingProbe = { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 2 };

/** What pods that come and go are like. */
const likes: readonly { script: string; spec: object; container: object }[] = [
  { script: 'sleep 100000', spec: {}, container: {} },
  { script: 'sleep 100000', spec: {}, container: { livenessProbe: failingProbe } },
  { script: 'sleep 1; exit 3', spec: { restartPolicy: 'Never' }, container: {} },
  { script: 'sleep 2; exit 0', spec: { restartPolicy: 'OnFailure' }, container: {} },
];

/** Pods that are made, changed and deleted, some of which fail or end, and others that nobody touches. */
export class Churn {
  readonly #client: KubeClient;
  readonly #random: () => number;
  #made = 0;

  constructor(kubeconfig: string, random: () => number) {
    this.#client = createKubeClient({ kubeconfig });
    this.#random = random;
  }

  /** Makes the pods that are left alone. */
  async begin(): Promise<void> {
    for (const name of ['steady-0', 'steady-1', 'steady-2']) await this.#pods.create(asPod(podOf(name)));
  }

  /** One thing that happens to a pod. */
  async step(): Promise<void> {
    const coming = (await this.pods()).filter(({ metadata }) => metadata.name?.startsWith('coming-'));
    const name = coming[Math.floor(this.#random() * coming.length)]?.metadata.name;
    const draw = this.#random();
    if (!name || (draw < 0.5 && coming.length < comingMax)) await this.#create();
    else if (draw < 0.7) await unlessGone(this.#change(name));
    else await unlessGone(this.#pods.delete({ name, namespace }));
  }

  async pods(): Promise<Pod[]> {
    return (await this.#pods.list({ namespace })).items;
  }

  /** Identities of the containers that nobody touched, with their restarts. */
  async steady(): Promise<string[]> {
    return (await this.pods())
      .filter(({ metadata }) => metadata.name?.startsWith('steady-'))
      .map(({ metadata, status }) => {
        const { containerID, restartCount } = status?.containerStatuses?.[0] ?? {};
        return `${metadata.name} ${containerID} restarted ${restartCount}`;
      })
      .sort();
  }

  close(): void {
    this.#client.close();
  }

  get #pods() {
    return this.#client.resource(kinds.pods);
  }

  async #create(): Promise<void> {
    const like = likes[Math.floor(this.#random() * likes.length)];
    if (!like) return;
    const container = { command: ['sh', '-c', like.script], ...like.container };
    await this.#pods.create(asPod(podOf(`coming-${this.#made++}`, container, like.spec)));
  }

  async #change(name: string): Promise<void> {
    const patch = { metadata: { annotations: { step: String(this.#random()) } } };
    await this.#pods.patch({ name, namespace, type: 'merge', patch });
  }
}

const asPod = (pod: object) => ({ ...pod, metadata: { ...(pod as Pod).metadata, namespace } }) as Pod;

/** What was chosen may have gone meanwhile. */
async function unlessGone(change: Promise<unknown>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!(error instanceof StatusError && error.code === 404)) throw error;
  });
}
