import { isReady, once, type Story, script } from '../story.ts';

/** How paths of the machine begin that pods make. */
export const hostPaths = '/tmp/pod-stories-';

const look = (at: string) =>
  `cd ${at}; for each in $(find . | sort); do stat -c "%n %F %a %u:%g" $each; done; find . -type l | sort | while read l; do echo "$l -> $(readlink $l | sed 's/[.][.]2.*/..TIME/')"; done`;
const looked = `${look('/v')} | grep -v "\\.\\./*20\\|/\\.\\.20"`;
const mounted = (name: string, volume: object, mount: object = {}, spec: object = {}, text = looked): Story =>
  once(
    name,
    text,
    { volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] },
    { volumes: [{ name: 'v', ...volume }], ...spec },
  );

const map: Story['objects'] = [
  [
    'configmaps',
    { metadata: { name: 'files' }, data: { a: 'A', 'b.txt': 'B\n' }, binaryData: { bin: 'AAH/' } },
  ],
  ['secrets', { metadata: { name: 'hidden' }, stringData: { key: 'K', 'other.key': 'O' } }],
];
const named = (story: Story, suffix: string): Story => ({
  ...story,
  spec: JSON.parse(
    JSON.stringify(story.spec)
      .replaceAll('"files"', `"files-${suffix}"`)
      .replaceAll('"hidden"', `"hidden-${suffix}"`),
  ),
  objects: JSON.parse(
    JSON.stringify(map)
      .replaceAll('"files"', `"files-${suffix}"`)
      .replaceAll('"hidden"', `"hidden-${suffix}"`),
  ),
});
const withFiles = (story: Story) => named(story, story.name);

/** Volumes as containers find them. */
export const volumes: readonly Story[] = [
  withFiles(mounted('volume-configmap', { configMap: { name: 'files' } })),
  withFiles(mounted('volume-configmap-mode', { configMap: { name: 'files', defaultMode: 0o400 } })),
  withFiles(
    mounted('volume-configmap-items', {
      configMap: {
        name: 'files',
        items: [
          { key: 'a', path: 'deep/er/a', mode: 0o777 },
          { key: 'bin', path: 'bin' },
        ],
      },
    }),
  ),
  withFiles(
    mounted(
      'volume-configmap-group',
      { configMap: { name: 'files', defaultMode: 0o440 } },
      {},
      { securityContext: { fsGroup: 2000, runAsUser: 1000 } },
    ),
  ),
  withFiles(mounted('volume-secret', { secret: { secretName: 'hidden' } })),
  withFiles(
    mounted(
      'volume-secret-group',
      { secret: { secretName: 'hidden', defaultMode: 0o400 } },
      {},
      { securityContext: { fsGroup: 2000 } },
    ),
  ),
  mounted('volume-secret-optional', { secret: { secretName: 'absent', optional: true } }),
  withFiles(
    mounted(
      'volume-sub-path-of-configmap',
      { configMap: { name: 'files' } },
      { mountPath: '/v/one', subPath: 'a' },
      {},
      'ls -l /v | sed "s/  */ /g" | cut -d" " -f1-5; cat /v/one',
    ),
  ),
  withFiles(
    mounted('volume-projected', {
      projected: {
        defaultMode: 0o640,
        sources: [
          { configMap: { name: 'files', items: [{ key: 'a', path: 'm/a' }] } },
          { secret: { name: 'hidden' } },
          { serviceAccountToken: { path: 'token', audience: 'x', expirationSeconds: 700 } },
          { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
    }),
  ),
  withFiles(
    mounted(
      'volume-projected-of-a-user',
      {
        projected: { sources: [{ serviceAccountToken: { path: 'token' } }, { secret: { name: 'hidden' } }] },
      },
      {},
      { securityContext: { runAsUser: 1000 } },
    ),
  ),
  once(
    'volume-of-the-account',
    `${look('/var/run/secrets/kubernetes.io/serviceaccount')} | grep -v "\\.\\./*20\\|/\\.\\.20"`,
  ),
  once(
    'volume-of-the-account-for-a-user',
    `${look('/var/run/secrets/kubernetes.io/serviceaccount')} | grep -v "\\.\\./*20\\|/\\.\\.20"`,
    { securityContext: { runAsUser: 1000, runAsGroup: 5 } },
  ),
  {
    ...mounted(
      'volume-downward',
      {
        downwardAPI: {
          items: [
            { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
            { path: 'notes', fieldRef: { fieldPath: 'metadata.annotations' }, mode: 0o444 },
            {
              path: 'cpu',
              resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1m' },
            },
            { path: 'memory', resourceFieldRef: { containerName: 'main', resource: 'requests.memory' } },
          ],
        },
      },
      {},
      {},
      `${looked}; cat /v/labels; echo; grep -v -E "kubernetes.io/(config|created)" /v/notes; echo; cat /v/cpu; echo; cat /v/memory`,
    ),
    labels: { b: '2', a: '1' },
    annotations: { long: 'y'.repeat(3000), quoted: 'a "b"\n\tc\\ é', z: '' },
  },
  mounted('volume-empty', { emptyDir: {} }),
  mounted(
    'volume-empty-group',
    { emptyDir: {} },
    {},
    { securityContext: { fsGroup: 2000, runAsUser: 1000 } },
  ),
  mounted(
    'volume-empty-memory',
    { emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
    {},
    {},
    'df -k /v | tail -1 | tr -s " " | cut -d" " -f2; dd if=/dev/zero of=/v/x bs=1M count=3 2>&1 | grep -v copied; stat -c "%a %u:%g" /v; grep " /v " /proc/self/mountinfo | cut -d" " -f6',
  ),
  {
    ...mounted(
      'volume-empty-too-full',
      { emptyDir: { sizeLimit: '1Mi' } },
      {},
      {},
      'dd if=/dev/zero of=/v/x bs=1M count=5 2>/dev/null; sleep 200',
    ),
  },
  mounted(
    'volume-read-only',
    { emptyDir: {} },
    { readOnly: true },
    {},
    'touch /v/x; grep " /v " /proc/self/mountinfo | cut -d" " -f6',
  ),
  mounted(
    'volume-read-only-recursively',
    { emptyDir: {} },
    { readOnly: true, recursiveReadOnly: 'IfPossible' },
    {},
    'touch /v/x; true',
  ),
  mounted(
    'volume-sub-path-made',
    { emptyDir: {} },
    { subPath: 'deep/er' },
    { securityContext: { fsGroup: 2000 } },
  ),
  once(
    'volume-sub-path-expression',
    'grep " /v " /proc/self/mountinfo | cut -d" " -f4 | sed "s/.*of-/of-/"',
    {
      env: [{ name: 'WHO', value: 'me' }],
      volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: 'of-$(WHO)' }],
    },
    { volumes: [{ name: 'v', emptyDir: {} }] },
  ),
  mounted(
    'volume-host-path-made',
    { hostPath: { path: `${hostPaths}made`, type: 'DirectoryOrCreate' } },
    {},
    {},
    'stat -c "%F %a %u:%g" /v',
  ),
  mounted(
    'volume-host-file-made',
    { hostPath: { path: `${hostPaths}file`, type: 'FileOrCreate' } },
    {},
    {},
    'stat -c "%F %a %u:%g" /v',
  ),
  mounted(
    'volume-host-path-untyped',
    { hostPath: { path: `${hostPaths}untyped` } },
    {},
    {},
    'stat -c "%F %a %u:%g" /v',
  ),
  mounted(
    'volume-image',
    { image: { reference: 'stories.test/worded:1' } },
    {},
    {},
    'ls /v; touch /v/x; cat /v/data/kept',
  ),
  {
    ...mounted('volume-image-absent', { image: { reference: 'stories.test/absent:3' } }, {}, {}, 'true'),
    until: (seen) => seen.events.some(({ message }) => /back-?off/i.test(message)),
  },
  mounted(
    'volume-image-sub-path',
    { image: { reference: 'stories.test/worded:1' } },
    { subPath: 'data' },
    {},
    'ls /v',
  ),
  {
    ...mounted(
      'volume-image-sub-path-absent',
      { image: { reference: 'stories.test/worded:1' } },
      { subPath: 'nope' },
      {},
      'ls /v',
    ),
    until: (seen) => JSON.stringify(seen.pod.status).includes('CreateContainer'),
  },
  {
    name: 'volumes-told',
    spec: {
      containers: [
        script('sleep 100', {
          volumeMounts: [
            { name: 'v', mountPath: '/v/', readOnly: true, recursiveReadOnly: 'IfPossible' },
            { name: 'v', mountPath: '/w' },
            { name: 'v', mountPath: 'x/y' },
          ],
        }),
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    },
    until: isReady,
  },
];
