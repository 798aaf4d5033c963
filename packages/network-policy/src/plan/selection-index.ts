import { isSelected, type NamespaceLabels, type Selection } from '../objects/selection.ts';

/** A pod as selections see it. */
export interface LabelledPod {
  namespace: string;
  labels: Readonly<Record<string, string>>;
}

interface Entry {
  selection: Selection;
  users: number;
  members: Set<string>;
}

/**
 * Which pods are in which selections. A pod's change costs as much as there are selections that it could be in; a
 * selection that is new as much as there are pods.
 */
export class SelectionIndex {
  readonly #namespaces = new Map<string, NamespaceLabels>();
  readonly #pods = new Map<string, LabelledPod>();
  readonly #podsIn = new Map<string, Set<string>>();
  readonly #entries = new Map<string, Entry>();
  /** Those of one namespace, by its name. */
  readonly #within = new Map<string, Set<Entry>>();
  readonly #across = new Set<Entry>();
  readonly #entriesOf = new Map<string, Set<Entry>>();

  /** The identities of the selections that a pod is in. */
  *of(pod: string): Generator<string> {
    for (const { selection } of this.#entriesOf.get(pod) ?? []) yield selection.id;
  }

  /** The pods of a selection. */
  members(id: string): Iterable<string> {
    return this.#entries.get(id)?.members ?? [];
  }

  /** The labels of a namespace; undefined while it is not known. */
  labels(namespace: string): NamespaceLabels {
    return this.#namespaces.get(namespace);
  }

  /** A namespace has these labels, or is gone. Gives the pods whose selections are others now. */
  setNamespace(name: string, labels: NamespaceLabels): string[] {
    if (labels) this.#namespaces.set(name, labels);
    else this.#namespaces.delete(name);
    return [...(this.#podsIn.get(name) ?? [])].filter((key) => this.#match(key, this.#across));
  }

  /** A pod is there, or is another one, or is gone. */
  setPod(key: string, pod: LabelledPod | undefined): void {
    const before = this.#pods.get(key);
    if (before && before.namespace !== pod?.namespace) this.#leave(key, before);
    if (!pod) return;
    this.#pods.set(key, pod);
    setOf(this.#podsIn, pod.namespace).add(key);
    this.#match(key, this.#across);
    this.#match(key, this.#within.get(pod.namespace) ?? []);
  }

  /** Somebody uses a selection from now on. */
  use(selection: Selection): void {
    const found = this.#entries.get(selection.id);
    const entry = found ?? { selection, users: 0, members: new Set<string>() };
    entry.users += 1;
    if (found) return;
    const { id, namespace } = selection;
    this.#entries.set(id, entry);
    if (namespace === undefined) this.#across.add(entry);
    else setOf(this.#within, namespace).add(entry);
    const candidates = namespace === undefined ? this.#pods.keys() : (this.#podsIn.get(namespace) ?? []);
    for (const key of candidates) this.#match(key, [entry]);
  }

  /** Takes one {@link use} back. */
  release({ id, namespace }: Selection): void {
    const entry = this.#entries.get(id);
    if (!entry || --entry.users > 0) return;
    this.#entries.delete(id);
    this.#across.delete(entry);
    if (namespace !== undefined) remove(this.#within, namespace, entry);
    for (const key of entry.members) remove(this.#entriesOf, key, entry);
  }

  #leave(key: string, { namespace }: LabelledPod): void {
    this.#pods.delete(key);
    remove(this.#podsIn, namespace, key);
    for (const { members } of this.#entriesOf.get(key) ?? []) members.delete(key);
    this.#entriesOf.delete(key);
  }

  /** Whether anything is other than before. */
  #match(key: string, entries: Iterable<Entry>): boolean {
    const pod = this.#pods.get(key);
    if (!pod) return false;
    let isChanged = false;
    const labels = this.#namespaces.get(pod.namespace);
    for (const entry of entries) {
      const isMember = isSelected(entry.selection, pod, labels);
      if (isMember === entry.members.has(key)) continue;
      isChanged = true;
      if (isMember) {
        entry.members.add(key);
        setOf(this.#entriesOf, key).add(entry);
      } else {
        entry.members.delete(key);
        remove(this.#entriesOf, key, entry);
      }
    }
    return isChanged;
  }
}

function setOf<T>(map: Map<string, Set<T>>, key: string): Set<T> {
  const found = map.get(key) ?? new Set<T>();
  map.set(key, found);
  return found;
}

function remove<T>(map: Map<string, Set<T>>, key: string, value: T): void {
  const found = map.get(key);
  found?.delete(value);
  if (found?.size === 0) map.delete(key);
}
