/** Definitions of custom resources (upstream: apiextensions-apiserver). */

import { isRecognizedFormat } from '../../formats/schema-formats.ts';
import type { CustomResourceDefinition, JSONSchemaProps } from '../../generated/types.ts';
import type { KindDefinition } from '../definition.ts';
import { definitionChangeErrors, definitionErrors, nameErrors } from './definition-rules.ts';
import { partsOf } from './structural-rules.ts';

/** Kinds that are defined while a server runs. */
export const customResourceDefinition: KindDefinition<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  validate: (definition) => definitionErrors(definition),
  validateUpdate: definitionChangeErrors,
  validateSubresource: {
    status: ({ status }) =>
      status?.acceptedNames ? nameErrors(status.acceptedNames, 'status.acceptedNames') : [],
  },
  defaults: { ApiextensionsV1ServiceReference: { port: 443 } },
  computedDefaults: {
    CustomResourceDefinitionSpec(spec) {
      const names = spec['names'] as unknown as CustomResourceDefinition['spec']['names'];
      if (!names.singular && names.kind) names.singular = names.kind.toLowerCase();
      if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
      spec['conversion'] ??= { strategy: 'None' };
    },
  },
  descriptions: {
    CustomResourceDefinition: { '': 'A kind that this server serves beside its own.' },
    CustomResourceDefinitionSpec: {
      group: 'The API group, a domain of its own.',
      names: 'What the resource and its kind are called.',
      scope: 'Namespaced or Cluster.',
      versions: 'The versions, each with its schema; one of them is the form that objects are stored in.',
      conversion:
        'How objects of one version become those of another: None changes their apiVersion alone, Webhook has another server do it.',
      preserveUnknownFields: 'False: fields that no schema names are not stored.',
    },
    CustomResourceDefinitionVersion: {
      name: 'v1, v1beta1, …',
      served: 'Whether clients can use it.',
      storage: 'Whether objects are stored in it.',
      deprecated: 'Whether its users are told that it goes away.',
      deprecationWarning: 'What they are told.',
      schema: 'What its objects look like.',
      subresources: 'Whether it has a status and a scale of its own.',
      additionalPrinterColumns: 'What kubectl get shows beside the name.',
      selectableFields: 'What field selectors may name.',
    },
  },
};

/** What a definition asks for that is stored and not acted on, in a sentence each. */
export function definitionWarnings(
  { spec }: CustomResourceDefinition,
  previous?: CustomResourceDefinition,
): string[] {
  const known = previous ? definitionWarnings(previous) : [];
  const warnings = new Set<string>();
  for (const { schema } of spec.versions)
    if (schema?.openAPIV3Schema) addWarnings(schema.openAPIV3Schema, warnings);
  return [...warnings].filter((text) => !known.includes(text));
}

function addWarnings(words: JSONSchemaProps, warnings: Set<string>): void {
  if (words.format && !isRecognizedFormat(words))
    warnings.add(`unrecognized format ${JSON.stringify(words.format)}`);
  for (const part of partsOf(words)) addWarnings(part, warnings);
}
