import type { AdmissionRequest, AdmissionRule } from '../admission.ts';

/** Webhooks say themselves what they want to be asked about. */
export const everything: readonly AdmissionRule[] = [
  { operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], resources: ['*'] },
];

/** Of what decides about webhooks none is asked: one that answers nobody could never be taken away. */
export function isExempt({ resource }: Pick<AdmissionRequest, 'resource'>): boolean {
  return resource.group === 'admissionregistration.k8s.io';
}
