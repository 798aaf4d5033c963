/** Rules about which operations on which resources a webhook is asked about. */
import type { RuleWithOperations } from '../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];

/** Violations in a rule. */
export function resourceRuleErrors(rule: RuleWithOperations, place: FieldPath): FieldError[] {
  const { scope, operations: asked = [], apiGroups = [], apiVersions = [] } = rule;
  const [field, groups, versions] = ['operations', 'apiGroups', 'apiVersions'].map((name) =>
    child(place, name),
  );
  return [
    ...alone(asked, field!, 'operations'),
    ...asked.flatMap((operation, index) =>
      operations.includes(operation) ? [] : [notSupported(at(field!, index), operation, operations)],
    ),
    ...alone(apiGroups, groups!, 'API groups'),
    ...alone(apiVersions, versions!, 'API versions'),
    ...apiVersions.flatMap((version, index) => (version === '' ? [required(at(versions!, index))] : [])),
    ...resourceErrors(rule.resources ?? [], child(place, 'resources')),
    ...(scope === undefined || scopes.includes(scope)
      ? []
      : [notSupported(child(place, 'scope'), scope, scopes)]),
  ];
}

/** Something is named, and `*` stands by itself. */
function alone(values: readonly string[], place: FieldPath, what: string): FieldError[] {
  if (values.length === 0) return [required(place)];
  return values.length > 1 && values.includes('*')
    ? [invalidValue(place, [...values], `if '*' is present, must not specify other ${what}`)]
    : [];
}

function resourceErrors(resources: readonly string[], place: FieldPath): FieldError[] {
  if (resources.length === 0) return [required(place)];
  const errors: FieldError[] = [];
  const everyPart = new Set<string>();
  const everyOwner = new Set<string>();
  let isPlainLast = false;
  for (const [index, text] of resources.entries()) {
    if (text === '') {
      errors.push(required(at(place, index)));
      continue;
    }
    const slash = text.indexOf('/');
    if (slash < 0) {
      // As upstream, which remembers the last one.
      isPlainLast = text !== '*';
      continue;
    }
    const [owner, part] = [text.slice(0, slash), text.slice(slash + 1)];
    const refuse = (all: string) =>
      errors.push(invalidValue(at(place, index), text, `if '${all}' is present, must not specify ${text}`));
    if (everyPart.has(owner)) refuse(`${owner}/*`);
    if (everyOwner.has(part)) refuse(`*/${part}`);
    if (part === '*') everyPart.add(owner);
    if (owner === '*') everyOwner.add(part);
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalidValue(place, [...resources], "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && isPlainLast) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidValue(place, [...resources], detail));
  }
  return errors;
}
