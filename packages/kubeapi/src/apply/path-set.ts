/**
 * Sets of field paths, as managed fields carry them. A path's elements are texts: `f:NAME` is a field, `k:{…}` an item
 * of a list by its keys, `v:VALUE` an item of a set (structured-merge-diff, fieldpath).
 */
import { exactJson, parseExactJson } from '../json/exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/json-value.ts';

const noMembers: ReadonlySet<string> = new Set();
const noChildren: ReadonlyMap<string, PathSet> = new Map();

/**
 * A tree of paths; a path is in the set when its last element is a member of the node it stands in. Whoever makes one
 * may add to it; once others have it, it stays as it is, and may be part of several.
 */
export class PathSet {
  // Of most nodes one of the two stays empty, and every write makes hundreds of nodes.
  #members: Set<string> | undefined;
  #children: Map<string, PathSet> | undefined;

  get members(): ReadonlySet<string> {
    return this.#members ?? noMembers;
  }

  get children(): ReadonlyMap<string, PathSet> {
    return this.#children ?? noChildren;
  }

  /** True when no path is in it. */
  get isEmpty(): boolean {
    if (this.members.size > 0) return false;
    for (const child of this.children.values()) if (!child.isEmpty) return false;
    return true;
  }

  addMember(element: string): void {
    this.#members ??= new Set();
    this.#members.add(element);
  }

  setChild(element: string, child: PathSet): void {
    this.#children ??= new Map();
    this.#children.set(element, child);
  }

  /** Adds a path; the empty one stands for the whole object and is not kept. */
  insert(path: readonly string[]): void {
    const last = path.length - 1;
    if (last < 0) return;
    let node: PathSet = this;
    for (let at = 0; at < last; at += 1) node = node.#childFor(path[at]!);
    node.addMember(path[last]!);
  }

  #childFor(element: string): PathSet {
    let child = this.children.get(element);
    if (!child) {
      child = new PathSet();
      this.setChild(element, child);
    }
    return child;
  }

  /** What is in either. */
  union(other: PathSet): PathSet {
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    const result = new PathSet();
    for (const set of [this, other]) {
      for (const member of set.members) result.addMember(member);
      for (const [element, child] of set.children) {
        const present = result.children.get(element);
        result.setChild(element, present ? present.union(child) : child);
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
    if (other.isEmpty) return this;
    const result = new PathSet();
    for (const member of this.members) if (!other.members.has(member)) result.addMember(member);
    for (const [element, child] of this.children) {
      const left = rest(child, other.children.get(element), other.members.has(element));
      if (!left.isEmpty) result.setChild(element, left);
    }
    return result;
  }

  /** What is in both. */
  intersection(other: PathSet): PathSet {
    const result = new PathSet();
    for (const member of this.members) if (other.members.has(member)) result.addMember(member);
    for (const [element, child] of this.children) {
      const otherChild = other.children.get(element);
      const both = otherChild && child.intersection(otherChild);
      if (both && !both.isEmpty) result.setChild(element, both);
    }
    return result;
  }

  /** Every path: those that end in a node before those that go on below it, each sorted. */
  *paths(prefix: readonly string[] = []): Generator<string[]> {
    for (const member of [...this.members].sort()) yield [...prefix, member];
    for (const [element, child] of [...this.children].sort(byElement))
      yield* child.paths([...prefix, element]);
  }

  /** The tree as `fieldsV1`: a member among others is written as `.`. */
  toFields(): JsonObject {
    const fields: JsonObject = {};
    for (const element of this.#elements()) {
      const child = this.children.get(element);
      const inner = child && !child.isEmpty ? child.toFields() : undefined;
      const isMember = this.members.has(element);
      if (inner) setOwn(fields, element, isMember ? { '.': {}, ...inner } : inner);
      else if (isMember) setOwn(fields, element, {});
    }
    return fields;
  }

  /** Members and children, sorted. */
  #elements(): string[] {
    const elements = [...this.members];
    for (const element of this.children.keys()) if (!this.members.has(element)) elements.push(element);
    return elements.sort();
  }

  /** Reads `fieldsV1`; what is no tree is left out. */
  static fromFields(fields: JsonObject): PathSet {
    const result = new PathSet();
    for (const [element, value] of Object.entries(fields)) {
      if (element === '.' || !isJsonObject(value)) continue;
      const isBare = Object.keys(value).length === 0;
      if (isBare || Object.hasOwn(value, '.')) result.addMember(element);
      if (isBare) continue;
      const child = PathSet.fromFields(value);
      if (!child.isEmpty) result.setChild(element, child);
    }
    return result;
  }
}

/** Whether something is `fieldsV1` all through; elements of sorts that are not known are let be. */
export function isTree(fields: JsonValue): boolean {
  if (fields === null) return true;
  if (!isJsonObject(fields)) return false;
  return Object.entries(fields).every(([element, below]) => {
    if (element === '.' || isOtherSort(element)) return true;
    return isElement(element) && isTree(below);
  });
}

const isOtherSort = (element: string) => /^[^fkvi]:/u.test(element);

function isElement(element: string): boolean {
  const body = element.slice(2);
  if (element.startsWith('f:')) return true;
  if (element.startsWith('i:')) return /^[+-]?\d+$/.test(body);
  if (!element.startsWith('v:') && !element.startsWith('k:')) return false;
  try {
    const value = parseExactJson(body);
    return element.startsWith('v:') || isJsonObject(value);
  } catch {
    return false;
  }
}

const byElement = ([left]: [string, PathSet], [right]: [string, PathSet]) => (left < right ? -1 : 1);

/** `.spec.containers[name="a"].image`: a path as messages show it. */
export function formatPath(path: readonly string[]): string {
  return path.map(formatElement).join('');
}

function formatElement(element: string): string {
  const body = element.slice(2);
  if (element.startsWith('f:')) return `.${body}`;
  if (element.startsWith('v:')) return `[=${body}]`;
  if (!element.startsWith('k:')) return `[${body}]`;
  const keys: JsonObject = parseExactJson(body) as JsonObject;
  return `[${Object.entries(keys)
    .map(([name, value]) => `${name}=${exactJson(value)}`)
    .join(',')}]`;
}
