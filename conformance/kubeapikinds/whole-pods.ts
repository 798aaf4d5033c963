/** Pods that declare resources as a whole, sound ones and others. */
import type { JsonObject } from '@wherry/kubeapi';

const container = (name: string, resources: JsonObject = {}): JsonObject => ({
  name,
  image: 'busybox:1.36',
  resources,
});

const wholePod = (resources: JsonObject, ...containers: JsonObject[]): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: { resources, containers: containers.length > 0 ? containers : [container('main')] },
  status: {},
});

const asking = (cpu: string, memory: string): JsonObject => ({ requests: { cpu, memory } });

const withSidecar: JsonObject = {
  ...wholePod({ limits: { cpu: '2', memory: '1Gi' } }, container('main', asking('300m', '64Mi'))),
};
(withSidecar['spec'] as JsonObject)['initContainers'] = [
  { ...container('beside', asking('200m', '1Mi')), restartPolicy: 'Always' },
  container('first', asking('1', '1Mi')),
];

export const wholePods: readonly JsonObject[] = [
  wholePod({}),
  wholePod({ limits: { cpu: '1', memory: '1Gi' } }),
  wholePod({ requests: { cpu: '100m' } }, container('main', { limits: { cpu: '50m', memory: '1Mi' } })),
  wholePod(
    { limits: { cpu: '1' } },
    container('one', asking('100m', '5Mi')),
    container('two', asking('200m', '5M')),
  ),
  withSidecar,
  wholePod(
    { limits: { cpu: '1' } },
    container('main', { limits: { cpu: '1', 'hugepages-2Mi': '4Mi' }, requests: { 'hugepages-2Mi': '4Mi' } }),
  ),
  wholePod(
    { requests: { cpu: '100m', memory: '1Gi' } },
    container('one', asking('60m', '1Gi')),
    container('two', asking('60m', '1')),
  ),
  wholePod({ limits: { memory: '64Mi' } }, container('main', { limits: { memory: '65Mi' } })),
  wholePod({ limits: { cpu: '1' }, requests: { cpu: '2' } }),
  wholePod({ limits: { 'ephemeral-storage': '1Gi' } }),
  wholePod({ limits: { 'example.com/gpu': '1' }, requests: { 'example.com/gpu': '1' } }),
  wholePod({ limits: { storage: '1Gi', bogus: '1' } }),
  wholePod({ limits: { 'hugepages-2Mi': '2Mi' } }),
  wholePod({ limits: { cpu: '-1' } }),
  wholePod({ limits: { cpu: '1' }, claims: [{ name: 'gpu' }] }),
];
