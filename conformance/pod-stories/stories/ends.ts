import {
  all,
  deleteAndLook,
  hasEvent,
  image,
  isOver,
  isRunning,
  once,
  restarted,
  type Story,
  script,
  stay,
  waits,
} from '../story.ts';

/** How containers end, and what the pod comes to. */
export const ends: readonly Story[] = [
  once('end-0', 'exit 0'),
  once('end-3', 'exit 3'),
  once('end-term', 'kill -TERM $$; sleep 9'),
  once('end-kill', 'sh -c "kill -KILL \\$\\$"; exit $?'),
  once('end-255', 'exit 255'),
  {
    name: 'restart-always-0',
    spec: { containers: [script('exit 0')] },
    until: all(restarted(1), waits('CrashLoopBackOff')),
  },
  {
    name: 'restart-always-7',
    spec: { containers: [script('echo life; exit 7')] },
    until: all(restarted(1), waits('CrashLoopBackOff')),
    async next({ get }) {
      await get('log?previous=true');
      await get('log?previous=true&timestamps=true');
    },
  },
  {
    name: 'restart-on-failure-0',
    spec: { restartPolicy: 'OnFailure', containers: [script('exit 0'), script('exit 0', { name: 'other' })] },
  },
  {
    name: 'restart-on-failure-1',
    spec: { restartPolicy: 'OnFailure', containers: [script('exit 1'), script('exit 0', { name: 'other' })] },
    until: all(restarted(1), waits('CrashLoopBackOff')),
  },
  {
    name: 'one-of-two-fails',
    spec: { restartPolicy: 'Never', containers: [script('exit 0'), script('exit 9', { name: 'other' })] },
  },
  {
    name: 'one-of-two-stays',
    spec: { restartPolicy: 'Never', containers: [script('exit 5'), script(stay, { name: 'other' })] },
    until: (seen) =>
      isRunning(seen) &&
      seen.pod.status.containerStatuses.some(
        (each: { state: { terminated?: object } }) => each.state.terminated,
      ),
  },
  once('out-of-memory', 'tail /dev/zero', { resources: { limits: { memory: '20Mi' } } }),
  once('out-of-memory-of-a-child', 'sh -c "tail /dev/zero"; echo child $?; exit 4', {
    resources: { limits: { memory: '20Mi' } },
  }),
  once('out-of-memory-told', 'echo about to die; tail /dev/zero', {
    resources: { limits: { memory: '20Mi' } },
    terminationMessagePolicy: 'FallbackToLogsOnError',
  }),
  once('deadline', 'sleep 100', {}, { activeDeadlineSeconds: 3 }),
  {
    name: 'deadline-while-crashing',
    spec: { activeDeadlineSeconds: 8, containers: [script('exit 3'), script(stay, { name: 'other' })] },
  },
  {
    name: 'deadline-before-init-is-over',
    spec: {
      activeDeadlineSeconds: 3,
      initContainers: [script('sleep 100', { name: 'before' })],
      containers: [script(stay)],
    },
  },
  {
    name: 'deadline-before-start',
    spec: { activeDeadlineSeconds: 4, containers: [{ name: 'main', image: 'stories.test/absent:1' }] },
  },
  {
    name: 'message-in-file',
    spec: {
      restartPolicy: 'Never',
      containers: [script('printf "last words\\n" > /dev/termination-log; exit 1')],
    },
  },
  once('message-of-success', 'printf fine > /dev/termination-log'),
  once('message-elsewhere', 'printf "there\\n\\n" > /tmp/said; exit 2', {
    terminationMessagePath: '/tmp/said',
  }),
  once('message-in-a-folder', 'printf deep > /not/yet/there; exit 2', {
    terminationMessagePath: '/not/yet/there',
  }),
  once('message-long', 'yes 0123456789abcde | head -c 9000 > /dev/termination-log; exit 1'),
  once('message-not-utf8', 'printf "a\\377b\\000c" > /dev/termination-log; exit 1'),
  once('message-from-logs', 'seq 1 100; exit 1', { terminationMessagePolicy: 'FallbackToLogsOnError' }),
  once(
    'message-from-logs-bytes',
    'yes 0123456789abcdef0123456789abcdef0123456789abcdef0123456789 | head -200; exit 1',
    {
      terminationMessagePolicy: 'FallbackToLogsOnError',
    },
  ),
  once('message-from-logs-not-of-success', 'seq 1 5', { terminationMessagePolicy: 'FallbackToLogsOnError' }),
  once('message-from-logs-and-file', 'seq 1 5; echo file > /dev/termination-log; exit 1', {
    terminationMessagePolicy: 'FallbackToLogsOnError',
  }),
  once(
    'messages-of-many',
    'yes x | head -c 4096 > /dev/termination-log; exit 1',
    {},
    {
      containers: ['a', 'b', 'c', 'd'].map((name) =>
        script(`yes ${name} | head -c 4096 > /dev/termination-log; exit 1`, { name }),
      ),
    },
  ),
  {
    name: 'restart-rules',
    spec: {
      restartPolicy: 'Never',
      containers: [
        script('test -e /kept/ran && exit 3; touch /kept/ran; exit 42', {
          restartPolicy: 'Never',
          restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
          volumeMounts: [{ name: 'kept', mountPath: '/kept' }],
        }),
      ],
      volumes: [{ name: 'kept', emptyDir: {} }],
    },
  },
  {
    name: 'restart-policy-of-a-container',
    spec: {
      restartPolicy: 'Always',
      containers: [script('exit 3', { restartPolicy: 'Never' }), script(stay, { name: 'stays' })],
    },
    until: (seen) => isRunning(seen) && JSON.stringify(seen.pod.status).includes('"exitCode":3'),
  },
  {
    name: 'deleted-while-it-ignores-term',
    spec: {
      terminationGracePeriodSeconds: 2,
      containers: [script('trap "" TERM; echo up; while :; do sleep 0.2; done')],
    },
    until: isRunning,
    next: deleteAndLook,
  },
  {
    name: 'deleted-in-order',
    spec: { terminationGracePeriodSeconds: 5, containers: [script(stay)] },
    until: isRunning,
    next: deleteAndLook,
  },
  {
    name: 'deleted-while-crashing',
    spec: { containers: [script('exit 6')] },
    until: waits('CrashLoopBackOff'),
    next: deleteAndLook,
  },
  {
    name: 'deleted-before-its-image-came',
    spec: { containers: [{ name: 'main', image: 'stories.test/absent:1' }] },
    until: waits('ImagePullBackOff'),
    next: deleteAndLook,
  },
  {
    name: 'stop-signal',
    spec: {
      os: { name: 'linux' },
      terminationGracePeriodSeconds: 5,
      containers: [
        script('trap "echo got usr2; exit 12" USR2; while :; do sleep 0.2; done', {
          lifecycle: { stopSignal: 'SIGUSR2' },
        }),
      ],
    },
    until: isRunning,
    next: deleteAndLook,
  },
  {
    name: 'image-changed-while-it-runs',
    spec: { containers: [script(stay)] },
    until: isRunning,
    async next({ change, name, until, look }) {
      await change('set', 'image', `pod/${name}`, 'main=stories.test/worded:1');
      await until(restarted(1));
      await look('after');
    },
  },
  {
    name: 'image-changed-to-one-that-is-absent',
    spec: { containers: [script(stay)] },
    until: isRunning,
    async next({ change, name, until, look }) {
      await change('set', 'image', `pod/${name}`, 'main=stories.test/absent:1');
      await until(waits('ImagePullBackOff'));
      await look('after');
    },
  },
  {
    name: 'hook-after-start-fails',
    spec: {
      restartPolicy: 'Never',
      containers: [
        script(stay, { lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo said; exit 8'] } } } }),
      ],
    },
    until: all(isOver, hasEvent('FailedPostStartHook')),
  },
  {
    name: 'hook-after-start-absent',
    spec: { containers: [script(stay, { lifecycle: { postStart: { exec: { command: ['/no/such'] } } } })] },
    until: all(restarted(1), waits('CrashLoopBackOff')),
  },
  {
    name: 'hook-after-start-http',
    spec: {
      restartPolicy: 'Never',
      containers: [script(stay, { lifecycle: { postStart: { httpGet: { path: '/x', port: 81 } } } })],
    },
    until: all(isOver, hasEvent('FailedPostStartHook')),
  },
  {
    name: 'hook-before-stop-fails',
    spec: {
      terminationGracePeriodSeconds: 4,
      containers: [
        script(stay, { lifecycle: { preStop: { exec: { command: ['sh', '-c', 'echo words; exit 9'] } } } }),
      ],
    },
    until: isRunning,
    next: deleteAndLook,
  },
  {
    name: 'hook-before-stop-too-long',
    spec: {
      terminationGracePeriodSeconds: 3,
      containers: [
        script(stay, { lifecycle: { preStop: { sleep: { seconds: 2 } } } }),
        {
          name: 'other',
          image,
          command: ['sh', '-c', stay],
          lifecycle: { preStop: { exec: { command: ['sleep', '60'] } } },
        },
      ],
    },
    until: isRunning,
    next: deleteAndLook,
  },
];
