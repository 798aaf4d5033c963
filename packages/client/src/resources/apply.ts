import { sleep } from '@wherry/clock';
import { ClientError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { KubeObject, ResourceType } from '../objects/objects.ts';
import type { KindNames } from './kind-names.ts';
import { ResourceClient, type ResourceSender } from './resource-client.ts';

/** How to apply. */
export interface ApplyOptions {
  /** For objects that say none. Default: the client's. */
  namespace?: string | undefined;
  /** Who owns the applied fields. Default `wherry-client`. */
  fieldManager?: string | undefined;
  /** Takes fields over from other managers; else those are a 409 `StatusError`, whose causes name them. */
  force?: boolean | undefined;
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
  /** True asks the server to do everything but store. */
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** What applies: any client. */
export interface Applier {
  sender: ResourceSender;
  kinds: KindNames;
}

/**
 * Server-side apply of each object, in order; throws at the first that fails: those before it are applied. Objects of a
 * kind that an earlier one defines wait until the server serves it.
 */
export async function applyAll<T extends KubeObject>(
  { sender, kinds }: Applier,
  objects: readonly T[],
  options: ApplyOptions,
): Promise<T[]> {
  const applied: T[] = [];
  let hasDefinitions = false;
  for (const object of objects) {
    const find = () => kinds.find(object, options.signal);
    const type = hasDefinitions ? await findDefined(sender, find, options.signal) : await find();
    applied.push(await applyOne(sender, type as ResourceType<T>, { object, options }));
    hasDefinitions ||= object.kind === 'CustomResourceDefinition';
  }
  return applied;
}

async function applyOne<T extends KubeObject>(
  sender: ResourceSender,
  type: ResourceType<T>,
  { object, options }: { object: T; options: ApplyOptions },
): Promise<T> {
  const { name, namespace } = object.metadata ?? {};
  if (!name) throw new ClientError('bad-argument', `the ${object.kind} has no metadata.name`);
  const { managedFields: _theirs, ...metadata } = object.metadata ?? {};
  return new ResourceClient(sender, type).patch({
    ...options,
    type: 'apply',
    name,
    namespace: namespace ?? options.namespace,
    fieldManager: options.fieldManager ?? 'wherry-client',
    patch: { ...object, metadata },
  });
}

async function findDefined(
  sender: ResourceSender,
  find: () => Promise<ResourceType>,
  signal: AbortSignal | undefined,
): Promise<ResourceType> {
  const { clock } = sender;
  const { timeoutMs, pauseMs } = limits.definitionWaitMs;
  const startedMs = clock.monotonicMs();
  for (;;) {
    try {
      return await find();
    } catch (error) {
      const isUnknown = error instanceof ClientError && error.code === 'unknown-kind';
      if (!isUnknown || clock.monotonicMs() - startedMs > timeoutMs) throw error;
      await sleep({ clock, delayMs: pauseMs, signal, keepsAlive: true });
    }
  }
}
