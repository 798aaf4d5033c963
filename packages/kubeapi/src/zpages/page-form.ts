import { isOfClause, preferredClauses } from '../media/media-clauses.ts';
import { notAcceptable } from '../status/status-errors.ts';

/** Objects of `config.k8s.io` that pages can be. */
export type PageKind = 'Statusz' | 'Flagz';

/** Of which versions; the first is deprecated. */
const versions = ['v1alpha1', 'v1beta1'] as const;

/** How a page is answered. */
export type PageForm =
  | { encoding: 'text' }
  | { encoding: 'json' | 'yaml'; version: (typeof versions)[number]; isIndented: boolean };

const encodings = [
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['text/plain', 'text'],
] as const;

/** The first form that an Accept header takes. Throws 406 where it takes none (upstream: apiserver pkg/server/statusz, flagz). */
export function pageForm(accept: string | undefined, kind: PageKind): PageForm {
  if (!accept?.trim()) return { encoding: 'text' };
  for (const clause of preferredClauses(accept)) {
    for (const [type, encoding] of encodings) {
      const form = isOfClause(clause, type) && formOf(clause.parameters, encoding, kind);
      if (form) return form;
    }
  }
  throw notAcceptable(encodings.map(([type]) => type));
}

function formOf(
  parameters: ReadonlyMap<string, string>,
  encoding: (typeof encodings)[number][1],
  kind: PageKind,
): PageForm | undefined {
  const [as, group, version] = ['as', 'g', 'v'].map((name) => parameters.get(name));
  if (parameters.get('stream') || parameters.get('sv')) return undefined;
  const isPlain = as === undefined && group === undefined && version === undefined;
  if (encoding === 'text') return isPlain ? { encoding } : undefined;
  const known = versions.find((each) => each === version);
  if (as !== kind || group !== 'config.k8s.io' || !known) return undefined;
  return { encoding, version: known, isIndented: parameters.get('pretty') === '1' };
}
