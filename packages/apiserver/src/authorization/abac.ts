/** The mode ABAC: what a file of policies allows (upstream: pkg/auth/authorizer/abac). */
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, ownValue, type PolicyRule } from '@wherry/kubeapi';
import { groups, type UserInfo } from '../authentication/identity.ts';
import { readingSettings } from '../settings-error.ts';
import { type Attributes, type Decision, noOpinion, type PromptAuthorizer } from './authorizer.ts';

/** '' is what is not said, `*` is any. */
interface Policy {
  user: string;
  group: string;
  readonly: boolean;
  apiGroup: string;
  resource: string;
  namespace: string;
  nonResourcePath: string;
}

const apiVersion = 'abac.authorization.kubernetes.io/v1beta1';
const readingVerbs: readonly string[] = ['get', 'list', 'watch'];
const unmatched: Decision = { ...noOpinion, reason: 'No policy matched.' };

/** Allows what one of the policies allows. */
export class AbacAuthorizer implements PromptAuthorizer {
  readonly #policies: readonly Policy[];

  private constructor(policies: readonly Policy[]) {
    this.#policies = policies;
  }

  /** Of a file with a policy a line. Throws {@link SettingsError} that names file and line. */
  static open(path: string): AbacAuthorizer {
    const file = readingSettings('the file of authorization policies', () => readFileSync(path, 'utf8'));
    const policies = file.split('\n').flatMap((line, index) => {
      const text = line.trim();
      if (text === '' || text.startsWith('#')) return [];
      return [readingSettings(`${path}, line ${index + 1}`, () => readPolicy(text))];
    });
    return new AbacAuthorizer(policies);
  }

  authorize(attributes: Attributes): Decision {
    const isReading = readingVerbs.includes(attributes.verb);
    const allows = (policy: Policy) =>
      isAbout(policy, attributes.user) && (isReading || !policy.readonly) && covers(policy, attributes);
    return this.#policies.some(allows) ? { outcome: 'allow', reason: '' } : unmatched;
  }

  /** What a user may do in a namespace, as rules of roles. */
  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    return this.#policies.flatMap((policy): PolicyRule[] => {
      if (!isAbout(policy, user) || !isEither(policy.namespace, namespace)) return [];
      const verbs = policy.readonly ? [...readingVerbs] : ['*'];
      const { apiGroup, resource, nonResourcePath } = policy;
      return [
        ...(resource === '' ? [] : [{ verbs, apiGroups: [apiGroup], resources: [resource] }]),
        ...(nonResourcePath === '' ? [] : [{ verbs, nonResourceURLs: [nonResourcePath] }]),
      ];
    });
  }
}

function isAbout({ user, group }: Policy, { name, groups: memberships }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === name) && (group === '' || memberships.includes(group));
}

function covers(policy: Policy, { isResource, namespace, resource, group, path }: Attributes): boolean {
  const { nonResourcePath } = policy;
  if (isResource)
    return (
      isEither(policy.namespace, namespace) &&
      isEither(policy.resource, resource) &&
      isEither(policy.apiGroup, group)
    );
  if (isEither(nonResourcePath, path)) return true;
  return nonResourcePath.endsWith('*') && path.startsWith(nonResourcePath.replace(/\*+$/, ''));
}

const isEither = (wanted: string, value: string): boolean => wanted === '*' || wanted === value;

function readPolicy(text: string): Policy {
  const object: unknown = JSON.parse(text);
  if (!isJsonObject(object)) throw new Error('a policy is an object of JSON');
  const version = textOf(object, 'apiVersion');
  const kind = textOf(object, 'kind');
  if (version === apiVersion && kind === 'Policy') {
    const spec = ownValue(object, 'spec') ?? {};
    if (!isJsonObject(spec)) throw new Error('spec is no object');
    return forAuthenticated(fieldsOf(spec));
  }
  if (version === '' && (kind === '' || kind === 'Policy')) return unversioned(fieldsOf(object));
  throw new Error(`"${kind}" of "${version}" is no policy; want "Policy" of "${apiVersion}"`);
}

function fieldsOf(object: JsonObject): Policy {
  const readonly = ownValue(object, 'readonly') ?? false;
  if (typeof readonly !== 'boolean') throw new Error('readonly is neither true nor false');
  return {
    readonly,
    user: textOf(object, 'user'),
    group: textOf(object, 'group'),
    apiGroup: textOf(object, 'apiGroup'),
    resource: textOf(object, 'resource'),
    namespace: textOf(object, 'namespace'),
    nonResourcePath: textOf(object, 'nonResourcePath'),
  };
}

function textOf(object: JsonObject, name: string): string {
  const value = ownValue(object, name) ?? '';
  if (typeof value !== 'string') throw new Error(`${name} is no string`);
  return value;
}

/** "Everybody" is everybody who is known. */
function forAuthenticated(policy: Policy): Policy {
  if (policy.user !== '*' && policy.group !== '*') return policy;
  return { ...policy, user: '', group: groups.authenticated };
}

/** The form without a version: what it does not say is any. */
function unversioned(policy: Policy): Policy {
  const { user, group, namespace, resource } = policy;
  return {
    ...forAuthenticated(user === '' && group === '' ? { ...policy, user: '*' } : policy),
    apiGroup: '*',
    namespace: namespace || '*',
    resource: resource || '*',
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  };
}
