import type { Pod } from '@wherry/kubeapi/objects';
import { type Labelled, type PodTerms, termsOf } from './affinity-term.ts';
import type { NodeView } from './node-view.ts';

/**
 * What the rules of other pods can see of a pod: those of one replica set are all alike. Selectors are asked once for a
 * shape, not once for a pod.
 */
export interface PodShape extends Labelled {
  key: string;
  /** Terminating pods do not count where pods are spread. */
  isTerminating: boolean;
  terms: PodTerms;
  /** How many pods of this shape are on which node. */
  rooms: Map<NodeView, number>;
}

/** The shapes of all pods that have a node. */
export class PodShapes {
  readonly #all = new Map<string, PodShape>();
  readonly #withAntiAffinity = new Set<PodShape>();
  readonly #withTerms = new Set<PodShape>();

  get all(): Iterable<PodShape> {
    return this.#all.values();
  }

  /** Those that keep others away. */
  get withRequiredAntiAffinity(): Iterable<PodShape> {
    return this.#withAntiAffinity;
  }

  /** Those that want anything of pods near them. */
  get withTerms(): Iterable<PodShape> {
    return this.#withTerms;
  }

  /** Counts a pod of that shape on the node; the shape of record is answered. */
  add(shape: PodShape, room: NodeView): PodShape {
    const known = this.#all.get(shape.key) ?? shape;
    if (known === shape) this.#enter(shape);
    known.rooms.set(room, (known.rooms.get(room) ?? 0) + 1);
    return known;
  }

  remove(shape: PodShape, room: NodeView): void {
    const left = (shape.rooms.get(room) ?? 0) - 1;
    if (left > 0) shape.rooms.set(room, left);
    else shape.rooms.delete(room);
    if (shape.rooms.size > 0) return;
    this.#all.delete(shape.key);
    this.#withAntiAffinity.delete(shape);
    this.#withTerms.delete(shape);
  }

  #enter(shape: PodShape): void {
    this.#all.set(shape.key, shape);
    const { requiredAntiAffinity, ...others } = shape.terms;
    if (requiredAntiAffinity.length > 0) this.#withAntiAffinity.add(shape);
    if (requiredAntiAffinity.length > 0 || Object.values(others).some(({ length }) => length > 0))
      this.#withTerms.add(shape);
  }
}

/** The shape of one pod, on no node yet. */
export function shapeOf(pod: Pod): PodShape {
  const { namespace = '', labels = {}, deletionTimestamp } = pod.metadata;
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const isTerminating = deletionTimestamp !== undefined;
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  const key = JSON.stringify([namespace, isTerminating, sorted, podAffinity, podAntiAffinity]);
  return { key, namespace, labels, isTerminating, terms: termsOf(pod), rooms: new Map() };
}
