/** Policies that look at writes. */
import type { KindDefinition } from '../definition.ts';

/** Policies that look at writes. */
export const validatingAdmissionPolicy: KindDefinition = {
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicy',
  defaults: {
    ValidatingAdmissionPolicySpec: { failurePolicy: 'Fail' },
    MatchResources: { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} },
  },
};
