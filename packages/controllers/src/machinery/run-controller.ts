import { orAborted } from '@wherry/bytes';
import { type KubeObject, WorkQueue } from '@wherry/client';
import { ownValue } from '@wherry/kubeapi/objects';
import type { InformerHandle } from '../watching/shared-informers.ts';
import type { ClusterView } from './cluster-view.ts';
import type { Change, Controller, ControllerPlan, Informers, Watches } from './controller-definition.ts';

/** A controller of whatever watches. */
export interface ControllerDefinition extends Omit<ControllerPlan<Watches>, 'build'> {
  /** Starts its informers and its loop. */
  start(cluster: ClusterView): Controller;
}

/** Makes a definition of a plan, so that controllers of different watches stand in one list. */
export function defineController<W extends Watches>(plan: ControllerPlan<W>): ControllerDefinition {
  return { ...plan, start: (cluster) => runController(plan, cluster) };
}

type Keys = (object: KubeObject, change: Change, previous?: KubeObject) => Iterable<string>;

function runController<W extends Watches>(plan: ControllerPlan<W>, cluster: ClusterView): Controller {
  const { name } = plan;
  const concurrency = cluster.concurrency.get(name) ?? plan.concurrency;
  const periodMs = typeof plan.periodMs === 'function' ? plan.periodMs(cluster) : plan.periodMs;
  const { clock, logger } = cluster;
  const handles = Object.entries(plan.watches).map(
    ([key, watch]) => [key, cluster.informers.acquire(watch)] as [string, InformerHandle<KubeObject>],
  );
  const informers = Object.fromEntries(handles) as Informers<W>;
  const lists = firstLists(handles.map(([, handle]) => handle));
  const queue = new WorkQueue({
    ...{ name, clock, logger, concurrency, observer: cluster.figures?.queues.of(name) },
    work: async (key, signal) => {
      try {
        await lists(signal);
        await reconciler.reconcile(key, signal);
      } finally {
        // Only after a turn of its own: other keys would put it off for as long as they come.
        if (key === '') addPeriod();
      }
    },
    refill: () => {
      addPeriod();
      if (reconciler.refill) reconciler.refill();
      else readd();
    },
  });
  const reconciler = plan.build({ cluster, informers, queue });
  const keysOf = (reconciler.keysOf ?? {}) as Readonly<Record<string, Keys>>;
  const followed = handles.map(([key, handle]) => ({ handle, keys: ownValue(keysOf, key) }));
  const addAll = (keys: Iterable<string> = []) => {
    for (const key of keys) queue.add(key);
  };
  const addPeriod = () => {
    if (periodMs !== undefined) queue.addAfter('', periodMs);
  };
  const readd = () => {
    for (const { handle, keys } of followed)
      for (const object of handle.objects.values()) addAll(keys?.(object, 'added'));
  };
  for (const { handle, keys } of followed) {
    if (!keys) continue;
    const told = (change: Change) => (object: KubeObject, previous?: KubeObject) =>
      addAll(keys(object, change, previous));
    handle.on({ added: told('added'), updated: told('updated'), deleted: told('deleted') });
  }
  addPeriod();
  return {
    async close() {
      const given = reconciler.close?.();
      await Promise.all([given, queue.close(), ...handles.map(([, handle]) => handle.close())]);
    },
  };
}

/** What waits for the first lists of all these to be complete; each wait ends with its signal. */
function firstLists(
  handles: readonly InformerHandle<KubeObject>[],
): (signal: AbortSignal) => Promise<unknown> {
  const isComplete = () => handles.every(({ hasSynced }) => hasSynced);
  const complete = Promise.withResolvers<void>();
  for (const handle of handles) {
    handle.on({
      synced: () => {
        if (isComplete()) complete.resolve();
      },
    });
  }
  return (signal) => {
    if (isComplete()) return Promise.resolve();
    return orAborted(complete.promise, signal);
  };
}
