/** Who may do what, as expressions ask for it (upstream: apiserver pkg/cel/library/authz.go). */
import { dnsLabel, dnsSubdomain } from '../../validation/formats.ts';
import { method, type Overload } from '../functions.ts';
import { bool, objectNamed, string } from '../types.ts';
import { CelError, Opaque, type Value } from '../values/value.ts';

const types = 'kubernetes.authorization';
export const authorizerType = objectNamed(`${types}.Authorizer`);
export const resourceCheckType = objectNamed(`${types}.ResourceCheck`);
const pathCheckType = objectNamed(`${types}.PathCheck`);
const groupCheckType = objectNamed(`${types}.GroupCheck`);
const decisionType = objectNamed(`${types}.Decision`);

/** What access is asked to: a path, or a resource with all that narrows it. */
export type AccessTarget =
  | { readonly path: string }
  | {
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
      readonly fieldSelector: string;
      readonly labelSelector: string;
    };

/** What an expression asks. */
export interface AccessQuestion {
  /** Absent: whoever makes the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
  readonly verb: string;
  readonly target: AccessTarget;
}

export interface AccessAnswer {
  readonly isAllowed: boolean;
  readonly reason: string;
}

/** Answers at once: expressions wait for nothing. */
export type AskAccess = (question: AccessQuestion) => AccessAnswer;

/** Who is asked about, and by whom it is answered. */
interface Subject {
  readonly ask: AskAccess;
  readonly serviceAccount: AccessQuestion['serviceAccount'];
}

/** A step on the way to a question, or its answer; equal to another that tells the same of the same subject. */
abstract class Step<Told extends object = object> extends Opaque {
  readonly subject: Subject;
  readonly told: Told;

  constructor(subject: Subject, told: Told) {
    super();
    this.subject = subject;
    this.told = told;
  }

  equals(other: Opaque): boolean {
    if (!(other instanceof Step)) return false;
    const shown = ({ subject: { serviceAccount }, told }: Step) => JSON.stringify([serviceAccount, told]);
    return this.subject.ask === other.subject.ask && shown(this) === shown(other);
  }
}

class Authorizer extends Step {
  readonly typeName = authorizerType.name;
}

class GroupCheck extends Step<{ group: string }> {
  readonly typeName = groupCheckType.name;
}

/** Of a path or a resource: what a verb is still wanted for. */
class Check extends Step<AccessTarget> {
  get typeName(): string {
    return 'path' in this.told ? pathCheckType.name : resourceCheckType.name;
  }

  for(verb: string): Decision {
    const { serviceAccount, ask } = this.subject;
    const { isAllowed, reason } = ask({ serviceAccount, verb, target: this.told });
    return new Decision(this.subject, { isAllowed, reason });
  }
}

class Decision extends Step<AccessAnswer> {
  readonly typeName = decisionType.name;
}

/** The value of `authorizer`. */
export const authorizerOf = (ask: AskAccess): Value => new Authorizer({ ask, serviceAccount: undefined }, {});

/** The value of `authorizer.requestResource`. */
export function resourceCheckOf(
  ask: AskAccess,
  target: Record<'group' | 'resource' | 'subresource' | 'namespace' | 'name', string>,
): Value {
  const subject = { ask, serviceAccount: undefined };
  return new Check(subject, { ...target, fieldSelector: '', labelSelector: '' });
}

function serviceAccount({ subject: { ask } }: Authorizer, namespace: string, name: string): Value {
  if (dnsSubdomain(name).length > 0) return new CelError('Invalid service account name');
  if (dnsLabel(namespace).length > 0) return new CelError('Invalid service account namespace');
  return new Authorizer({ ask, serviceAccount: { namespace, name } }, {});
}

function resourceOf({ subject, told }: GroupCheck, resource: string): Value {
  if (resource.trim() === '') return new CelError('resource must not be empty');
  const open = { subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '' };
  return new Check(subject, { ...told, resource, ...open });
}

/** One that narrows the resource. */
const narrowing = (field: 'subresource' | 'namespace' | 'name' | 'fieldSelector' | 'labelSelector') => {
  return ({ subject, told }: Check, value: string): Value => new Check(subject, { ...told, [field]: value });
};

const check = (asked: Check, verb: string): Value => asked.for(verb);

export const authorizationLibrary: readonly Overload[] = [
  method(
    'path',
    'authorizer_path',
    [authorizerType, string],
    pathCheckType,
    ({ subject }: Authorizer, path: string) =>
      path.trim() === '' ? new CelError('path must not be empty') : new Check(subject, { path }),
  ),
  method(
    'group',
    'authorizer_group',
    [authorizerType, string],
    groupCheckType,
    ({ subject }: Authorizer, group: string) => new GroupCheck(subject, { group }),
  ),
  method(
    'serviceAccount',
    'authorizer_serviceaccount',
    [authorizerType, string, string],
    authorizerType,
    serviceAccount,
  ),
  method('resource', 'groupcheck_resource', [groupCheckType, string], resourceCheckType, resourceOf),
  ...(['subresource', 'namespace', 'name'] as const).map((field) =>
    method(field, `resourcecheck_${field}`, [resourceCheckType, string], resourceCheckType, narrowing(field)),
  ),
  ...(['fieldSelector', 'labelSelector'] as const).map((field) =>
    method(
      field,
      `authorizer_${field.toLowerCase()}`,
      [resourceCheckType, string],
      resourceCheckType,
      narrowing(field),
    ),
  ),
  method('check', 'pathcheck_check', [pathCheckType, string], decisionType, check),
  method('check', 'resourcecheck_check', [resourceCheckType, string], decisionType, check),
  // No authorizer of ours fails: each answers from what is in memory.
  method('errored', 'decision_errored', [decisionType], bool, () => false),
  method('error', 'decision_error', [decisionType], string, () => ''),
  method('allowed', 'decision_allowed', [decisionType], bool, ({ told }: Decision) => told.isAllowed),
  method('reason', 'decision_reason', [decisionType], string, ({ told }: Decision) => told.reason),
];
