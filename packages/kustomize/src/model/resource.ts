/** One object on its way through a kustomization, with what it was called before. */
import { parseLabelSelector } from '@wherry/kubeapi';
import { KustomizeError } from '../errors.ts';
import {
  at,
  copyNode,
  isEmpty,
  isMissing,
  type MapNode,
  map,
  mapAt,
  scalar,
  text,
  textOf,
} from '../yaml/node.ts';
import { apiVersionOf, type Gvk, parseApiVersion } from './gvk.ts';
import { effectiveNamespace, type ObjectId } from './object-id.ts';
import type { Origin } from './origin.ts';

/** What a generator wants with an object that is there already. */
export type Behavior = 'create' | 'merge' | 'replace' | 'unspecified';

/** A name that an object had. */
type FormerName = Pick<ObjectId, 'kind' | 'name' | 'namespace'>;

export class Resource {
  node: MapNode;
  /** Oldest first. */
  formerNames: FormerName[] = [];
  prefixes: string[] = [];
  suffixes: string[] = [];
  /** Variables that read from it. */
  variables: string[] = [];
  behavior: Behavior = 'unspecified';
  needsHash = false;
  /** Of a patch: what it may change. */
  mayChangeName = false;
  mayChangeKind = false;
  origin: Origin | undefined;
  transformations: Origin[] = [];

  constructor(node: MapNode) {
    this.node = node;
  }

  get kind(): string {
    return textOf(at(this.node, 'kind'));
  }

  get name(): string {
    return textOf(at(this.node, 'metadata', 'name'));
  }

  get namespace(): string {
    const node = at(this.node, 'metadata', 'namespace');
    return isMissing(node) ? '' : textOf(node);
  }

  get gvk(): Gvk {
    return { ...parseApiVersion(textOf(at(this.node, 'apiVersion'))), kind: this.kind };
  }

  get id(): ObjectId {
    return { ...this.gvk, name: this.name, namespace: this.namespace };
  }

  /** What it was called, oldest first; its group and version are those of today. */
  get formerIds(): ObjectId[] {
    const gvk = this.gvk;
    return this.formerNames.map((former) => ({ ...gvk, ...former }));
  }

  get originalId(): ObjectId {
    return this.formerIds[0] ?? this.id;
  }

  get isGone(): boolean {
    return isEmpty(this.node);
  }

  setKind(kind: string): void {
    this.node.fields.set('kind', scalar(kind));
  }

  setGvk(gvk: Gvk): void {
    this.setKind(gvk.kind);
    this.node.fields.set('apiVersion', scalar(apiVersionOf(gvk)));
  }

  setName(name: string): void {
    mapAt(this.node, 'metadata').fields.set('name', text(name));
  }

  setNamespace(namespace: string): void {
    const { fields } = mapAt(this.node, 'metadata');
    if (namespace === '') fields.delete('namespace');
    else fields.set('namespace', text(namespace));
  }

  /** Keeps the name of today before it changes. */
  keepName(): void {
    const { id } = this;
    this.formerNames.push({ kind: id.kind, name: id.name, namespace: effectiveNamespace(id) });
  }

  texts(field: 'labels' | 'annotations'): Map<string, string> {
    const held = at(this.node, 'metadata', field);
    return new Map(held?.kind === 'map' ? [...held.fields].map(([key, value]) => [key, textOf(value)]) : []);
  }

  /** Sets all labels or annotations; none leaves no field. */
  setTexts(field: 'labels' | 'annotations', entries: ReadonlyMap<string, string>): void {
    const metadata = mapAt(this.node, 'metadata');
    metadata.fields.delete(field);
    if (entries.size === 0) return;
    metadata.fields.set(field, map([...entries].map(([key, value]) => [key, text(value)])));
  }

  /** True where the selector selects by these labels or annotations. Throws KustomizeError for what is no selector. */
  matches(field: 'labels' | 'annotations', selector: string): boolean {
    if (selector === '') return true;
    try {
      return parseLabelSelector(selector).matches(Object.fromEntries(this.texts(field)));
    } catch (error) {
      throw new KustomizeError((error as Error).message, { cause: error });
    }
  }

  /** A copy that shares nothing. */
  copy(): Resource {
    const made = new Resource(copyNode(this.node));
    made.formerNames = [...this.formerNames];
    made.prefixes = [...this.prefixes];
    made.suffixes = [...this.suffixes];
    made.variables = [...this.variables];
    made.behavior = this.behavior;
    made.needsHash = this.needsHash;
    made.mayChangeName = this.mayChangeName;
    made.mayChangeKind = this.mayChangeKind;
    made.origin = this.origin;
    made.transformations = [...this.transformations];
    return made;
  }
}
