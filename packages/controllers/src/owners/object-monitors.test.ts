import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type InformerHandlers, type KubeObject, kinds, type ResourceType } from '@wherry/client';
import type { SharedInformers } from '../watching/shared-informers.ts';
import { ObjectMonitors } from './object-monitors.ts';

it('expects no more of a kind whose list fails, until it is complete', () => {
  const listeners: InformerHandlers<KubeObject>[] = [];
  const informer = {
    hasSynced: false,
    on: (listener: InformerHandlers<KubeObject>) => void listeners.push(listener),
  };
  const informers = { acquireMetadata: (_type: ResourceType) => informer };
  let isSynced = false;
  const monitors = new ObjectMonitors(informers as unknown as SharedInformers, {
    seen: () => undefined,
    gone: () => undefined,
    unserved: () => undefined,
    synced: () => {
      isSynced = true;
    },
  });
  monitors.follow([kinds.configMaps]);
  assert.deepEqual(monitors.expected(), ['/configmaps']);
  listeners[0]?.failed?.(new Error('conversion webhook failed'));
  assert.deepEqual([monitors.expected(), monitors.unsynced()], [[], ['/configmaps']]);
  informer.hasSynced = true;
  listeners[0]?.synced?.();
  assert.deepEqual([monitors.unsynced(), isSynced], [[], true]);
});
