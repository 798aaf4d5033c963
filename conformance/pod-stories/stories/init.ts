import {
  all,
  deleteAndLook,
  isReady,
  isRunning,
  restarted,
  type Story,
  script,
  stay,
  waits,
} from '../story.ts';

const before = (name: string, text: string, more: object = {}) => script(text, { name, ...more });
const sidecar = (name: string, text: string, more: object = {}) =>
  script(text, { name, restartPolicy: 'Always', ...more });

/** Init containers, sidecars and ephemeral containers. */
export const initStories: readonly Story[] = [
  {
    name: 'init-in-order',
    spec: {
      restartPolicy: 'Never',
      initContainers: [before('a', 'echo a'), before('b', 'echo b')],
      containers: [script('echo main')],
    },
  },
  {
    name: 'init-fails-for-good',
    spec: {
      restartPolicy: 'Never',
      initContainers: [before('a', 'exit 3'), before('b', 'true')],
      containers: [script('true')],
    },
  },
  {
    name: 'init-fails-again',
    spec: { initContainers: [before('a', 'exit 3'), before('b', 'true')], containers: [script('true')] },
    until: all(restarted(1), waits('CrashLoopBackOff')),
  },
  {
    name: 'init-runs',
    spec: { initContainers: [before('a', stay)], containers: [script(stay)] },
    until: (seen) => seen.pod.status.initContainerStatuses?.[0]?.state.running,
  },
  {
    name: 'init-image-absent',
    spec: {
      initContainers: [before('a', 'true', { image: 'stories.test/absent:1' })],
      containers: [script('true')],
    },
    until: waits('ImagePullBackOff'),
  },
  {
    name: 'init-image-absent-for-good',
    spec: {
      restartPolicy: 'Never',
      initContainers: [before('a', 'true', { image: 'stories.test/absent:1' })],
      containers: [script('true')],
    },
    until: waits('ImagePullBackOff'),
    next: deleteAndLook,
  },
  {
    name: 'init-program-absent',
    spec: {
      restartPolicy: 'Never',
      initContainers: [before('a', 'true', { command: ['/no/such'] })],
      containers: [script('true')],
    },
  },
  {
    name: 'init-restart-rules',
    spec: {
      restartPolicy: 'Never',
      initContainers: [
        before('a', 'test -e /k/x && exit 0; touch /k/x; exit 42', {
          restartPolicy: 'Never',
          restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
          volumeMounts: [{ name: 'k', mountPath: '/k' }],
        }),
      ],
      containers: [script('true')],
      volumes: [{ name: 'k', emptyDir: {} }],
    },
  },
  {
    name: 'sidecar-beside-a-job',
    spec: {
      restartPolicy: 'Never',
      initContainers: [sidecar('side', stay)],
      containers: [script('sleep 1; exit 3')],
    },
  },
  {
    name: 'sidecar-ignores-term',
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 2,
      initContainers: [sidecar('side', 'trap "" TERM; while :; do sleep 0.2; done')],
      containers: [script('sleep 1')],
    },
  },
  {
    name: 'sidecar-starts-late',
    spec: {
      initContainers: [
        sidecar('side', 'sleep 2; touch /tmp/ok; while :; do sleep 0.2; done', {
          startupProbe: {
            exec: { command: ['test', '-e', '/tmp/ok'] },
            periodSeconds: 1,
            timeoutSeconds: 5,
            failureThreshold: 20,
          },
        }),
        before('after', 'echo after'),
      ],
      containers: [script(stay)],
    },
    until: isReady,
  },
  {
    name: 'sidecar-never-starts',
    spec: {
      initContainers: [
        sidecar('side', stay, {
          startupProbe: {
            exec: { command: ['false'] },
            periodSeconds: 1,
            timeoutSeconds: 5,
            failureThreshold: 60,
          },
        }),
      ],
      containers: [script(stay)],
    },
    until: (seen) => seen.pod.status.initContainerStatuses?.[0]?.state.running,
  },
  {
    name: 'sidecar-crashes',
    spec: { initContainers: [sidecar('side', 'sleep 1; exit 5')], containers: [script(stay)] },
    until: all(restarted(1), waits('CrashLoopBackOff')),
  },
  {
    name: 'sidecar-not-ready',
    spec: {
      initContainers: [
        sidecar('side', stay, {
          readinessProbe: { exec: { command: ['false'] }, periodSeconds: 1, timeoutSeconds: 5 },
        }),
      ],
      containers: [script(stay)],
    },
    until: isRunning,
  },
  {
    name: 'sidecars-deleted',
    spec: {
      terminationGracePeriodSeconds: 5,
      initContainers: [sidecar('one', stay), sidecar('two', stay)],
      containers: [script(stay)],
    },
    until: isReady,
    next: deleteAndLook,
  },
  {
    name: 'ephemeral',
    spec: { containers: [script(stay)] },
    until: isReady,
    async next({ name, change, until, look }) {
      const patch = (each: object[]) => JSON.stringify({ spec: { ephemeralContainers: each } });
      const debug = { ...script('echo looked; exit 4'), name: 'debug' };
      await change('patch', 'pod', name, '--subresource=ephemeralcontainers', '-p', patch([debug]));
      await until(({ pod }) => pod.status.ephemeralContainerStatuses?.[0]?.state.terminated);
      await look('after');
    },
  },
  {
    name: 'ephemeral-image-absent',
    spec: { containers: [script(stay)] },
    until: isReady,
    async next({ name, change, until, look }) {
      const each = [
        { name: 'debug', image: 'stories.test/absent:1' },
        { ...script(stay), name: 'shares', targetContainerName: 'main' },
      ];
      await change(
        'patch',
        'pod',
        name,
        '--subresource=ephemeralcontainers',
        '-p',
        JSON.stringify({ spec: { ephemeralContainers: each } }),
      );
      await until(waits('ImagePullBackOff'));
      await look('after');
    },
  },
];
