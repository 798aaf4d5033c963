import {
  exactJson,
  fromStatus,
  loadPatternEngine,
  type MutatingAdmissionPolicy,
  type StatusError,
} from '@wherry/kubeapi';
import { type AdmissionPlugin, type AdmissionRequest, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { isExempt } from '../webhooks/exempt.ts';
import { MutationRun, type Round } from './mutation-run.ts';
import { Policies } from './policies.ts';

/** Applies policies in CEL that change what is about to be stored, by their names. */
export function mutatingAdmissionPolicy(parts: PluginParts): AdmissionPlugin {
  const policies = new Policies({
    definitions: parts.caches.mutatingPolicies,
    bindings: parts.caches.mutatingPolicyBindings,
    compile: ({ spec }: MutatingAdmissionPolicy, expressions) => ({
      mutations: (spec.mutations ?? []).map(({ patchType, applyConfiguration, jsonPatch }) => ({
        patchType,
        expression:
          patchType === 'JSONPatch'
            ? expressions.compile((jsonPatch?.expression ?? '').trim(), 'list(JSONPatch)')
            : expressions.compile((applyConfiguration?.expression ?? '').trim(), 'Object'),
      })),
    }),
  });
  const sources = { ...parts, namespaces: parts.caches.namespaces };
  const rounds = new WeakMap<AdmissionRequest, Round>();

  return {
    name: 'MutatingAdmissionPolicy',
    keepsDefaults: true,
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['*'] }],
    async admit(request) {
      if (policies.isEmpty || isExempt(request) || !request.object) return;
      await loadPatternEngine();
      const earlier = rounds.get(request);
      const round = earlier ?? { applied: new Set(), again: new Set(), left: '' };
      rounds.set(request, round);
      // Other plug-ins have changed what policies had left.
      if (earlier && exactJson(request.object) !== round.left) round.again = new Set(round.applied);
      const run = new MutationRun(sources, { request, round, isFirst: earlier === undefined });
      for (const policy of policies.list()) await run.apply(policy);
      round.left = exactJson(request.object) ?? '';
      if (run.denials.length > 0) throw refusal(request, run.denials);
    },
  };
}

/** As upstream words it: the first is told, all are causes. */
function refusal(request: AdmissionRequest, denials: readonly string[]): StatusError {
  const { status } = refused(request, 'admission request denied by policy');
  const causes = denials.map((message) => ({ message }));
  return fromStatus({
    ...{ ...status, message: denials[0]!, reason: 'Invalid' },
    details: { ...status.details, causes },
  });
}
