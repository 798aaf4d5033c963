/** Policies that look at writes. */
import type { ValidatingAdmissionPolicy } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { policyErrors } from './policy-rules.ts';
import { policyStatusErrors } from './policy-status.ts';

const printer: Printer<ValidatingAdmissionPolicy> = {
  columns: [nameColumn, column('Validations', 'integer'), column('ParamKind'), ageColumn],
  cells: ({ metadata, spec: { validations = [], paramKind } }, nowMs) => [
    ...[metadata.name ?? '', validations.length],
    paramKind ? `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}` : '<unset>',
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Policies that look at writes. */
export const validatingAdmissionPolicy: KindDefinition<ValidatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicy',
  printer,
  validate: (policy) => policyErrors(policy),
  validateUpdate: policyErrors,
  validateSubresource: { status: policyStatusErrors },
  defaults: {
    ValidatingAdmissionPolicySpec: { failurePolicy: 'Fail' },
    MatchResources: { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} },
    NamedRuleWithOperations: { scope: '*' },
  },
};
