import {
  all,
  hasEvent,
  image,
  isRunning,
  once,
  restarted,
  type Story,
  script,
  stay,
  waits,
} from '../story.ts';

const waitsFor = (name: string, container: object, reason: string, spec: object = {}): Story => ({
  name,
  spec: { containers: [{ name: 'main', image, ...container }], ...spec },
  until: waits(reason),
});
const fails = (name: string, container: object, spec: object = {}): Story => ({
  name,
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image, ...container }], ...spec },
});

/** Containers that don't come to start. */
export const starts: readonly Story[] = [
  waitsFor('image-absent', { image: 'stories.test/absent:1' }, 'ImagePullBackOff'),
  waitsFor(
    'image-never-pulled',
    { image: 'stories.test/absent:2', imagePullPolicy: 'Never' },
    'ErrImageNeverPull',
  ),
  waitsFor('image-name-invalid', { image: 'stories.test/UPPER:1' }, 'InvalidImageName'),
  waitsFor(
    'image-by-unknown-digest',
    { image: `stories.test/box@sha256:${'0'.repeat(64)}` },
    'ImagePullBackOff',
  ),
  waitsFor('image-host-absent', { image: 'no-such-host.invalid/box:1' }, 'ImagePullBackOff'),
  {
    name: 'image-always-pulled',
    spec: { restartPolicy: 'Never', containers: [script('true', { imagePullPolicy: 'Always' })] },
  },
  waitsFor(
    'variable-of-absent-configmap',
    { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'absent', key: 'a' } } }] },
    'CreateContainerConfigError',
  ),
  waitsFor(
    'variable-of-absent-secret',
    { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'absent', key: 'a' } } }] },
    'CreateContainerConfigError',
  ),
  {
    ...waitsFor(
      'variable-of-absent-key',
      { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'has-one-key', key: 'b' } } }] },
      'CreateContainerConfigError',
    ),
    objects: [['configmaps', { metadata: { name: 'has-one-key' }, data: { a: '1' } }]],
  },
  {
    ...waitsFor(
      'variable-of-absent-secret-key',
      { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'has-one-key', key: 'b' } } }] },
      'CreateContainerConfigError',
    ),
    objects: [['secrets', { metadata: { name: 'has-one-key' }, stringData: { a: '1' } }]],
  },
  waitsFor(
    'variables-from-absent-configmap',
    { envFrom: [{ configMapRef: { name: 'absent' } }] },
    'CreateContainerConfigError',
  ),
  waitsFor(
    'variables-from-absent-secret',
    { envFrom: [{ secretRef: { name: 'absent' } }] },
    'CreateContainerConfigError',
  ),
  waitsFor(
    'not-root-but-root',
    { command: ['true'], securityContext: { runAsNonRoot: true } },
    'CreateContainerConfigError',
  ),
  waitsFor(
    'not-root-but-user-0',
    { command: ['true'], securityContext: { runAsNonRoot: true, runAsUser: 0 } },
    'CreateContainerConfigError',
  ),
  waitsFor(
    'not-root-but-named',
    { image: 'stories.test/named-user:1', securityContext: { runAsNonRoot: true } },
    'CreateContainerConfigError',
  ),
  fails('program-absent', { command: ['/no/such/program'] }),
  fails('program-not-in-path', { command: ['no-such-program', 'x'] }),
  fails('program-a-folder', { command: ['/etc'] }),
  fails('program-not-executable', { command: ['/plain'] }),
  fails('program-of-absent-shell', { command: ['/broken'] }),
  fails('program-of-no-format', { command: ['/garbage'] }),
  fails('no-command', { image: 'stories.test/wordless:1' }),
  fails('user-unknown', { image: 'stories.test/unknown-user:1' }),
  fails('working-dir-a-file', { command: ['true'], workingDir: '/plain' }),
  {
    name: 'program-absent-again-and-again',
    spec: { containers: [{ name: 'main', image, command: ['/no/such'] }] },
    until: all(restarted(1), waits('CrashLoopBackOff')),
  },
  {
    ...waitsFor(
      'mount-over-a-file',
      { command: ['true'], volumeMounts: [{ name: 'v', mountPath: '/plain' }] },
      'RunContainerError',
      { volumes: [{ name: 'v', emptyDir: {} }], restartPolicy: 'Never' },
    ),
    until: undefined,
  },
  waitsFor(
    'sub-path-absent-of-a-file',
    { command: ['true'], volumeMounts: [{ name: 'v', mountPath: '/v', subPath: '../up' }] },
    'CreateContainerConfigError',
    { volumes: [{ name: 'v', emptyDir: {} }] },
  ),
  waitsFor(
    'sub-path-expression-unknown',
    { command: ['true'], volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: '$(ABSENT)/x' }] },
    'CreateContainerConfigError',
    { volumes: [{ name: 'v', emptyDir: {} }] },
  ),
  waitsFor(
    'sub-path-through-a-link',
    { command: ['true'], volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'mtab/x' }] },
    'CreateContainerConfigError',
    { volumes: [{ name: 'v', hostPath: { path: '/etc' } }] },
  ),
  waitsFor(
    'apparmor-unknown',
    {
      command: ['true'],
      securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'no-such' } },
    },
    'CreateContainerError',
  ),
  waitsFor(
    'seccomp-file-absent',
    {
      command: ['true'],
      securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'no-such.json' } },
    },
    'CreateContainerError',
  ),
  ...['Directory', 'File', 'Socket', 'CharDevice', 'BlockDevice'].map(
    (type): Story => ({
      name: `host-path-no-${type.toLowerCase()}`,
      spec: {
        containers: [script('true', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
        volumes: [{ name: 'v', hostPath: { path: type === 'Directory' ? '/etc/passwd' : '/etc', type } }],
      },
      until: hasEvent('FailedMount'),
    }),
  ),
  {
    name: 'host-path-absent',
    spec: {
      containers: [script('true', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      volumes: [{ name: 'v', hostPath: { path: '/no/such/at/all', type: 'Directory' } }],
    },
    until: hasEvent('FailedMount'),
  },
  {
    name: 'volume-of-absent-configmap',
    spec: {
      containers: [script('true', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      volumes: [{ name: 'v', configMap: { name: 'absent' } }],
    },
    until: hasEvent('FailedMount'),
  },
  {
    name: 'volume-of-absent-secret',
    spec: {
      containers: [script('true', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      volumes: [{ name: 'v', secret: { secretName: 'absent' } }],
    },
    until: hasEvent('FailedMount'),
  },
  {
    name: 'volume-of-absent-key',
    spec: {
      containers: [script('true', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      volumes: [{ name: 'v', configMap: { name: 'has-a-key', items: [{ key: 'b', path: 'b' }] } }],
    },
    objects: [['configmaps', { metadata: { name: 'has-a-key' }, data: { a: '1' } }]],
    until: hasEvent('FailedMount'),
  },
  {
    name: 'volume-projected-of-absent',
    spec: {
      containers: [script('true', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      volumes: [
        {
          name: 'v',
          projected: {
            sources: [{ secret: { name: 'absent' } }, { configMap: { name: 'absent', optional: true } }],
          },
        },
      ],
    },
    until: hasEvent('FailedMount'),
  },
  {
    name: 'volume-of-absent-claim',
    spec: {
      nodeName: 'suite',
      containers: [script('true', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'absent' } }],
    },
    until: hasEvent('FailedMount'),
  },
  {
    name: 'pull-secret-absent',
    spec: { imagePullSecrets: [{ name: 'absent-pull' }], containers: [script(stay)] },
    until: isRunning,
  },
  {
    name: 'runtime-handler-unknown',
    spec: {
      nodeName: 'suite',
      restartPolicy: 'Never',
      containers: [
        script('true', { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
      ],
    },
  },
  once('working-dir-made', 'pwd; stat -c "%n %a %u:%g" /made /made/here; id', {
    workingDir: '/made/here',
    securityContext: { runAsUser: 1000 },
  }),
];
