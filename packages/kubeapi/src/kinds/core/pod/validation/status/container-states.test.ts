import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Container, Pod } from '../../../../../generated/types.ts';
import { validateContainerStates } from './container-states.ts';
import { validateContainerStatuses } from './container-statuses.ts';

type RestartPolicy = 'Always' | 'OnFailure' | 'Never';
type Lists = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

const status = (name: string, state: object) => ({
  ...{ name, state, image: 'busybox', imageID: '', ready: false, restartCount: 0 },
});
const pod = (
  restartPolicy: RestartPolicy,
  list: Lists,
  state: object,
  more: Partial<Container> = {},
): Pod => ({
  metadata: { name: 'web' },
  spec: {
    restartPolicy,
    containers: [{ name: 'main', image: 'busybox', ...more }],
    initContainers: [{ name: 'first', image: 'busybox', ...more }],
  },
  status: { [list]: [status(list === 'initContainerStatuses' ? 'first' : 'main', state)] },
});

/** Fields of what is said of a container that had ended with a code, and is told to run. */
function revived(restartPolicy: RestartPolicy, exitCode: number, list: Lists, more: Partial<Container> = {}) {
  const before = pod(restartPolicy, list, { terminated: { exitCode } }, more);
  const after = pod(restartPolicy, list, { running: {} }, more);
  return validateContainerStates(after, before).map(({ type, field }) => `${type} ${field}`);
}

it('a container that has ended and is not to run again can not be told to run', () => {
  const refused = ['FieldValueForbidden status.containerStatuses[0].state'];
  assert.deepEqual(revived('Never', 0, 'containerStatuses'), refused);
  assert.deepEqual(revived('Never', 1, 'containerStatuses'), refused);
  assert.deepEqual(revived('OnFailure', 0, 'containerStatuses'), refused);
  assert.deepEqual(revived('OnFailure', 1, 'containerStatuses'), []);
  assert.deepEqual(revived('Always', 0, 'containerStatuses'), []);
  assert.deepEqual(revived('Always', 0, 'ephemeralContainerStatuses'), [
    'FieldValueForbidden status.ephemeralContainerStatuses[0].state',
  ]);
});

it('a container’s own policy and rules go before its pod’s', () => {
  const own = { restartPolicy: 'Always' };
  assert.deepEqual(revived('Never', 0, 'initContainerStatuses', own), []);
  const rule = (action: string, operator: string) => ({
    ...{ restartPolicy: 'Never', restartPolicyRules: [{ action, exitCodes: { operator, values: [7] } }] },
  });
  assert.deepEqual(revived('Never', 7, 'containerStatuses', rule('Restart', 'In')), []);
  assert.equal(revived('Never', 8, 'containerStatuses', rule('Restart', 'In')).length, 1);
  assert.deepEqual(revived('Never', 8, 'containerStatuses', rule('Restart', 'NotIn')), []);
  assert.deepEqual(revived('Never', 8, 'containerStatuses', rule('RestartAllContainers', 'In')), []);
});

it('users are numbers that there are, and devices those that a container asked for', () => {
  const told = pod(
    'Always',
    'containerStatuses',
    {},
    { resources: { requests: { 'example.com/card': '1' } } },
  );
  const [first] = told.status?.containerStatuses ?? [];
  Object.assign(first!, {
    user: { linux: { uid: -1, gid: 0, supplementalGroups: [2 ** 31] } },
    allocatedResourcesStatus: [
      { name: 'example.com/card', resources: [{ resourceID: 'a', health: 'Healthy', message: '' }] },
      { name: 'example.com/other', resources: [] },
      { name: 'claim:none', resources: [] },
    ],
  });
  const place = 'status.containerStatuses[0]';
  assert.deepEqual(
    validateContainerStatuses(told).map(({ field }) => field),
    [
      ...[`${place}.user.linux.uid`, `${place}.user.linux.supplementalGroups[0]`],
      `${place}.allocatedResourcesStatus[0].resources[0].message`,
      ...[`${place}.allocatedResourcesStatus[1].name`, `${place}.allocatedResourcesStatus[2].name`],
    ],
  );
});
