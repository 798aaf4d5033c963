import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ContainerState, Pod } from '@wherry/kubeapi/types';
import { containerInstance } from './container-instance.ts';

const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } });
const podOf = (spec: Partial<Pod['spec']>, status: Pod['status']): Pod => ({
  metadata: { name: 'web', uid: 'one' },
  spec: { containers: [{ name: 'main' }], ...spec },
  status,
});
const statuses = (state: ContainerState, name = 'main') => [
  { name, state, restartCount: 2, ready: false, image: '', imageID: '' },
];

it('another instance of a container is awaited by its rule, its pod’s, and whether it can have one', () => {
  const isFinal = (spec: Partial<Pod['spec']>, state: ContainerState) =>
    containerInstance(podOf(spec, { phase: 'Running', containerStatuses: statuses(state) }), 'main')?.isFinal;
  assert.equal(isFinal({}, ended(0)), false);
  assert.equal(isFinal({ restartPolicy: 'OnFailure' }, ended(0)), true);
  assert.equal(isFinal({ restartPolicy: 'OnFailure' }, ended(1)), false);
  assert.equal(isFinal({ restartPolicy: 'Never' }, ended(1)), true);
  assert.equal(isFinal({ restartPolicy: 'Never' }, { running: {} }), false);
  const ownRule: Partial<Pod['spec']> = {
    containers: [{ name: 'main', restartPolicy: 'Always' }],
    restartPolicy: 'Never',
  };
  assert.equal(isFinal(ownRule, ended(1)), false);
  const initial = (restartPolicy?: string) => {
    const spec = { initContainers: [{ name: 'init', ...(restartPolicy && { restartPolicy }) }] };
    const status: Pod['status'] = { phase: 'Running', initContainerStatuses: statuses(ended(0), 'init') };
    return containerInstance(podOf(spec, status), 'init')?.isFinal;
  };
  assert.deepEqual([initial(), initial('Always')], [true, false]);
  const over = podOf({}, { phase: 'Failed', containerStatuses: statuses(ended(1)) });
  assert.equal(containerInstance(over, 'main')?.isFinal, true);
  const debugging = podOf({}, { phase: 'Running', ephemeralContainerStatuses: statuses(ended(1), 'debug') });
  assert.equal(containerInstance(debugging, 'debug')?.isFinal, true);
  assert.equal(containerInstance(over, 'none'), undefined);
});
