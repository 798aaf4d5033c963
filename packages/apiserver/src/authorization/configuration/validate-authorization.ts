/** What has to be so of an AuthorizationConfiguration (upstream: apiserver pkg/apis/apiserver/validation, kubeapiserver/authorizer). */
import {
  aggregateText,
  at,
  child,
  dnsSubdomain,
  duplicate,
  type FieldError,
  invalidValue,
  joinFieldErrors,
  notSupported,
  required,
} from '@wherry/kubeapi';
import type { ReviewCondition } from '@wherry/kubeapi/access-expressions';
import {
  type AuthorizerConfiguration,
  type AuthorizerType,
  authorizerTypes,
} from './authorization-configuration.ts';
import type { CompiledAuthorizer } from './compiled-authorizers.ts';
import { webhookErrors } from './validate-webhook.ts';

/** Upstream's names of those that are no webhook. */
const nameOf = (type: string): string => type.toLowerCase();

/**
 * The ways to decide, with their conditions read. Throws an Error with all violations. `kept` are the types that have to be
 * there. Needs `loadPatternEngine`.
 */
export function compileAuthorization(
  authorizers: readonly AuthorizerConfiguration[],
  kept: ReadonlySet<string> = new Set(),
): CompiledAuthorizer[] {
  const errors: FieldError[] = [];
  const list = 'authorizers';
  if (authorizers.length === 0)
    errors.push(required(list, 'at least one authorization mode must be defined'));
  const types = new Set<string>();
  const names = new Set<string>();
  const compiled = authorizers.flatMap((authorizer, index): CompiledAuthorizer[] => {
    const path = at(list, index);
    const type = typeOf(child(path, 'type'), authorizer.type, { types, errors });
    if (!type) return [];
    errors.push(...nameErrors(child(path, 'name'), authorizer.name, names));
    names.add(authorizer.name);
    const { webhook } = authorizer;
    if (type !== 'Webhook') {
      const why = 'may only be specified when type=Webhook';
      if (webhook) errors.push(invalidValue(child(path, 'webhook'), 'non-null', why));
      return [{ type }];
    }
    if (!webhook) {
      errors.push(required(child(path, 'webhook'), 'required when type=Webhook'));
      return [];
    }
    const conditions: ReviewCondition[] = [];
    errors.push(...webhookErrors(path, webhook, conditions));
    return [{ type, webhook: { name: authorizer.name, configuration: webhook, conditions } }];
  });
  if (errors.length > 0) throw new Error(joinFieldErrors(errors));
  requireNames(authorizers, kept);
  return compiled;
}

/** Undefined where it is none, or is there already. */
function typeOf(
  path: string,
  type: string,
  { types, errors }: { types: Set<string>; errors: FieldError[] },
): AuthorizerType | undefined {
  const known = authorizerTypes.find((each) => each === type);
  if (type === '') errors.push(required(path));
  else if (!known) errors.push(notSupported(path, type, authorizerTypes));
  else if (types.has(type) && type !== 'Webhook') errors.push(duplicate(path, type));
  else {
    types.add(type);
    return known;
  }
  return undefined;
}

function nameErrors(path: string, name: string, names: ReadonlySet<string>): FieldError[] {
  if (name === '') return [required(path)];
  if (names.has(name)) return [duplicate(path, name)];
  const problems = dnsSubdomain(name);
  if (problems.length === 0) return [];
  return [invalidValue(path, name, `authorizer name is invalid: ${problems.join(', ')}`)];
}

function requireNames(authorizers: readonly AuthorizerConfiguration[], kept: ReadonlySet<string>): void {
  const others = authorizers.filter(({ type }) => type !== 'Webhook');
  const wrong = others.flatMap(({ type, name }) =>
    name === nameOf(type) ? [] : [`expected name ${nameOf(type)} for authorizer ${type} instead of ${name}`],
  );
  const missing = [...kept].filter((type) => !others.some((other) => other.type === type)).sort();
  if (missing.length > 0) wrong.push(`missing required types: [${missing.join(' ')}]`);
  if (wrong.length > 0) throw new Error(aggregateText(wrong));
}
