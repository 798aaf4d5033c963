import type { LabelSelector, ObjectMeta } from '@wherry/kubeapi';
import { field, type Lines, stacked } from './lines.ts';
import { compareTexts, sortedEntries } from './values.ts';

type Pairs = Readonly<Record<string, string>> | undefined;

/** What kubectl applied, once more and as a whole: a secret's words among it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** Longer annotations stand below their name. In bytes, as kubectl counts. */
const annotationLengthMax = 140;

const equalities = (pairs: Pairs): string[] => sortedEntries(pairs).map(([key, value]) => `${key}=${value}`);

/** `key=value` below each other. */
export const labelLines = (title: string, pairs: Pairs): Lines => stacked(title, equalities(pairs));

/** `key=value,…`; `<none>` for none. */
export const labelText = (pairs: Pairs): string => equalities(pairs).join(',') || '<none>';

/** Annotations below each other, long ones below their name, and cut. */
export const annotationLines = (title: string, pairs: Pairs): Lines =>
  stacked(title, annotationValues(pairs));

/** Labels and annotations of an object. */
export const metadataLines = ({ labels, annotations }: ObjectMeta): Lines => [
  ...labelLines('Labels', labels),
  ...annotationLines('Annotations', annotations),
];

/** The lines of annotations, without their title. */
export const annotationValues = (pairs: Pairs): string[] =>
  sortedEntries(pairs)
    .filter(([key]) => key !== lastApplied)
    .flatMap(([key, text]) => {
      const value = text.replace(/\n$/, '');
      const length = Buffer.byteLength(key) + Buffer.byteLength(value) + 2;
      if (length <= annotationLengthMax && !value.includes('\n')) return [`${key}: ${value}`];
      return [`${key}:`, ...value.split('\n').map((line) => `  ${cut(line, annotationLengthMax - 2)}`)];
    });

/** The first bytes of a longer text. */
export function cut(text: string, lengthMax: number): string {
  const bytes = Buffer.from(text);
  return bytes.length > lengthMax ? `${bytes.subarray(0, lengthMax).toString()}...` : text;
}

/** Of a selector, what selects; none is as empty as one that selects all. */
export function selectorText(selector: LabelSelector | undefined): string {
  const equal = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({
    ...{ key, text: `${key}=${value}` },
  }));
  const expressions = (selector?.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return { key, text: key };
    if (operator === 'DoesNotExist') return { key, text: `!${key}` };
    return { key, text: `${key} ${operator.toLowerCase()} (${[...values].sort().join(',')})` };
  });
  const all = [...equal, ...expressions].sort((one, other) => compareTexts(one.key, other.key));
  return all.map(({ text }) => text).join(',');
}

/** As {@link selectorText}; `<none>` for what selects all. */
export const selectorOrNone = (selector: LabelSelector | undefined): string =>
  selectorText(selector) || '<none>';

/** The names at the head of most descriptions. */
export const headLines = (metadata: ObjectMeta): Lines => [
  field('Name', metadata.name),
  field('Namespace', metadata.namespace),
];
