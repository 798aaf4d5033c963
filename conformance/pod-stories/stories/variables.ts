import { once, type Story, script } from '../story.ts';

const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const resource = (name: string, of: string, divisor?: string) => ({
  name,
  valueFrom: { resourceFieldRef: { resource: of, divisor } },
});

/** Variables of containers. */
export const variables: readonly Story[] = [
  once('variables-plain', 'env', {
    env: [{ name: 'Z', value: '1' }, { name: 'A', value: '' }, { name: 'Z', value: '2' }, { name: 'B' }],
  }),
  once('variables-expanded', 'env', {
    env: [
      { name: 'ONE', value: '1' },
      { name: 'TWO', value: '$(ONE)$(ONE)' },
      { name: 'LATER', value: '$(LAST)' },
      { name: 'ESCAPED', value: '$$(ONE) $$$(ONE) $$$$(ONE)' },
      { name: 'OPEN', value: '$(ONE $(TWO) $ONE $' },
      { name: 'NESTED', value: '$($(ONE))' },
      { name: 'ITSELF', value: '$(ITSELF)x' },
      { name: 'SERVICE', value: '$(DB_MAIN_SERVICE_HOST)' },
      { name: 'OF_IMAGE', value: '$(PATH)' },
      { name: 'LAST', value: 'last' },
      { name: 'with.dot-and_dash', value: 'odd' },
    ],
    args: ['$(ONE)', '$$(ONE)', '$(ABSENT)'],
  }),
  once('variables-of-services', 'env'),
  once('variables-without-services', 'env', {}, { enableServiceLinks: false }),
  {
    ...once('variables-from', 'env', {
      envFrom: [
        { configMapRef: { name: 'many-keys' } },
        { prefix: 'P_', configMapRef: { name: 'many-keys' } },
        { secretRef: { name: 'secret-keys' } },
        { configMapRef: { name: 'absent', optional: true } },
      ],
      env: [
        { name: 'plain', value: 'over $(other)' },
        {
          name: 'OPTIONAL',
          valueFrom: { configMapKeyRef: { name: 'many-keys', key: 'absent', optional: true } },
        },
        { name: 'REF', valueFrom: { secretKeyRef: { name: 'secret-keys', key: 'other' } } },
      ],
    }),
    objects: [
      [
        'configmaps',
        {
          metadata: { name: 'many-keys' },
          data: { plain: 'a', 'with-dash': 'b', 'with.dot': 'c', '1st': 'd', expand: '$(plain)' },
        },
      ],
      ['secrets', { metadata: { name: 'secret-keys' }, stringData: { other: 'hidden', 'a-b': 'x' } }],
    ],
  },
  {
    ...once('variables-of-fields', 'env', {
      env: [
        field('NAME', 'metadata.name'),
        field('NAMESPACE', 'metadata.namespace'),
        field('UID', 'metadata.uid'),
        field('LABEL', "metadata.labels['stories.test/l']"),
        field('NO_LABEL', "metadata.labels['absent']"),
        field('NOTE', "metadata.annotations['note']"),
        field('NODE', 'spec.nodeName'),
        field('ACCOUNT', 'spec.serviceAccountName'),
        field('HOST_IP', 'status.hostIP'),
        field('HOST_IPS', 'status.hostIPs'),
        field('POD_IP', 'status.podIP'),
        field('POD_IPS', 'status.podIPs'),
      ],
    }),
    labels: { 'stories.test/l': 'label' },
    annotations: { note: 'several\nlines "quoted"' },
  },
  once('variables-of-resources', 'env | grep -v -E "^(CPU_NONE|MEM_NONE|DISK)"; env | cut -d= -f1', {
    resources: { requests: { cpu: '125m', memory: '64Mi' }, limits: { cpu: '1500m', memory: '100Mi' } },
    env: [
      resource('CPU', 'limits.cpu'),
      resource('CPU_MILLI', 'limits.cpu', '1m'),
      resource('CPU_REQUEST', 'requests.cpu', '1m'),
      resource('MEM', 'limits.memory'),
      resource('MEM_MI', 'limits.memory', '1Mi'),
      resource('MEM_REQUEST', 'requests.memory', '1Ki'),
      resource('DISK', 'limits.ephemeral-storage'),
    ],
  }),
  once(
    'variables-of-a-file',
    'env',
    {
      env: [
        { name: 'ONE', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'vars', key: 'ONE' } } },
        {
          name: 'NONE',
          valueFrom: { fileKeyRef: { volumeName: 'v', path: 'vars', key: 'NONE', optional: true } },
        },
        { name: 'AFTER', value: '$(ONE)' },
      ],
    },
    {
      volumes: [{ name: 'v', emptyDir: {} }],
      initContainers: [
        script('echo "ONE=\'first value\'" > /v/vars', {
          name: 'before',
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
        }),
      ],
    },
  ),
  {
    name: 'variables-of-an-absent-file',
    spec: {
      containers: [
        script('env', {
          env: [{ name: 'ONE', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'vars', key: 'ONE' } } }],
        }),
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    },
    until: ({ pod }) => JSON.stringify(pod.status).includes('CreateContainerConfigError'),
  },
  once('variables-of-no-resources', 'env', {
    env: [
      resource('CPU', 'limits.cpu'),
      resource('REQUEST', 'requests.cpu', '1m'),
      resource('MEM', 'requests.memory'),
    ],
  }),
  once(
    'variables-of-the-host-network',
    'env',
    { env: [field('POD_IP', 'status.podIP'), field('POD_IPS', 'status.podIPs')] },
    { hostNetwork: true },
  ),
];
