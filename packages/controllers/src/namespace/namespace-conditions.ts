import type { NamespaceCondition } from '@wherry/kubeapi/objects';
import type { ContentCount } from './remaining-content.ts';

/** What there is to say of a namespace that is being deleted. */
export interface Emptying {
  content: ContentCount;
  /** Why the server does not tell all that it serves. */
  discoveryFailure?: string | undefined;
}

/** The conditions, with the reason and the message of each that is false (upstream: status_condition_utils.go). */
const good: readonly Required<Pick<NamespaceCondition, 'type' | 'reason' | 'message'>>[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    ...{ reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    ...{ reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
  },
  {
    type: 'NamespaceDeletionContentFailure',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  {
    type: 'NamespaceContentRemaining',
    ...{ reason: 'ContentRemoved', message: 'All content successfully removed' },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    ...{ reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
  },
];

/** The conditions as they should be; those of other types stay, and times while a status does. */
export function namespaceConditions(
  known: readonly NamespaceCondition[] | undefined,
  emptying: Emptying,
  nowText: string,
): NamespaceCondition[] {
  const bad = failures(emptying);
  const own = good.map((fine) => {
    const trouble = bad.get(fine.type);
    const status = trouble ? 'True' : 'False';
    const before = known?.find(({ type }) => type === fine.type);
    const lastTransitionTime = (before?.status === status ? before.lastTransitionTime : undefined) ?? nowText;
    return { ...fine, ...trouble, status, lastTransitionTime };
  });
  const others = (known ?? []).filter(({ type }) => !own.some((each) => each.type === type));
  return [...others, ...own];
}

function failures({ content, discoveryFailure }: Emptying): Map<string, { reason: string; message: string }> {
  const found = new Map<string, { reason: string; message: string }>();
  const say = (type: string, reason: string, message: string) => found.set(type, { reason, message });
  const each = (counts: Map<string, number>, words: string) =>
    [...counts]
      .map(([name, count]) => `${name} ${words} ${count} resource instances`)
      .sort()
      .join(', ');
  if (discoveryFailure !== undefined)
    say('NamespaceDeletionDiscoveryFailure', 'DiscoveryFailed', discoveryFailure);
  if (content.failures.length > 0) {
    const all = content.failures.toSorted().join(', ');
    const message = `Failed to delete all resource types, ${content.failures.length} remaining: ${all}`;
    say('NamespaceDeletionContentFailure', 'ContentDeletionFailed', message);
  }
  if (content.kinds.size > 0)
    say(
      'NamespaceContentRemaining',
      'SomeResourcesRemain',
      `Some resources are remaining: ${each(content.kinds, 'has')}`,
    );
  if (content.finalizers.size > 0)
    say(
      'NamespaceFinalizersRemaining',
      'SomeFinalizersRemain',
      `Some content in the namespace has finalizers remaining: ${each(content.finalizers, 'in')}`,
    );
  return found;
}

/** That the server does not tell what it serves of these group versions, in the words that people look for. */
export function staleDiscovery(groupVersions: readonly string[]): string {
  const each = groupVersions.map((name) => `${name}: stale GroupVersion discovery: ${name}`).sort();
  const all = `unable to retrieve the complete list of server APIs: ${each.join(', ')}`;
  return `Discovery failed for some groups, ${groupVersions.length} failing: ${all}`;
}
