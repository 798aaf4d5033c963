/** Fields that a transformer looks at: of which kinds, and by which path. */
import { KustomizeError } from '../errors.ts';
import { compareGvks, type Gvk, isSelected } from './gvk.ts';

export interface FieldSpec extends Gvk {
  /** Names parted by `/`; `\/` is a slash, a name with `[]` behind it a list that is not made. */
  path: string;
  /** Whether what is missing is made. */
  create: boolean;
}

/** Fields by which objects name those of a kind. */
export interface NameReference extends Gvk {
  fieldSpecs: FieldSpec[];
}

export const fieldSpec = (path: string, parts: Partial<FieldSpec> = {}): FieldSpec => ({
  group: '',
  version: '',
  kind: '',
  create: false,
  ...parts,
  path,
});

/** Parts of a path. */
export function splitPath(path: string, delimiter: string): string[] {
  const [first = '', ...rest] = path.split(delimiter);
  const parts = first === '' && rest.length > 0 ? rest : [first, ...rest];
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before?.endsWith('\\')) joined[joined.length - 1] = `${before.slice(0, -1)}${delimiter}${part}`;
    else joined.push(part);
  }
  return joined;
}

/** The specs with others behind them that are not there yet. Throws KustomizeError where two differ in `create`. */
export function mergeSpecs(specs: readonly FieldSpec[], others: readonly FieldSpec[]): FieldSpec[] {
  const merged = [...specs];
  for (const other of others) {
    const same = merged.find((spec) => isSelected(spec, other) && spec.path === other.path);
    if (!same) merged.push(other);
    else if (same.create !== other.create) throw new KustomizeError('conflicting fieldspecs');
  }
  return merged;
}

export function mergeReferences(
  references: readonly NameReference[],
  others: readonly NameReference[],
): NameReference[] {
  const merged = [...references];
  for (const other of others) {
    const index = merged.findIndex(
      ({ group, version, kind }) => group === other.group && version === other.version && kind === other.kind,
    );
    const same = merged[index];
    if (same) merged[index] = { ...same, fieldSpecs: mergeSpecs(same.fieldSpecs, other.fieldSpecs) };
    else merged.push(other);
  }
  return merged;
}

export const sorted = <T extends Gvk>(specs: readonly T[]): T[] =>
  [...specs].sort((one, other) => compareGvks(one, other));
