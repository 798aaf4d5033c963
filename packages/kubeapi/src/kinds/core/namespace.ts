/** Namespaces. */
import { object } from '../../defaults/parts.ts';
import type { Namespace } from '../../generated/types.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { type FieldError, invalidValue } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { dnsLabel } from '../../validation/formats.ts';
import { validateFinalizer } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<Namespace> = {
  columns: [nameColumn, column('Status'), ageColumn],
  cells: ({ metadata, status }, nowMs) => [
    metadata.name ?? '',
    status?.phase ?? '',
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Namespaces. */
export const namespace: KindDefinition<Namespace> = {
  group: '',
  kind: 'Namespace',
  nameFormat: dnsLabel,
  printer,
  fieldLabels: { 'status.phase': '' },
  validate: validateNamespace,
  validateSubresource: { status: validateStatus },
  defaults: {
    NamespaceStatus: { phase: 'Active' },
  },
  computedDefaults: {
    Namespace: defaultNamespace,
  },
  descriptions: {
    Namespace: { '': 'A space for names.' },
    NamespaceStatus: { '': 'What was last seen of a namespace.', phase: 'Active or Terminating.' },
  },
};

/** Violations in a namespace. */
function validateNamespace({ spec }: Namespace): FieldError[] {
  return (spec?.finalizers ?? []).flatMap((text) => validateFinalizer(text, 'spec.finalizers'));
}

function validateStatus({ metadata, status }: Namespace): FieldError[] {
  const { phase } = status ?? {};
  const wanted = metadata?.deletionTimestamp ? 'Terminating' : 'Active';
  return phase === wanted ? [] : [invalidValue('status.Phase', phase ?? '', `may only be '${wanted}' now`)];
}

function defaultNamespace(namespace: JsonObject): void {
  const metadata = object(namespace['metadata']);
  if (!metadata['name']) return;
  metadata['labels'] = { ...object(metadata['labels']), 'kubernetes.io/metadata.name': metadata['name'] };
}
