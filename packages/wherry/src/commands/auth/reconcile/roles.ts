import {
  type AggregationRule,
  type ClusterRole,
  type JsonValue,
  jsonEqual,
  type LabelSelector,
  type PolicyRule,
  type Role,
  uncoveredRules,
} from '@wherry/kubeapi';
import { isLeftAlone, type Plan, type Reconciler, withTheirMetadata } from './plan.ts';

/** A role of one namespace, which aggregates nothing, or of the whole cluster. */
type AnyRole = Role & Pick<ClusterRole, 'aggregationRule'>;

/** Adds rules that a role lacks; with `removesExtra` those go that are not wanted. */
export const roleReconciler = (removesExtra: boolean): Reconciler<AnyRole> => ({
  parts: 'rules',
  planNew: (expected) => ({
    ...{ operation: 'create', object: expected, isProtected: false },
    ...{ missing: (expected.rules ?? []).map(ruleText), extra: [] },
  }),
  planChange: (existing, expected) => planChange(existing, expected, removesExtra),
});

function planChange(existing: AnyRole, expected: AnyRole, removesExtra: boolean): Plan<AnyRole> {
  const { object, isChanged } = withTheirMetadata(existing, expected);
  const { rules = [] } = existing;
  const wanted = expected.rules ?? [];
  // What both gather by labels is for the server to say.
  const isGathered = existing.aggregationRule !== undefined && expected.aggregationRule !== undefined;
  const extra = isGathered ? [] : uncoveredRules(wanted, rules);
  const missing = uncoveredRules(rules, wanted);
  const givesRules = missing.length > 0 || (removesExtra && extra.length > 0);
  if (givesRules) object.rules = removesExtra ? wanted : [...rules, ...missing];
  const givesSelectors = reconcileSelectors(object, expected, removesExtra);
  return {
    operation: isChanged || givesRules || givesSelectors ? 'update' : 'none',
    ...{ object, isProtected: isLeftAlone(existing) },
    ...{ missing: missing.map(ruleText), extra: extra.map(ruleText) },
  };
}

/** Lets a role gather as it should, in place; false where it does so. */
function reconcileSelectors(role: AnyRole, expected: AnyRole, removesExtra: boolean): boolean {
  const { aggregationRule: present } = role;
  const { aggregationRule: wanted } = expected;
  if (!wanted) {
    delete role.aggregationRule;
    return present !== undefined;
  }
  const missing = uncovered(present, wanted);
  const isWrong = missing.length > 0 || (removesExtra && uncovered(wanted, present).length > 0);
  if (!isWrong) return false;
  const joined = [...(present?.clusterRoleSelectors ?? []), ...missing];
  role.aggregationRule = removesExtra ? wanted : { clusterRoleSelectors: joined };
  return true;
}

/** The selectors of the second rule that the first one has not. */
function uncovered(
  { clusterRoleSelectors: held = [] }: AggregationRule = {},
  { clusterRoleSelectors: wanted = [] }: AggregationRule = {},
): LabelSelector[] {
  return wanted.filter((one) => !held.some((other) => jsonEqual(asJson(one), asJson(other))));
}

const asJson = (selector: LabelSelector) => selector as unknown as JsonValue;

/** A rule as kubectl prints it. */
function ruleText(rule: PolicyRule): string {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const fields = [
    ['Verbs', verbs],
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['ResourceNames', resourceNames],
    ['NonResourceURLs', nonResourceURLs],
  ] as const;
  return `{${fields.map(([name, list]) => `${name}:[${list.join(' ')}]`).join(' ')}}`;
}
