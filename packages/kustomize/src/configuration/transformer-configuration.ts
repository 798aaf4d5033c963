/** What each transformer looks at: kustomize's own fields, with those that kustomizations add. */
import { within } from '../errors.ts';
import {
  type FieldSpec,
  mergeReferences,
  mergeSpecs,
  type NameReference,
  sorted,
} from '../model/field-spec.ts';

/** Lists of fields by what is done to them. */
export const specLists = [
  ...(['namePrefix', 'nameSuffix', 'namespace', 'commonAnnotations', 'commonLabels', 'labels'] as const),
  ...(['templateLabels', 'varReference', 'images', 'replicas'] as const),
] as const;

export type TransformerConfiguration = Record<(typeof specLists)[number], FieldSpec[]> & {
  nameReference: NameReference[];
};

export const emptyConfiguration = (): TransformerConfiguration => ({
  ...(Object.fromEntries(specLists.map((name) => [name, []])) as unknown as Record<
    (typeof specLists)[number],
    FieldSpec[]
  >),
  nameReference: [],
});

/** Both together. Throws KustomizeError where they contradict each other. */
export function mergeConfigurations(
  one: TransformerConfiguration,
  other: TransformerConfiguration,
): TransformerConfiguration {
  const merged = emptyConfiguration();
  for (const name of specLists) {
    const title = `${name[0]?.toUpperCase()}${name.slice(1)}`.replace('Namespace', 'NameSpace');
    merged[name] = sorted(
      within(`failed to merge ${title} fieldSpec`, () => mergeSpecs(one[name], other[name])),
    );
  }
  merged.nameReference = sorted(
    within('failed to merge NameReference fieldSpec', () =>
      mergeReferences(one.nameReference, other.nameReference),
    ),
  );
  return merged;
}
