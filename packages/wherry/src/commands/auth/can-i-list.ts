import { kinds } from '@wherry/client';
import type { SelfSubjectRulesReview, SubjectRulesReviewStatus } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { warnLine } from '../../kube/warnings.ts';
import { print } from '../../output/listing.ts';
import { formatTable } from '../../output/table.ts';
import type { CanIFlags } from './can-i.ts';

/** Something that may be done: to objects of one resource, or at one path. */
interface Allowed {
  group?: string;
  resource?: string;
  names: string[];
  paths: string[];
  verbs: string[];
}

/** Lists all that the caller may do in the namespace. */
export async function canIList(flags: CanIFlags): Promise<void> {
  if (flags.quiet || flags.allNamespaces || flags.subresource) {
    throw new CommandError(
      "list option can't be specified with neither quiet, all-namespaces nor subresource options",
    );
  }
  const client = clientFor(flags);
  const namespace = flags.namespace ?? client.access.namespace;
  const { status } = await client.resource(kinds.selfSubjectRulesReviews).create<SelfSubjectRulesReview>({
    ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', metadata: {} },
    spec: { namespace },
  });
  if (status?.incomplete) warnLine(`the list may be incomplete: ${status.evaluationError ?? ''}`);
  const rows = [...forResources(status), ...forPaths(status)]
    .map((one) => ({ one, order: goText(one) }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .map(({ one }) => [titleOf(one), list(one.paths), list(one.names), list(one.verbs)]);
  const header = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];
  print(formatTable(header, rows, { hasHeader: flags.headers }));
}

/** Rules taken apart by group, resource and name, and put together again by their verbs. */
function forResources(status: SubjectRulesReviewStatus | undefined): Allowed[] {
  const found = new Map<string, Allowed>();
  for (const { apiGroups = [], resources = [], resourceNames, verbs } of status?.resourceRules ?? []) {
    const names = resourceNames?.length ? resourceNames.map((name) => [name]) : [[]];
    for (const group of apiGroups)
      for (const resource of resources)
        for (const named of names) {
          const key = JSON.stringify([group, resource, named]);
          const one = found.get(key) ?? { group, resource, names: named, paths: [], verbs: [] };
          one.verbs = [...new Set([...one.verbs, ...verbs])];
          found.set(key, one);
        }
  }
  return [...found.values()];
}

const forPaths = (status: SubjectRulesReviewStatus | undefined): Allowed[] =>
  (status?.nonResourceRules ?? []).flatMap(({ nonResourceURLs = [], verbs }) =>
    nonResourceURLs.flatMap((path) => verbs.map((verb) => ({ names: [], paths: [path], verbs: [verb] }))),
  );

const list = (words: readonly string[]): string => `[${words.join(' ')}]`;

/** kubectl's order is that of the rules as Go writes them. */
const goText = ({ group, resource, names, paths, verbs }: Allowed): string =>
  [
    `Verbs:${list(verbs)}`,
    `APIGroups:${list(group === undefined ? [] : [group])}`,
    `Resources:${list(resource === undefined ? [] : [resource])}`,
    `ResourceNames:${list(names)}`,
    `NonResourceURLs:${list(paths)}`,
  ].join(',');

/** `pods/log`, `deployments.apps/scale`. */
function titleOf({ group, resource }: Allowed): string {
  const [, plural = '', subresource = ''] = /^([^/]*)(\/.*)?$/s.exec(resource ?? '') ?? [];
  return `${plural}${group ? `.${group}` : ''}${subresource}`;
}
