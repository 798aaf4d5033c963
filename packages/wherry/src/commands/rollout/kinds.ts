import type { DiscoveredResource } from '@wherry/client';
import { qualifiedResource } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';

/** Kinds whose rollouts can be looked at. */
export type RolledKind = 'Deployment' | 'DaemonSet' | 'StatefulSet';

const rolled: readonly string[] = ['Deployment', 'DaemonSet', 'StatefulSet'];
/** Kinds that kubectl visits, and finds nothing of the kind for. */
const visited: readonly string[] = ['Job', 'Pod', 'ReplicaSet', 'ReplicationController', 'CronJob'];

/** As Go writes a kind with its group. */
const kindName = ({ kind, group }: DiscoveredResource): string => qualifiedResource(group, kind);

/** The kind of what is rolled out; undefined for other kinds. */
export function rolledKind({ kind, group }: DiscoveredResource): RolledKind | undefined {
  return group === 'apps' && rolled.includes(kind) ? (kind as RolledKind) : undefined;
}

/** The same. Throws `CommandError` in kubectl's words: `what` has not been implemented, or can't be retrieved as `thing`. */
export function requireRolledKind(
  resource: DiscoveredResource,
  { what, thing }: { what: string; thing: string },
): RolledKind {
  const found = rolledKind(resource);
  if (found) return found;
  const name = JSON.stringify(kindName(resource));
  throw new CommandError(
    visited.includes(resource.kind)
      ? `no ${what} has been implemented for ${name}`
      : `error: error retrieving ${thing} for ${name}, no visitor method exists for {${resource.group} ${resource.kind}}`,
  );
}

/** Throws `CommandError` for a kind whose status nobody can tell. */
export function requireStatusKind(resource: DiscoveredResource): RolledKind {
  const found = rolledKind(resource);
  if (found) return found;
  throw new CommandError(`no status viewer has been implemented for ${kindName(resource)}`);
}
