import type { PolicyRule } from '../../generated/types.ts';
import { withoutTrailing } from '../../values/trimmed.ts';

/**
 * The parts of `wanted` that no rule of `held` covers, each with one verb and one resource or path (upstream:
 * component-helpers auth/rbac/validation). Wildcards are covered by wildcards alone.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap((rule) =>
    [...singleRules(rule)].filter((single) => !held.some((own) => covers(own, single))),
  );
}

/** A rule about one verb of one resource, or of one path. */
interface SingleRule extends PolicyRule {
  verbs: [string];
}

function* singleRules(rule: PolicyRule): Generator<SingleRule> {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of rule.verbs) {
        const single: SingleRule = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (resourceNames.length === 0) yield single;
        for (const name of resourceNames) yield { ...single, resourceNames: [name] };
      }
    }
  }
  for (const url of nonResourceURLs)
    for (const verb of rule.verbs) yield { verbs: [verb], nonResourceURLs: [url] };
}

function covers(own: PolicyRule, single: SingleRule): boolean {
  if (!includes(own.verbs, single.verbs[0])) return false;
  const [url] = single.nonResourceURLs ?? [];
  if (url !== undefined) return (own.nonResourceURLs ?? []).some((pattern) => urlCovers(pattern, url));
  if (!includes(own.apiGroups, single.apiGroups![0]!)) return false;
  if (!resourceCovers(own.resources ?? [], single.resources![0]!)) return false;
  const ownNames = own.resourceNames ?? [];
  const [name] = single.resourceNames ?? [];
  return ownNames.length === 0 || (name !== undefined && ownNames.includes(name));
}

function includes(values: readonly string[] = [], value: string): boolean {
  return values.includes('*') || values.includes(value);
}

function resourceCovers(patterns: readonly string[], resource: string): boolean {
  if (includes(patterns, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && patterns.includes(`*${resource.slice(slash)}`);
}

function urlCovers(pattern: string, url: string): boolean {
  return pattern === url || (pattern.endsWith('*') && url.startsWith(withoutTrailing(pattern, '*')));
}
