import { isDeepStrictEqual } from 'node:util';
import type { KubeClient, KubeObject } from '@wherry/client';
import { type Deployment, type PodTemplateSpec, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { type FoundObject, findObjects } from '../../objects/find-objects.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import type { RolloutFlags } from './flags.ts';
import { templateText } from './history.ts';
import { type RolledKind, requireRolledKind } from './kinds.ts';
import { type Revision, revisionsOf } from './revisions.ts';

/** Flags of `wherry rollout undo`. */
export interface RolloutUndoFlags extends RolloutFlags {
  /** 0 for the one before the last. */
  toRevision: number;
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const hashLabel = 'pod-template-hash';
/** Annotations of a Deployment that a revision does not bring back. */
const keptAnnotations = new Set([
  lastApplied,
  'deployment.kubernetes.io/revision',
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
]);

/** Gives objects back the pod template of an earlier revision. */
export async function rolloutUndo(words: readonly string[], flags: RolloutUndoFlags): Promise<void> {
  const client = clientFor(flags);
  const failures = new Failures();
  const found = await findObjects(client, { words, flags, failures, isAllByDefault: true });
  const tell = outcomePrinter(flags, { isTyped: true });
  for (const one of found) {
    warnOfApplied(one);
    const done = await failures.attempt(undo(client, one, flags));
    if (done !== undefined) tell({ resource: one.resource, object: one.object, done });
  }
  failures.report();
}

function warnOfApplied({ resource, name, object }: FoundObject): void {
  if (object.metadata?.annotations?.[lastApplied] === undefined) return;
  console.error(
    `Warning: resource ${resource.plural}/${name} was previously managed with 'kubectl apply'. Rolling back will not update the ${lastApplied} annotation, which may cause unexpected behavior on future 'kubectl apply' operations. Consider using 'kubectl apply' with your previous configuration file instead.`,
  );
}

/** What was done. */
async function undo(client: KubeClient, one: FoundObject, flags: RolloutUndoFlags): Promise<string> {
  const { toRevision, dryRun } = flags;
  const kind = requireRolledKind(one.resource, { what: 'rollbacker', thing: 'rollbacker' });
  const revision = chooseRevision(await revisionsOf(client, kind, one), { kind, name: one.name, toRevision });
  if (dryRun === 'client') return templateText(revision.template);
  const { spec } = one.object as Deployment;
  if (kind === 'Deployment' && spec?.paused) {
    throw new CommandError(
      "you cannot rollback a paused deployment; resume it first with 'wherry rollout resume' and try again",
    );
  }
  if (isDeepStrictEqual(withoutHash(revision.template), withoutHash(spec?.template)))
    return `skipped rollback (current template already matches revision ${toRevision})`;
  const { resource, name, namespace } = one;
  const change = kind === 'Deployment' ? deploymentPatch(one.object, revision) : setPatch(revision);
  try {
    await client
      .resource<KubeObject>(resource)
      .patch({ ...change, name, namespace, dryRun: dryRun === 'server' });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new CommandError(`failed restoring revision ${toRevision}: ${error.message}`, { cause: error });
  }
  return 'rolled back';
}

function chooseRevision(
  revisions: readonly Revision[],
  { kind, name, toRevision }: { kind: RolledKind; name: string; toRevision: number },
): Revision {
  const found = toRevision === 0 ? revisions.at(-2) : revisions.find(({ number }) => number === toRevision);
  if (found) return found;
  if (toRevision !== 0) throw new CommandError(`unable to find specified revision ${toRevision} in history`);
  throw new CommandError(
    kind === 'Deployment'
      ? `no rollout history found for deployment "${name}"`
      : 'no last revision to roll back to',
  );
}

function withoutHash(template: PodTemplateSpec | undefined): unknown {
  const { [hashLabel]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

function deploymentPatch(object: KubeObject, { template, annotations }: Revision) {
  const own = Object.entries(object.metadata?.annotations ?? {}).filter(([key]) => keptAnnotations.has(key));
  const restored = Object.entries(annotations).filter(([key]) => !keptAnnotations.has(key));
  const patch = [
    { op: 'replace', path: '/spec/template', value: withoutHash(template) },
    { op: 'replace', path: '/metadata/annotations', value: Object.fromEntries([...own, ...restored]) },
  ];
  return { type: 'json', patch } as const;
}

const setPatch = ({ template }: Revision) =>
  ({ type: 'strategic', patch: { spec: { template: { ...template, $patch: 'replace' } } } }) as const;
