import type { KubeClient, KubeObject } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { type Deployment, qualifiedResource, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { nothingFound } from '../../kube/scope.ts';
import { type FoundObject, findObjects } from '../../objects/find-objects.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import type { RolloutFlags } from './flags.ts';
import { rolledKind } from './kinds.ts';

const restartedAt = 'kubectl.kubernetes.io/restartedAt';

/** What one of these verbs does to an object: the strategic patch, or why it can't be. */
type Change = (one: FoundObject) => { patch: object } | { problem: string };

/** Has pods made anew, by an annotation of their template. */
export function rolloutRestart(words: readonly string[], flags: RolloutFlags): Promise<void> {
  const now = `${new Date(systemClock.nowMs()).toISOString().slice(0, -'.000Z'.length)}Z`;
  return changeEach(words, flags, { done: 'restarted', change: (one) => restart(one, now) });
}

function restart({ resource, object, name }: FoundObject, now: string): ReturnType<Change> {
  if (!rolledKind(resource)) return { problem: 'restarting is not supported' };
  const { spec } = object as Deployment;
  if (spec?.paused) return { problem: "can't restart paused deployment (run rollout resume first)" };
  if (spec?.template.metadata?.annotations?.[restartedAt] === now) {
    throw new CommandError(
      `failed to create patch for ${name}: if restart has already been triggered within the past second, please wait before attempting to trigger another`,
    );
  }
  return { patch: { spec: { template: { metadata: { annotations: { [restartedAt]: now } } } } } };
}

/** Lets changes of Deployments wait. */
export function rolloutPause(words: readonly string[], flags: RolloutFlags): Promise<void> {
  const change: Change = ({ resource, object }) => {
    if (rolledKind(resource) !== 'Deployment') return { problem: 'pausing is not supported' };
    return isPaused(object) ? { problem: 'is already paused' } : { patch: { spec: { paused: true } } };
  };
  return changeEach(words, flags, { done: 'paused', change });
}

/** Lets Deployments that were paused go on. */
export function rolloutResume(words: readonly string[], flags: RolloutFlags): Promise<void> {
  const change: Change = ({ resource, object }) => {
    if (rolledKind(resource) !== 'Deployment') return { problem: 'resuming is not supported' };
    return isPaused(object) ? { patch: { spec: { paused: null } } } : { problem: 'is not paused' };
  };
  return changeEach(words, flags, { done: 'resumed', change });
}

const isPaused = (object: KubeObject): boolean => (object as Deployment).spec?.paused === true;

async function changeEach(
  words: readonly string[],
  flags: RolloutFlags,
  { change, done }: { change: Change; done: string },
): Promise<void> {
  const client = clientFor(flags);
  const failures = new Failures();
  const found = await findObjects(client, { words, flags, failures, isAllByDefault: true });
  if (found.length === 0 && failures.isEmpty)
    return console.error(nothingFound(flags.namespace ?? client.access.namespace));
  const tell = outcomePrinter(flags, { isTyped: true });
  for (const one of found) {
    const object = await failures.attempt(changeOne(client, one, { change, flags }));
    if (object) tell({ resource: one.resource, object, done });
  }
  failures.report();
}

async function changeOne(
  client: KubeClient,
  one: FoundObject,
  { change, flags }: { change: Change; flags: RolloutFlags },
): Promise<KubeObject> {
  const { resource, name, namespace } = one;
  const wanted = change(one);
  if ('problem' in wanted) {
    const type = qualifiedResource(resource.group, resource.plural);
    throw new CommandError(`error: ${type} "${name}" ${wanted.problem}`);
  }
  const { fieldManager } = flags;
  const patch = { type: 'strategic', name, namespace, patch: wanted.patch, fieldManager } as const;
  try {
    return await client.resource<KubeObject>(resource).patch(patch);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new CommandError(`failed to patch: ${error.message}`, { cause: error });
  }
}
