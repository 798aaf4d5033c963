/** Violations in the status of policies (upstream: validateValidatingAdmissionPolicyStatus). */
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '../../generated/types.ts';
import { at, child, type FieldError, type FieldPath, required } from '../../status/field-error.ts';
import { validateConditions } from '../../validation/conditions.ts';

export function policyStatusErrors({ status = {} }: ValidatingAdmissionPolicy): FieldError[] {
  const place = child('status', 'typeChecking.expressionWarnings');
  return [
    ...(status.typeChecking?.expressionWarnings ?? []).flatMap((warning, index) =>
      warningErrors(warning, at(place, index)),
    ),
    ...validateConditions(status.conditions, child('status', 'conditions')),
  ];
}

function warningErrors({ fieldRef = '', warning = '' }: ExpressionWarning, place: FieldPath): FieldError[] {
  return [
    ...(warning === '' ? [required(child(place, 'warning'))] : []),
    ...(fieldRef.trim() === '' ? [required(child(place, 'fieldRef'))] : []),
  ];
}
