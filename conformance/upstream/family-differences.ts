import type { DeclaredFamily } from './declared-families.ts';
import type { ShownFamily } from './shown-families.ts';

/** Families as upstream declares them, and as a page of ours shows them, by name. */
type Declared = ReadonlyMap<string, DeclaredFamily>;
type Shown = ReadonlyMap<string, ShownFamily>;

/** What is not as it should be of the families that both have. */
function differences(
  declared: Declared,
  shown: Shown,
  judge: (told: DeclaredFamily, ours: ShownFamily) => string | undefined,
): string[] {
  return [...declared].flatMap(([name, told]) => {
    const ours = shown.get(name);
    const difference = ours && judge(told, ours);
    return difference ? [`${name}: ${difference}`] : [];
  });
}

/** Families whose type is another one. */
export const otherTypes = (declared: Declared, shown: Shown): string[] =>
  differences(declared, shown, ({ type }, ours) =>
    type && type !== ours.type ? `${ours.type}, not ${type}` : undefined,
  );

/** Families that have a series with other labels. */
export const otherLabels = (declared: Declared, shown: Shown): string[] =>
  differences(declared, shown, ({ labels }, ours) => {
    const other = ours.labels.find((names) => names.join() !== labels.join());
    return other && `[${other}], not [${labels}]`;
  });

/** Histograms with other bounds, where the declaration says them. */
export const otherBounds = (declared: Declared, shown: Shown): string[] =>
  differences(declared, shown, ({ bounds }, ours) => {
    if (!bounds || ours.bounds.length === 0) return undefined;
    const isSame =
      bounds.length === ours.bounds.length && bounds.every((bound, at) => isNear(bound, ours.bounds[at]));
    return isSame ? undefined : `[${ours.bounds}], not [${bounds}]`;
  });

const isNear = (a: number, b: number | undefined) => b !== undefined && Math.abs(a - b) <= 1e-9 * Math.abs(a);
