import {
  all,
  deleteAndLook,
  hasEvent,
  isOver,
  isReady,
  isRunning,
  once,
  restarted,
  type Seen,
  type Story,
  script,
  stay,
  type Told,
  waits,
} from '../story.ts';

const statusOf = (name: string, { pod }: Seen): Told =>
  [...(pod.status.containerStatuses ?? []), ...(pod.status.ephemeralContainerStatuses ?? [])].find(
    (each: Told) => each.name === name,
  );
const patched = (spec: object) => JSON.stringify({ spec });

/** Pods that change while they are there, or are looked at while they begin or end. */
export const changes: readonly Story[] = [
  {
    name: 'deadline-set-later',
    spec: { containers: [script(stay)] },
    until: isReady,
    async next({ name, change, until, look }) {
      await change('patch', 'pod', name, '-p', patched({ activeDeadlineSeconds: 2 }));
      await until(isOver);
      await look('after');
    },
  },
  {
    name: 'labels-set-later',
    spec: {
      containers: [
        script(stay, {
          env: [{ name: 'L', valueFrom: { fieldRef: { fieldPath: "metadata.labels['l']" } } }],
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
        }),
      ],
      volumes: [
        { name: 'v', downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
      ],
    },
    labels: { l: 'first' },
    until: isReady,
    async next({ name, change, ask, until, look }) {
      await change('label', 'pod', name, 'l=second', '--overwrite');
      const seen = `for i in $(seq 300); do grep -q second /v/l && break; sleep 0.3; done; cat /v/l; echo; echo $L`;
      await until(({ pod }) => pod.metadata.labels.l === 'second');
      await ask('exec', name, '--', 'sh', '-c', seen);
      await look('after');
    },
  },
  {
    name: 'files-of-a-configmap-changed',
    spec: {
      containers: [
        script(stay, {
          volumeMounts: [
            { name: 'v', mountPath: '/v' },
            { name: 'v', mountPath: '/one', subPath: 'a' },
          ],
        }),
      ],
      volumes: [{ name: 'v', configMap: { name: 'changed-later' } }],
    },
    objects: [['configmaps', { metadata: { name: 'changed-later' }, data: { a: 'first', b: 'b' } }]],
    until: isReady,
    async next({ name, change, ask }) {
      const data = { data: { a: 'second', b: null, c: 'c' } };
      await change('patch', 'configmap', 'changed-later', '-p', JSON.stringify(data));
      // Any change of the pod lets the kubelet look at it.
      await change('annotate', 'pod', name, 'looked=at');
      const seen =
        'for i in $(seq 150); do test -e /v/c && break; sleep 0.3; done; ls /v; cat /v/a; echo; cat /one';
      await ask('exec', name, '--', 'sh', '-c', seen);
    },
  },
  {
    name: 'replaced-under-the-same-name',
    spec: { terminationGracePeriodSeconds: 0, containers: [script(stay)] },
    until: isReady,
    async next({ name, change, until, look, ask }) {
      await ask('delete', 'pod', name, '--force', '--grace-period=0', '--wait=false');
      await change('run', name, '--image=stories.test/box:1', '--restart=Never', '--', 'sh', '-c', 'exit 5');
      await until(isOver);
      await look('after');
    },
  },
  {
    name: 'generation-of-a-change',
    spec: { containers: [script(stay)] },
    until: isReady,
    async next({ name, change, until, look }) {
      const more = { tolerations: [{ key: 'stories.test/more', operator: 'Exists' }] };
      await change('patch', 'pod', name, '-p', patched(more));
      await until(({ pod }) => pod.status.observedGeneration === pod.metadata.generation);
      await look('after');
    },
  },
  {
    name: 'hook-after-start-runs',
    spec: {
      containers: [
        script(stay, { lifecycle: { postStart: { exec: { command: ['sleep', '30'] } } } }),
        script(stay, { name: 'other' }),
      ],
    },
    until: hasEvent('Started'),
  },
  {
    name: 'hook-before-stop-runs',
    spec: {
      terminationGracePeriodSeconds: 25,
      containers: [script(stay, { lifecycle: { preStop: { exec: { command: ['sleep', '20'] } } } })],
    },
    until: isReady,
    async next({ name, change, until, look }) {
      await change('delete', 'pod', name, '--wait=false');
      await until(hasEvent('Killing'));
      await look('meanwhile');
    },
  },
  {
    name: 'hook-before-stop-by-http-fails',
    spec: {
      terminationGracePeriodSeconds: 5,
      containers: [script(stay, { lifecycle: { preStop: { httpGet: { path: '/bye', port: 81 } } } })],
    },
    until: isReady,
    next: deleteAndLook,
  },
  {
    name: 'deleted-while-init-runs',
    spec: {
      initContainers: [script(stay, { name: 'before' }), script('true', { name: 'then' })],
      containers: [script(stay)],
    },
    until: ({ pod }) => pod.status.initContainerStatuses?.[0]?.state.running,
    next: deleteAndLook,
  },
  {
    name: 'deleted-while-it-lacks-a-volume',
    spec: {
      containers: [script(stay, { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      volumes: [{ name: 'v', secret: { secretName: 'absent' } }],
    },
    until: hasEvent('FailedMount'),
    next: deleteAndLook,
  },
  {
    name: 'deleted-while-misconfigured',
    spec: { containers: [script(stay, { envFrom: [{ secretRef: { name: 'absent' } }] })] },
    until: waits('CreateContainerConfigError'),
    next: deleteAndLook,
  },
  {
    name: 'deleted-one-over-one-not',
    spec: { restartPolicy: 'Never', containers: [script('exit 0'), script(stay, { name: 'other' })] },
    until: (seen) => statusOf('main', seen)?.state.terminated && statusOf('other', seen)?.state.running,
    next: deleteAndLook,
  },
  {
    name: 'deleted-with-failure-of-one',
    spec: {
      terminationGracePeriodSeconds: 5,
      containers: [
        script('trap "exit 3" TERM; while :; do sleep 0.2; done'),
        script(stay, { name: 'other' }),
      ],
    },
    until: isReady,
    next: deleteAndLook,
  },
  {
    name: 'all-containers-restarted',
    spec: {
      restartPolicy: 'Never',
      initContainers: [script('echo before', { name: 'before' })],
      containers: [
        script('test -e /k/x && sleep 1000; touch /k/x; sleep 1; exit 42', {
          restartPolicy: 'Never',
          restartPolicyRules: [
            { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } },
          ],
          volumeMounts: [{ name: 'k', mountPath: '/k' }],
        }),
        script(stay, { name: 'other' }),
      ],
      volumes: [{ name: 'k', emptyDir: {} }],
    },
    until: all(restarted(1), isRunning),
  },
  {
    name: 'ephemeral-misconfigured',
    spec: { containers: [script(stay)] },
    until: isReady,
    async next({ name, change, until, look }) {
      const ephemeralContainers = [
        { ...script(stay), name: 'no-root', securityContext: { runAsNonRoot: true } },
        { ...script(stay), name: 'no-program', command: ['/no/such'] },
      ];
      const words = ['--subresource=ephemeralcontainers', '-p', patched({ ephemeralContainers })];
      await change('patch', 'pod', name, ...words);
      await until((seen) => statusOf('no-program', seen)?.state.terminated);
      await look('after');
    },
  },
  once('more-disk-than-allowed', 'dd if=/dev/zero of=/x bs=1M count=8 2>/dev/null; sleep 200', {
    resources: { limits: { 'ephemeral-storage': '3Mi' } },
  }),
  {
    name: 'init-out-of-memory',
    spec: {
      restartPolicy: 'Never',
      initContainers: [
        script('tail /dev/zero', { name: 'before', resources: { limits: { memory: '20Mi' } } }),
      ],
      containers: [script('true')],
    },
  },
  {
    name: 'crashing-out-of-memory',
    spec: { containers: [script('tail /dev/zero', { resources: { limits: { memory: '20Mi' } } })] },
    until: all(restarted(1), waits('CrashLoopBackOff')),
  },
];
