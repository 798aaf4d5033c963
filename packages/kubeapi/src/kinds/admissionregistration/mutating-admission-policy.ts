/** Policies that change writes. */
import type { MutatingAdmissionPolicy } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { mutatingPolicyErrors } from './mutating-policy-rules.ts';

const printer: Printer<MutatingAdmissionPolicy> = {
  columns: [nameColumn, column('Mutations', 'integer'), column('ParamKind'), ageColumn],
  cells: ({ metadata, spec: { mutations = [], paramKind } }, nowMs) => [
    ...[metadata.name ?? '', mutations.length],
    paramKind ? `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}` : '<unset>',
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Policies that change writes. */
export const mutatingAdmissionPolicy: KindDefinition<MutatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicy',
  printer,
  validate: (policy) => mutatingPolicyErrors(policy),
  validateUpdate: mutatingPolicyErrors,
  defaults: {
    MutatingAdmissionPolicySpec: { failurePolicy: 'Fail' },
  },
};
