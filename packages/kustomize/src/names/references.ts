/** Names of other objects in an object follow when those are called otherwise (kustomize api/filters/nameref). */

import { KustomizeError, within } from '../errors.ts';
import type { FieldSpec, NameReference } from '../model/field-spec.ts';
import { type Gvk, isClusterScoped, isSelected } from '../model/gvk.ts';
import { effectiveNamespace, idText, isSameNamespace } from '../model/object-id.ts';
import type { Resource } from '../model/resource.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { atFields } from '../transform/at-fields.ts';
import {
  at,
  fieldOf,
  isMissing,
  type MapNode,
  type ScalarNode,
  text,
  textOf,
  type YamlNode,
} from '../yaml/node.ts';

/** Throws KustomizeError where it can't be told which object is meant. */
export function followNames(resources: ResourceList, references: readonly NameReference[]): void {
  const originals = new Map(resources.items.map((item) => [item, item.originalId]));
  for (const referrer of resources.items) {
    let candidates: readonly Resource[] | undefined;
    for (const { fieldSpecs, ...target } of references) {
      for (const spec of fieldSpecs) {
        if (!isSelected(originals.get(referrer) ?? referrer.id, spec)) continue;
        candidates ??= resources.referableBy(referrer);
        new Reference(referrer, spec, target, candidates).follow();
      }
    }
  }
}

/** One field of one object that names objects of a kind. */
class Reference {
  readonly #referrer: Resource;
  readonly #spec: FieldSpec;
  readonly #target: Gvk;
  readonly #candidates: readonly Resource[];

  constructor(referrer: Resource, spec: FieldSpec, target: Gvk, candidates: readonly Resource[]) {
    this.#referrer = referrer;
    this.#spec = spec;
    this.#target = target;
    this.#candidates = candidates;
  }

  follow(): void {
    const { gvk, id } = this.#referrer;
    within(`updating name reference in '${this.#spec.path}' field of '${idText(id)}'`, () =>
      atFields(this.#referrer, [{ ...this.#spec, ...gvk, create: false }], (node) => this.#set(node)),
    );
  }

  #set(node: YamlNode): void {
    if (isMissing(node)) return;
    if (node.kind === 'scalar') this.#setName(node);
    else if (node.kind === 'map') this.#setNameAndNamespace(node);
    else for (const item of node.items) this.#setItem(item);
  }

  #setItem(item: YamlNode): void {
    if (isMissing(item)) return;
    if (item.kind === 'list')
      throw new KustomizeError('an item is expected to be either a string or a map of string');
    this.#set(item);
  }

  #setName(node: ScalarNode): void {
    const referral = this.#choose(node.text, this.#candidates, (one) => one.name);
    if (!referral || referral.name === node.text) return;
    Object.assign(node, text(referral.name), { isQuoted: node.isQuoted });
  }

  /** A map has a name, and a namespace that helps to choose and follows, too. */
  #setNameAndNamespace(node: MapNode): void {
    const nameNode = fieldOf(node, 'name');
    if (nameNode === undefined) throw new KustomizeError("path config error; no 'name' field in node");
    const former = textOf(nameNode);
    const candidates = this.#inNamespace(fieldOf(node, 'namespace'));
    const referral = this.#choose(former, candidates, (one) => `${one.name}/${one.namespace}`);
    if (!referral || (referral.name === former && referral.namespace === '')) return;
    node.fields.set('name', text(referral.name));
    if (referral.namespace !== '') node.fields.set('namespace', text(referral.namespace));
  }

  /** Those that were in the namespace; where none was, those that are. */
  #inNamespace(node: YamlNode | undefined): readonly Resource[] {
    if (node === undefined) return this.#candidates;
    const namespace = textOf(node);
    const were = this.#candidates.filter((one) => effectiveNamespace(one.originalId) === namespace);
    if (were.length > 0) return were;
    return this.#candidates.filter((one) => effectiveNamespace(one.id) === namespace);
  }

  #choose(
    name: string,
    candidates: readonly Resource[],
    whatCounts: (resource: Resource) => string,
  ): Resource | undefined {
    const role = this.#roleKind();
    const isOf = (resource: Resource, gvk: Partial<Gvk>) =>
      resource.formerIds.some((id) => isSelected(id, gvk));
    let found = candidates.filter(
      (one) =>
        one.formerNames.some((former) => former.name === name) &&
        isOf(one, this.#target) &&
        (role === undefined || isOf(one, role)) &&
        this.#isNear(one),
    );
    if (found.length > 1 || found.length === 0) found = found.filter((one) => this.#isKin(one, true));
    if (found.length > 1) found = found.filter((one) => this.#isKin(one, false));
    const [first] = found;
    if (!first || new Set(found.map(whatCounts)).size === 1) return first;
    throw new KustomizeError(
      `found multiple possible referrals: ${found.map((one) => idText(one.id)).join(', ')}`,
    );
  }

  /** What a role binding says of its role's kind. */
  #roleKind(): Partial<Gvk> | undefined {
    if (!this.#spec.path.endsWith('roleRef/name')) return undefined;
    const [group, kind] = ['apiGroup', 'kind'].map((field) => at(this.#referrer.node, 'roleRef', field));
    return group && kind ? { group: textOf(group), kind: textOf(kind) } : undefined;
  }

  #isNear(one: Resource): boolean {
    const own = this.#referrer.id;
    const id = one.id;
    if (isClusterScoped(own) || isClusterScoped(id) || one.kind === 'ServiceAccount') return true;
    return isSameNamespace(own, id);
  }

  /** Made by the same kustomizations, as their prefixes and suffixes tell. */
  #isKin(one: Resource, mayBeNone: boolean): boolean {
    const { prefixes, suffixes } = this.#referrer;
    const fits = (left: readonly string[], right: readonly string[]) =>
      (mayBeNone && (left.length === 0 || right.length === 0)) || endsAlike(left, right);
    return fits(one.prefixes, prefixes) && fits(one.suffixes, suffixes);
  }
}

function endsAlike(one: readonly string[], other: readonly string[]): boolean {
  const [shorter, longer] = one.length > other.length ? [other, one] : [one, other];
  if (shorter.length === 0) return longer.length === 0;
  const start = longer.length - shorter.length;
  return shorter.every((part, index) => part === longer[start + index]);
}
