/** What policies that change writes are applied to. */
import type { MutatingAdmissionPolicyBinding } from '../../generated/types.ts';
import type { KindDefinition } from '../definition.ts';
import { mutatingBindingErrors } from './binding-rules.ts';
import { bindingPrinter } from './validating-admission-policy-binding.ts';

/** What policies that change writes are applied to. */
export const mutatingAdmissionPolicyBinding: KindDefinition<MutatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicyBinding',
  printer: bindingPrinter,
  validate: mutatingBindingErrors,
};
