import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerStatus, Pod } from '@wherry/kubeapi';
import { loggedContainer } from './log-path.ts';

const podWith = (status: Partial<ContainerStatus>) =>
  ({ metadata: { name: 'p' }, status: { containerStatuses: [{ name: 'c', ...status }] } }) as Pod;

const ended = (containerID: string) => ({ terminated: { containerID, exitCode: 0 } });

const refusals: [what: string, status: Partial<ContainerStatus>, previous: boolean, text: string][] = [
  [
    'no earlier instance',
    { state: { running: {} } },
    true,
    'previous terminated container "c" in pod "p" not found',
  ],
  [
    'terminated without a trace',
    { state: { terminated: { exitCode: 1 } } },
    false,
    'container "c" in pod "p" is terminated',
  ],
  ['nothing known yet', {}, false, 'container "c" in pod "p" is waiting to start - no logs yet'],
  [
    'an image that could not be pulled',
    { state: { waiting: { reason: 'ErrImagePull' } } },
    false,
    'container "c" in pod "p" is waiting to start: image can\'t be pulled',
  ],
  [
    'an image that is tried again',
    { state: { waiting: { reason: 'ImagePullBackOff' } } },
    false,
    'container "c" in pod "p" is waiting to start: trying and failing to pull image',
  ],
  [
    'another reason',
    { state: { waiting: { reason: 'CreateContainerConfigError' } } },
    false,
    'container "c" in pod "p" is waiting to start: CreateContainerConfigError',
  ],
];

for (const [what, status, previous, text] of refusals) {
  test(`91: ${what} is told in upstream's words`, () => {
    assert.throws(() => loggedContainer(podWith(status), 'c', previous), {
      code: 'log-not-available',
      message: text,
    });
  });
}

test('91: a container that is not in the status is not available', () => {
  const message = 'container "other" in pod "p" is not available';
  assert.throws(() => loggedContainer(podWith({}), 'other', false), { message });
});

test('the log is that of the running instance, else of the one that ended, else of the one before', () => {
  const running = {
    state: { running: {} },
    containerID: 'wherry://now',
    lastState: ended('wherry://before'),
  };
  assert.equal(loggedContainer(podWith(running), 'c', false), 'wherry://now');
  assert.equal(loggedContainer(podWith(running), 'c', true), 'wherry://before');
  assert.equal(loggedContainer(podWith({ state: ended('wherry://over') }), 'c', false), 'wherry://over');
  const waiting = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended('wherry://before') };
  assert.equal(loggedContainer(podWith(waiting), 'c', false), 'wherry://before');
});
