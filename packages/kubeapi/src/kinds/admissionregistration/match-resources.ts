/** Which requests a policy or a binding is about (upstream: validateMatchResources). */
import type { MatchResources } from '../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  notSupported,
} from '../../status/field-error.ts';
import { pathSegment } from '../../validation/formats.ts';
import { check, validateSelector } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import { resourceRuleErrors } from './resource-rules.ts';

const matchPolicies = ['Equivalent', 'Exact'];

export function matchResourceErrors(match: MatchResources, place: FieldPath): FieldError[] {
  const { matchPolicy, namespaceSelector, objectSelector } = match;
  return [
    ...(matchPolicy === undefined || matchPolicies.includes(matchPolicy)
      ? []
      : [notSupported(child(place, 'matchPolicy'), matchPolicy, matchPolicies)]),
    ...validateSelector(namespaceSelector, child(place, 'namespaceSelector')),
    ...validateSelector(objectSelector, child(place, 'objectSelector')),
    ...(['resourceRules', 'excludeResourceRules'] as const).flatMap((key) =>
      (match[key] ?? []).flatMap((rule, index) => {
        const path = at(child(place, key), index);
        const names = rule.resourceNames ?? [];
        const isRepeat = repeats<string>();
        return [
          ...names.flatMap((name, nameIndex) => {
            const namePath = at(child(path, 'resourceNames'), nameIndex);
            return [
              ...check(namePath, name, pathSegment),
              ...(isRepeat(name) ? [duplicate(namePath, name)] : []),
            ];
          }),
          ...resourceRuleErrors(rule, path),
        ];
      }),
    ),
  ];
}
