/** What all who tell stories have in common. */
import { SeededRandom } from '../../../packages/kubeapi/test/random-object.ts';
import type { Asked } from '../two-servers.ts';

/** The media types of patches. */
export const patchTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** A kind, as far as its path goes. */
export interface PlacedKind {
  plural: string;
  /** Default: true. */
  namespaced?: boolean;
}

/** Requests made by chance, one after the other to the same few objects: a seed gives the same story again. */
export abstract class StoryTeller {
  protected readonly random: SeededRandom;
  /** Of this story alone. */
  protected readonly namespace: string;
  /** Of the objects that it is about. */
  protected readonly names: readonly string[];

  /** `title` stands before the seed in the name of the namespace. */
  constructor(seed: number, title: string) {
    this.random = new SeededRandom(seed);
    this.namespace = `${title}-${seed}`;
    this.names = [`a${seed}`, `b${seed}`];
  }

  /** The beginning, and so many requests. */
  story(length: number): Asked[] {
    return [...this.#beginning(), ...Array.from({ length }, () => this.next())];
  }

  /** The requests that make the first objects. */
  protected abstract first(): Asked[];

  protected abstract next(): Asked;

  #beginning(): Asked[] {
    const post = (path: string, name: string) => ({ method: 'POST', path, body: { metadata: { name } } });
    return [
      post('/api/v1/namespaces', this.namespace),
      post(`/api/v1/namespaces/${this.namespace}/serviceaccounts`, 'default'),
      ...this.first(),
    ];
  }

  /** True once in so many times. */
  protected once(times: number): boolean {
    return this.random.below(times) === 0;
  }

  /** The path of a kind's objects. */
  protected place(apiVersion: string, { plural, namespaced = true }: PlacedKind): string {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return namespaced ? `${root}/namespaces/${this.namespace}/${plural}` : `${root}/${plural}`;
  }
}
