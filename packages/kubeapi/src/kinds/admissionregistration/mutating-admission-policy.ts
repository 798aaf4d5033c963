/** Policies that change writes. */
import type { KindDefinition } from '../definition.ts';

/** Policies that change writes. */
export const mutatingAdmissionPolicy: KindDefinition = {
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicy',
  defaults: {
    MutatingAdmissionPolicySpec: { failurePolicy: 'Fail' },
  },
};
