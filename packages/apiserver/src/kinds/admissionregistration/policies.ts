import { loadPatternEngine } from '@wherry/kubeapi';
import { type Strategy, specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { reservedNames } from './reserved-names.ts';

const group = 'admissionregistration.k8s.io';
const strategy: Strategy = { ...specGenerations, ...reservedNames, needsVersionOnUpdate: true };

/** Policies that look at writes. */
export const validatingAdmissionPolicy: ServedKind = {
  group,
  kind: 'ValidatingAdmissionPolicy',
  // Their expressions may have patterns.
  strategy: { ...strategy, ready: loadPatternEngine, statusKeeps: 'metadata' },
};

/** Policies that change writes. */
export const mutatingAdmissionPolicy: ServedKind = {
  group,
  kind: 'MutatingAdmissionPolicy',
  strategy: { ...strategy, ready: loadPatternEngine },
};

/** What those are applied to. */
export const mutatingAdmissionPolicyBinding: ServedKind = {
  ...{ group, strategy },
  kind: 'MutatingAdmissionPolicyBinding',
};

/** What policies are applied to. */
export const validatingAdmissionPolicyBinding: ServedKind = {
  ...{ group, strategy },
  kind: 'ValidatingAdmissionPolicyBinding',
};
