/**
 * Sets of field paths, as managed fields carry them. A path's elements are texts: `f:NAME` is a field, `k:{…}` an item
 * of a list by its keys, `v:VALUE` an item of a set (structured-merge-diff, fieldpath).
 */
import { isJsonObject, type JsonObject, setOwn } from '../json/json-value.ts';

/** A tree of paths; a path is in the set when its last element is a member of the node it stands in. */
export class PathSet {
  readonly members = new Set<string>();
  readonly children = new Map<string, PathSet>();

  /** True when no path is in it. */
  get isEmpty(): boolean {
    return this.members.size === 0 && [...this.children.values()].every((child) => child.isEmpty);
  }

  /** Adds a path; the empty one stands for the whole object and is not kept. */
  insert(path: readonly string[]): void {
    const [last] = path.slice(-1);
    if (last === undefined) return;
    let node: PathSet = this;
    for (const element of path.slice(0, -1)) node = node.#childFor(element);
    node.members.add(last);
  }

  #childFor(element: string): PathSet {
    const child = this.children.get(element) ?? new PathSet();
    this.children.set(element, child);
    return child;
  }

  /** What is in either. */
  union(other: PathSet): PathSet {
    const result = new PathSet();
    for (const set of [this, other]) {
      for (const member of set.members) result.members.add(member);
      for (const [element, child] of set.children) {
        const present = result.children.get(element);
        result.children.set(element, present ? present.union(child) : child);
      }
    }
    return result;
  }

  /** What is in this and not in the other; what lies below a path stays when only the path itself is in the other. */
  difference(other: PathSet): PathSet {
    return this.#filter(other, (child, otherChild) => (otherChild ? child.difference(otherChild) : child));
  }

  /** Like {@link difference}, without what lies below the other's paths. */
  without(other: PathSet): PathSet {
    return this.#filter(other, (child, otherChild, isMember) => {
      if (isMember) return new PathSet();
      return otherChild ? child.without(otherChild) : child;
    });
  }

  #filter(
    other: PathSet,
    rest: (child: PathSet, otherChild: PathSet | undefined, isMember: boolean) => PathSet,
  ): PathSet {
    const result = new PathSet();
    for (const member of this.members) if (!other.members.has(member)) result.members.add(member);
    for (const [element, child] of this.children) {
      const left = rest(child, other.children.get(element), other.members.has(element));
      if (!left.isEmpty) result.children.set(element, left);
    }
    return result;
  }

  /** What is in both. */
  intersection(other: PathSet): PathSet {
    const result = new PathSet();
    for (const member of this.members) if (other.members.has(member)) result.members.add(member);
    for (const [element, child] of this.children) {
      const otherChild = other.children.get(element);
      const both = otherChild && child.intersection(otherChild);
      if (both && !both.isEmpty) result.children.set(element, both);
    }
    return result;
  }

  /** Every path, sorted. */
  *paths(prefix: readonly string[] = []): Generator<string[]> {
    for (const element of [...new Set([...this.members, ...this.children.keys()])].sort()) {
      const path = [...prefix, element];
      if (this.members.has(element)) yield path;
      yield* this.children.get(element)?.paths(path) ?? [];
    }
  }

  /** The tree as `fieldsV1`: a member among others is written as `.`. */
  toFields(): JsonObject {
    const fields: JsonObject = {};
    for (const element of [...new Set([...this.members, ...this.children.keys()])].sort()) {
      const child = this.children.get(element);
      const inner = child && !child.isEmpty ? child.toFields() : undefined;
      const isMember = this.members.has(element);
      if (inner) setOwn(fields, element, isMember ? { '.': {}, ...inner } : inner);
      else if (isMember) setOwn(fields, element, {});
    }
    return fields;
  }

  /** Reads `fieldsV1`; what is no tree is left out. */
  static fromFields(fields: JsonObject): PathSet {
    const result = new PathSet();
    for (const [element, value] of Object.entries(fields)) {
      if (element === '.' || !isJsonObject(value)) continue;
      const keys = Object.keys(value);
      if (keys.length === 0 || Object.hasOwn(value, '.')) result.members.add(element);
      const child = PathSet.fromFields(value);
      if (!child.isEmpty) result.children.set(element, child);
    }
    return result;
  }
}

/** `.spec.containers[name="a"].image`: a path as messages show it. */
export function formatPath(path: readonly string[]): string {
  return path.map(formatElement).join('');
}

function formatElement(element: string): string {
  const body = element.slice(2);
  if (element.startsWith('f:')) return `.${body}`;
  if (element.startsWith('v:')) return `[=${body}]`;
  if (!element.startsWith('k:')) return `[${body}]`;
  const keys: JsonObject = JSON.parse(body);
  return `[${Object.entries(keys)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',')}]`;
}
