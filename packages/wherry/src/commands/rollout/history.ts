import type { DiscoveredResource, KubeClient } from '@wherry/client';
import type { PodTemplateSpec } from '@wherry/kubeapi';
import { templateLines } from '../../describe/pods/template.ts';
import { withoutNulls } from '../../describe/without-nulls.ts';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { typeName } from '../../objects/catalog.ts';
import { changeCauseAnnotation } from '../../objects/change-cause.ts';
import { type FoundObject, findObjects } from '../../objects/find-objects.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import { harmless } from '../../words/harmless.ts';
import type { RolloutFlags } from './flags.ts';
import { requireRolledKind } from './kinds.ts';
import { type Revision, revisionsOf } from './revisions.ts';

/** Prints which revisions there are, or what one of them was. */
export async function rolloutHistory(
  words: readonly string[],
  flags: RolloutFlags & { revision: number },
): Promise<void> {
  const { revision, output } = flags;
  if (revision < 0) throw new CommandError(`revision must be a positive integer: ${revision}`);
  const client = clientFor(flags);
  const failures = new Failures();
  const found = await findObjects(client, { words, flags, failures, isAllByDefault: true });
  const tell = outcomePrinter(flags, { isTyped: true });
  for (const one of found) {
    const revisions = await failures.attempt(chosen(client, one, revision));
    if (!revisions) continue;
    const name = `${typeName(one.resource)}/${one.name}`;
    const resource = one.resource.kind === 'Deployment' ? replicaSets(one.resource) : one.resource;
    if (output !== undefined) for (const { object } of revisions) tell({ resource, object, done: '' });
    else
      console.log(
        `${name} ${revision > 0 ? `with revision #${revision}` : ''}\n${text(revisions, revision)}`,
      );
  }
  failures.report();
}

/** What the revisions of a Deployment are. */
const replicaSets = (resource: DiscoveredResource): DiscoveredResource => ({
  ...resource,
  ...{ plural: 'replicasets', singular: 'replicaset', kind: 'ReplicaSet' },
});

async function chosen(client: KubeClient, one: FoundObject, revision: number): Promise<Revision[]> {
  const kind = requireRolledKind(one.resource, { what: 'history viewer', thing: 'history' });
  const revisions = await revisionsOf(client, kind, one);
  if (revision === 0) return revisions;
  const found = revisions.find(({ number }) => number === revision);
  if (!found) throw new CommandError('unable to find the specified revision');
  return [found];
}

function text(revisions: readonly Revision[], revision: number): string {
  const [only] = revisions;
  if (!only) return 'No rollout history found.';
  if (revision > 0) return templateText(only.template, only.changeCause);
  const width = Math.max('REVISION'.length, ...revisions.map(({ number }) => `${number}`.length)) + 2;
  const rows = revisions.map(({ number, changeCause }) => [`${number}`, changeCause || '<none>']);
  return [['REVISION', 'CHANGE-CAUSE'], ...rows]
    .map(([number = '', cause]) => `${number.padEnd(width)}${cause}\n`)
    .join('');
}

/** A pod template as kubectl tells it, which leaves its tabs as they are. */
export function templateText(template: PodTemplateSpec, changeCause?: string): string {
  const { metadata, spec } = withoutNulls(template);
  const annotations = { ...metadata?.annotations };
  if (changeCause !== undefined) annotations[changeCauseAnnotation] = changeCause;
  return templateLines({ spec, metadata: { ...metadata, annotations } })
    .map((line) => `${harmless(line)}\n`)
    .join('');
}
