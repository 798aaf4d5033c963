import { kinds } from '@wherry/client';
import { hasReason } from '@wherry/kubeapi/objects';
import { defineController } from '../machinery/run-controller.ts';
import { PolicyTypeChecker } from './policy-type-checker.ts';

const watches = { policies: { type: kinds.validatingAdmissionPolicies } };

/** Tells in the status of policies which of their expressions do not fit the types of what they are about. */
export const policyTypeController = defineController({
  name: 'validatingadmissionpolicy-status-controller',
  watches,
  writes: ['validatingadmissionpolicies/status'],
  concurrency: 1,
  build: ({ cluster, informers }) => {
    const checker = new PolicyTypeChecker(cluster);
    return {
      keysOf: { policies: ({ metadata }) => [metadata.name ?? ''] },
      async reconcile(name, signal) {
        const policy = informers.policies.objects.get(name);
        if (!policy) return;
        const { generation = 0 } = policy.metadata;
        if (generation <= (policy.status?.observedGeneration ?? 0)) return;
        const expressionWarnings = await checker.warnings(policy.spec, signal);
        const typeChecking = expressionWarnings.length > 0 ? { expressionWarnings } : {};
        const patch = {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name },
          status: { observedGeneration: generation, typeChecking },
        };
        const as = { type: 'apply', fieldManager: 'validatingadmissionpolicy-status', force: true } as const;
        try {
          await cluster.client
            .resource(kinds.validatingAdmissionPolicies)
            .patch({ name, ...as, patch, subresource: 'status', signal });
        } catch (error) {
          if (!hasReason(error, 'NotFound')) throw error;
        }
      },
    };
  },
});
