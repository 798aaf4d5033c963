import type { NamedRuleWithOperations, OperationType } from '@wherry/kubeapi';
import type { AdmissionRequest } from '../admission.ts';
import type { Hook } from '../webhooks/hook.ts';
import { type Invocation, invocationOf, type MatchSources } from '../webhooks/invocation.ts';
import type { Scope } from './policies.ts';

const every: NamedRuleWithOperations = {
  ...{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*', '*/*'], scope: '*' },
};

/**
 * Whether a scope is about a request, and under which version or group it is to be seen; what says nothing of resources
 * is about all. Throws 404 when a selector asks about a namespace that is not there.
 */
export function matchOf(
  scope: Scope,
  request: AdmissionRequest,
  sources: MatchSources,
): Invocation | undefined {
  const excluded = named(scope.excluded, request);
  if (excluded.length > 0 && invocationOf(hookFor(scope, excluded), request, sources)) return undefined;
  const rules = scope.rules.length === 0 ? [every] : named(scope.rules, request);
  return rules.length === 0 ? undefined : invocationOf(hookFor(scope, rules), request, sources);
}

/** Those that name no objects, or this one. */
function named(
  rules: readonly NamedRuleWithOperations[],
  { name }: AdmissionRequest,
): NamedRuleWithOperations[] {
  return rules.filter(({ resourceNames = [] }) => resourceNames.length === 0 || resourceNames.includes(name));
}

const everyOperation: OperationType[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

function operationsOf({ operations = [] }: NamedRuleWithOperations): OperationType[] {
  return operations.includes('*') ? everyOperation : operations;
}

/** As a webhook with these rules would be matched. */
function hookFor({ matchPolicy, namespaces, objects }: Scope, rules: NamedRuleWithOperations[]): Hook {
  const webhook: Hook['webhook'] = {
    ...{ name: '', admissionReviewVersions: ['v1'], clientConfig: {}, sideEffects: 'None', matchPolicy },
    rules: rules.map((rule) => ({ ...rule, operations: operationsOf(rule) })),
  };
  return { id: '', configuration: '', webhook, namespaces, objects };
}
