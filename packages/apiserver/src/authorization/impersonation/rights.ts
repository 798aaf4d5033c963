import { domainPrefixedPath, joinFieldErrors, StatusError } from '@wherry/kubeapi';
import { groups as knownGroups, serviceAccountGroups, type UserInfo } from '../../authentication/identity.ts';
import { type Attributes, type Authorizer, refusal, refusalOf } from '../authorizer.ts';
import type { AskedUser } from './asked-user.ts';
import { accountOf, nodeOf } from './user-kinds.ts';

/** By which verb somebody may be another. */
export interface Verb {
  text: string;
  /** One of the verbs `impersonate:MODE`: names and groups are asked for in another API group, and bounds hold. */
  isConstrained: boolean;
}

/** Rejects with 403 unless these attributes are allowed. */
export type Check = (attributes: Attributes) => Promise<void>;

/** The check of an authorizer. */
export function checkBy(authorizer: Authorizer): Check {
  return async (attributes) => {
    const decision = await authorizer.authorize({ ...attributes, version: attributes.version ?? 'v1' });
    if (decision.outcome !== 'allow') throw refusalOf(attributes, decision);
  };
}

/** From how many values on the right to all of them at once is looked for first. */
const manyValues = 4;

/**
 * Who the asked user is, when `user` has the right to the name, the uid, each of the groups and each value of the extra
 * keys by this verb. Rejects with 403 else.
 */
export async function takeOver(
  user: UserInfo,
  asked: AskedUser,
  verb: Verb,
  check: Check,
): Promise<UserInfo> {
  const group = verb.isConstrained ? 'authentication.k8s.io' : '';
  const whole = {
    user,
    verb: verb.text,
    isResource: true,
    path: '',
    subresource: '',
    namespace: '',
    name: '',
  };
  const person = { ...whole, group };
  const fact = { ...whole, group: 'authentication.k8s.io' };
  const { who, groups } = identityOf(asked, verb);
  await check({ ...person, ...who });
  if (asked.uid !== '') await check({ ...fact, resource: 'uids', name: asked.uid });
  await checkGroups({ ...person, resource: 'groups' }, asked.groups, verb, check);
  await checkExtra({ ...fact, resource: 'userextras' }, asked.extra, verb, check);
  return {
    ...{ name: asked.name, uid: asked.uid, groups: withImplied(asked.name, groups) },
    extra: Object.fromEntries(asked.extra),
  };
}

interface Identity {
  who: Partial<Attributes> & Pick<Attributes, 'resource' | 'name'>;
  groups: readonly string[];
}

/** A node's groups are settled where the verb is constrained, and a service account's where none are asked for. */
function identityOf({ name, groups }: AskedUser, { isConstrained }: Verb): Identity {
  const node = isConstrained ? nodeOf(name) : undefined;
  if (node !== undefined) return { who: { resource: 'nodes', name: node }, groups: [knownGroups.nodes] };
  const account = accountOf(name);
  if (!account) return { who: { resource: 'users', name }, groups };
  const settled = groups.length === 0 ? serviceAccountGroups(account.namespace) : groups;
  return { who: { resource: 'serviceaccounts', ...account }, groups: settled };
}

async function checkGroups(
  attributes: Attributes,
  groups: readonly string[],
  { isConstrained }: Verb,
  check: Check,
): Promise<void> {
  if (isConstrained) {
    const { masters } = knownGroups;
    if (groups.includes('')) throw refusal(attributes, 'impersonating the empty string group is not allowed');
    if (groups.includes(masters))
      throw refusal({ ...attributes, name: masters }, `impersonating the ${masters} group is not allowed`);
    if (groups.length >= manyValues && (await isAllowed({ ...attributes, name: '*' }, check))) return;
  }
  for (const name of groups) await check({ ...attributes, name });
}

async function checkExtra(
  attributes: Attributes,
  extra: AskedUser['extra'],
  { isConstrained }: Verb,
  check: Check,
): Promise<void> {
  if (isConstrained) {
    const mistake = mistakeOf(extra);
    if (mistake) throw refusal(attributes, `impersonating ${mistake}`);
    const count = [...extra.values()].reduce((sum, values) => sum + values.length, 0);
    const everything = { ...attributes, subresource: '*', name: '*' };
    if (count >= manyValues && (await isAllowed(everything, check))) return;
  }
  for (const [subresource, values] of extra)
    for (const name of values) await check({ ...attributes, subresource, name });
}

/** What keeps extra keys and values from being taken over by a constrained verb. */
function mistakeOf(extra: AskedUser['extra']): string | undefined {
  for (const [key, values] of extra) {
    if (key === '') return 'the empty string key in extra is not allowed';
    const errors = domainPrefixedPath('extra.key', key);
    if (errors.length > 0) return `an invalid key in extra is not allowed: ${joinFieldErrors(errors)}`;
    if (key !== key.toLowerCase())
      return `a non-lowercase key in extra is not allowed: ${JSON.stringify(key)}`;
    if (values.length === 0) return 'empty values in extra is not allowed';
    if (values.includes('')) return 'the empty string value in extra is not allowed';
  }
  return undefined;
}

async function isAllowed(attributes: Attributes, check: Check): Promise<boolean> {
  try {
    await check(attributes);
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

/** The group of the known, or of the unknown, is added where the asked ones do not settle it. */
function withImplied(name: string, memberships: readonly string[]): string[] {
  const { authenticated, unauthenticated } = knownGroups;
  const implied = name === 'system:anonymous' ? unauthenticated : authenticated;
  const isSettled =
    memberships.includes(unauthenticated) ||
    (implied === authenticated && memberships.includes(authenticated));
  return isSettled ? [...memberships] : [...memberships, implied];
}
