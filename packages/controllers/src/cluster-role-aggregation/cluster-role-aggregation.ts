import { isDeepStrictEqual } from 'node:util';
import { kinds } from '@wherry/client';
import { type ClusterRole, hasReason, matcherFrom, type PolicyRule } from '@wherry/kubeapi/objects';
import { defineController } from '../machinery/run-controller.ts';

/** The rules of all roles that the aggregation rule selects, by its selectors and then by name, each once. */
function aggregatedRules(role: ClusterRole, roles: Iterable<ClusterRole>): PolicyRule[] {
  const byName = [...roles].sort((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
  const others = byName.filter(({ metadata }) => metadata?.name !== role.metadata?.name);
  const selected = (role.aggregationRule?.clusterRoleSelectors ?? [])
    .map(matcherFrom)
    .flatMap((matcher) => others.filter(({ metadata }) => matcher.matches(metadata?.labels)));
  const rules: PolicyRule[] = [];
  for (const rule of selected.flatMap(({ rules }) => rules ?? []))
    if (!rules.some((known) => isDeepStrictEqual(known, rule))) rules.push(rule);
  return rules;
}

const watches = { roles: { type: kinds.clusterRoles } };

/** Keeps the rules of roles like `admin` the sum of those that their labels add to it. */
export const clusterRoleAggregation = defineController({
  name: 'clusterrole-aggregation-controller',
  watches,
  writes: ['clusterroles'],
  build: ({ cluster, informers }) => {
    const sums = function* () {
      for (const { metadata, aggregationRule } of informers.roles.objects.values())
        if (aggregationRule) yield metadata?.name ?? '';
    };
    return {
      keysOf: { roles: sums },
      async reconcile(name, signal) {
        const role = informers.roles.objects.get(name);
        if (!role?.aggregationRule) return;
        const rules = aggregatedRules(role, informers.roles.objects.values());
        if (isDeepStrictEqual(rules, role.rules ?? [])) return;
        const identity = {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          metadata: { name },
        };
        const as = {
          type: 'apply',
          fieldManager: 'clusterrole-aggregation-controller',
          force: true,
        } as const;
        try {
          await cluster.client
            .resource(kinds.clusterRoles)
            .patch({ name, ...as, patch: { ...identity, rules }, signal });
        } catch (error) {
          if (!hasReason(error, 'NotFound')) throw error;
        }
      },
    };
  },
});
