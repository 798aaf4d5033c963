/** Pods of which a kubelet has told something: containers that run, wait and have ended, by every policy of restarts. */
import type { JsonObject } from '@wherry/kubeapi';

const running = { running: { startedAt: '2026-01-01T00:00:00Z' } };
const ended = (exitCode: number) => ({
  terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', containerID: 'c://1' },
});

const told = (name: string, state: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ name, state, ready: false, restartCount: 0, image: 'busybox:1.36', imageID: 'sha256:1' },
  ...more,
});

const rule = (action: string, operator: string, values: number[]): JsonObject => ({
  action,
  exitCodes: { operator, values },
});

function pod(restartPolicy: string, more: JsonObject = {}): JsonObject {
  const image = 'busybox:1.36';
  return {
    metadata: { name: 'web', namespace: 'default', labels: { app: 'web' } },
    spec: {
      restartPolicy,
      containers: [
        {
          name: 'main',
          image,
          resources: { requests: { 'example.com/card': '1' }, limits: { 'example.com/card': '1' } },
        },
        { name: 'other', image, ...more },
      ],
      initContainers: [
        { name: 'first', image },
        { name: 'beside', image, restartPolicy: 'Always' },
      ],
    },
    status: {
      ...{ phase: 'Running', hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.1' }] },
      ...{ podIP: '10.88.0.2', podIPs: [{ ip: '10.88.0.2' }], qosClass: 'BestEffort' },
      conditions: [{ type: 'Ready', status: 'False' }],
      containerStatuses: [
        told('main', running, {
          allocatedResourcesStatus: [
            { name: 'example.com/card', resources: [{ resourceID: 'a', health: 'Healthy' }] },
          ],
          user: { linux: { uid: 0, gid: 0, supplementalGroups: [10] } },
        }),
        told('other', ended(1)),
      ],
      initContainerStatuses: [told('first', ended(0)), told('beside', ended(2))],
      ephemeralContainerStatuses: [told('look', ended(0))],
    },
  };
}

/** Sound ones. */
export const podsWithStatus: readonly JsonObject[] = [
  pod('Always'),
  pod('Never'),
  pod('OnFailure'),
  pod('Never', {
    restartPolicy: 'Never',
    restartPolicyRules: [rule('Restart', 'In', [1, 7]), rule('Restart', 'NotIn', [1, 2, 3])],
  }),
  pod('Never', { restartPolicy: 'Never', restartPolicyRules: [rule('RestartAllContainers', 'In', [42])] }),
];
