/** Objects in the order of their coming, no two of which are the same. */

import { KustomizeError } from '../errors.ts';
import { compilePattern, type Pattern } from '../patterns.ts';
import { fieldOf, isMissing, textOf } from '../yaml/node.ts';
import { isClusterScoped } from './gvk.ts';
import { effectiveNamespace, idText, isSameNamespace, type ObjectId, sameId } from './object-id.ts';
import type { Resource } from './resource.ts';

/** Which objects a patch is for: each part is a pattern for the whole word, in Go's syntax. */
export interface Selector {
  group?: string;
  version?: string;
  kind?: string;
  name?: string;
  namespace?: string;
  labelSelector?: string;
  annotationSelector?: string;
}

export class ResourceList {
  items: Resource[];

  constructor(items: readonly Resource[] = []) {
    this.items = [];
    for (const item of items) this.append(item);
  }

  /** Throws KustomizeError for an object that is there already. */
  append(item: Resource): void {
    const { id } = item;
    if (this.items.some((other) => other.name === id.name && sameId(id, other.id)))
      throw new KustomizeError(`may not add resource with an already registered id: ${idText(id)}`);
    this.items.push(item);
  }

  appendAll(items: Iterable<Resource>): void {
    for (const item of items) this.append(item);
  }

  dropGone(): void {
    this.items = this.items.filter((item) => !item.isGone);
  }

  /** Those of which one of the names, today's or a former one, is as wanted. */
  withAnyId(isWanted: (id: ObjectId) => boolean): Resource[] {
    return this.items.filter((item) => !item.isGone && [...item.formerIds, item.id].some(isWanted));
  }

  /** The one that has or had this name. Throws KustomizeError for none, and for several. */
  theOne(id: ObjectId): Resource {
    const found = this.withAnyId((other) => sameId(id, other));
    const [first] = found;
    if (first && found.length === 1) return first;
    const said = first ? 'multiple matches' : 'no matches';
    throw new KustomizeError(
      `${said} for Id ${idText(id)}; failed to find unique target for patch ${idText(id)}`,
    );
  }

  select(selector: Selector): Resource[] {
    const matcher = new SelectorPatterns(selector);
    return this.items.filter((item) => {
      const [id, original] = [item.id, item.originalId];
      return (
        (matcher.isNamespace(effectiveNamespace(original)) || matcher.isNamespace(effectiveNamespace(id))) &&
        (matcher.isName(original.name) || matcher.isName(id.name)) &&
        matcher.isGvk(id) &&
        item.matches('labels', selector.labelSelector ?? '') &&
        item.matches('annotations', selector.annotationSelector ?? '')
      );
    });
  }

  /** What an object can name: all of its namespace and all without one; for one that has none, all. */
  referableBy(referrer: Resource): Resource[] {
    const { id } = referrer;
    if (isClusterScoped(id)) return this.items;
    const others = namespacesOfSubjects(referrer);
    return this.items.filter((item) => {
      const own = item.id;
      return isClusterScoped(own) || isSameNamespace(own, id) || others.has(item.namespace);
    });
  }
}

/** Namespaces of the service accounts that a RoleBinding names. Throws KustomizeError for one that is no text. */
function namespacesOfSubjects({ id, node }: Resource): Set<string> {
  const subjects = id.kind === 'RoleBinding' ? node.fields.get('subjects') : undefined;
  const namespaces = new Set<string>();
  for (const subject of subjects?.kind === 'list' ? subjects.items : []) {
    const namespace = fieldOf(subject, 'namespace');
    if (namespace === undefined || textOf(fieldOf(subject, 'kind')) !== 'ServiceAccount') continue;
    if (isMissing(namespace))
      throw new KustomizeError(
        `Invalid Input: namespace is blank for resource ${JSON.stringify(idText(id))}`,
      );
    namespaces.add(textOf(namespace));
  }
  return namespaces;
}

/** A selector, its patterns compiled. */
export class SelectorPatterns {
  readonly #patterns: Readonly<
    Record<'group' | 'version' | 'kind' | 'name' | 'namespace', Pattern | undefined>
  >;

  constructor({ group, version, kind, name, namespace }: Selector) {
    this.#patterns = {
      group: whole(group),
      version: whole(version),
      kind: whole(kind),
      name: whole(name),
      namespace: whole(namespace),
    };
  }

  isGvk({ group, version, kind }: { group: string; version: string; kind: string }): boolean {
    const { group: g, version: v, kind: k } = this.#patterns;
    return (g?.(group) ?? true) && (v?.(version) ?? true) && (k?.(kind) ?? true);
  }

  isName(name: string): boolean {
    return this.#patterns.name?.(name) ?? true;
  }

  isNamespace(namespace: string): boolean {
    return this.#patterns.namespace?.(namespace) ?? true;
  }

  isId(id: ObjectId): boolean {
    return this.isGvk(id) && this.isName(id.name) && this.isNamespace(id.namespace);
  }
}

const whole = (pattern: string | undefined): Pattern | undefined =>
  pattern ? compilePattern(`^(?:${pattern})$`) : undefined;
