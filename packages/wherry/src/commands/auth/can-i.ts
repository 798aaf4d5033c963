import { type KubeClient, kinds } from '@wherry/client';
import type { SelfSubjectAccessReview } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { warnLine } from '../../kube/warnings.ts';
import { Catalog } from '../../objects/catalog.ts';

/** Flags of `wherry auth can-i`. */
export interface CanIFlags extends KubeFlags {
  allNamespaces?: boolean;
  quiet?: boolean;
  subresource?: string;
  list?: boolean;
  /** False for `--no-headers`. */
  headers: boolean;
}

const resourceVerbs = new Set([
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'use', 'bind'],
  ...['impersonate', '*', 'approve', 'sign', 'escalate', 'attest'],
]);
const pathVerbs = new Set(['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*']);
/** What can be impersonated and is served nowhere. */
const unserved = new Set(['users', 'groups']);

/** Says whether the caller may do something; no is an exit code of 1. `what` is `TYPE`, `TYPE/NAME` or a path of the server. */
export async function canI(verb: string, what: string, flags: CanIFlags): Promise<void> {
  const client = clientFor(flags);
  const spec = what.startsWith('/')
    ? { nonResourceAttributes: pathAttributes(verb, what, flags) }
    : { resourceAttributes: await resourceAttributes(client, { verb, what, flags }) };
  if (!flags.headers) throw new CommandError('--no-headers cannot be set without --list specified');
  const { status } = await client.resource(kinds.selfSubjectAccessReviews).create<SelfSubjectAccessReview>({
    ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {} },
    spec,
  });
  const isAllowed = status?.allowed === true;
  const why = [status?.reason, status?.evaluationError].filter(Boolean).map((text) => ` - ${text}`);
  if (!flags.quiet) console.log(isAllowed ? 'yes' : `no${why.join('')}`);
  if (!isAllowed) process.exitCode = 1;
}

function pathAttributes(verb: string, path: string, { subresource }: CanIFlags) {
  if (subresource) throw new CommandError('--subresource can not be used with NonResourceURL');
  if (!pathVerbs.has(verb)) warn(`verb '${verb}' is not a known verb`);
  return { verb, path };
}

async function resourceAttributes(
  client: KubeClient,
  { verb, what, flags }: { verb: string; what: string; flags: CanIFlags },
) {
  const [, type = '', name] = /^([^/]*)(?:\/(.*))?$/s.exec(what) ?? [];
  const { group, resource, namespaced } = await resourceMeant(client, type);
  const { allNamespaces, subresource } = flags;
  if (!allNamespaces) {
    const where = group === '' ? '' : ` in group '${group}'`;
    if (!namespaced) warn(`resource '${resource}' is not namespace scoped${where}`);
    if (!resourceVerbs.has(verb)) warn(`verb '${verb}' is not a known verb`);
  }
  const namespace = allNamespaces ? '' : (flags.namespace ?? client.access.namespace);
  return {
    ...{ verb, group, resource, namespace },
    ...(subresource ? { subresource } : {}),
    ...(name ? { name } : {}),
  };
}

/** What the server does not have is asked about as it was typed. */
async function resourceMeant(client: KubeClient, word: string) {
  const asTyped = { group: '', resource: word, namespaced: true };
  if (word === '*') return asTyped;
  const found = (await Catalog.of(client)).find(word);
  if (found) return { group: found.group, resource: found.plural, namespaced: found.namespaced };
  const [resource = '', ...rest] = word.toLowerCase().split('.');
  const group = rest.join('.');
  const where = group === '' ? '' : ` in group '${group}'`;
  if (!unserved.has(word.toLowerCase()))
    warn(`the server doesn't have a resource type '${resource}'${where}`);
  return asTyped;
}

/** kubectl leaves a line free behind each. */
const warn = (text: string): void => warnLine(`${text}\n`);
