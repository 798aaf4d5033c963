import { type Story, script } from '../story.ts';

const refused = (name: string, spec: object, container: object = {}): Story => ({
  name,
  spec: { nodeName: 'suite', containers: [script('sleep 100', container)], ...spec },
});

/** Pods that the kubelet does not take. */
export const refusals: readonly Story[] = [
  refused('node-affinity-of-others', { nodeSelector: { 'stories.test/none': 'x' } }),
  refused('node-affinity-required', {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'stories.test/none', operator: 'Exists' }] }],
        },
      },
    },
  }),
  refused('too-much-processor', {}, { resources: { requests: { cpu: '100' } } }),
  refused('too-much-memory', {}, { resources: { requests: { memory: '10Ti' } } }),
  refused('too-much-storage', {}, { resources: { requests: { 'ephemeral-storage': '900Ti' } } }),
  refused('resource-unknown', {}, { resources: { limits: { 'stories.test/thing': '1' } } }),
  refused('huge-pages-absent', {}, { resources: { limits: { 'hugepages-2Mi': '64Gi', memory: '1Mi' } } }),
  refused('sysctl-unsafe', { securityContext: { sysctls: [{ name: 'net.core.somaxconn', value: '99' }] } }),
  refused('sysctl-of-host-network', {
    hostNetwork: true,
    securityContext: { sysctls: [{ name: 'net.ipv4.ip_local_port_range', value: '1024 65535' }] },
  }),
  refused('other-system', { os: { name: 'windows' } }),
  {
    ...refused('ports-of-the-host', {
      containers: [script('sleep 99', { ports: [{ containerPort: 80, hostPort: 15_680 }] })],
    }),
    objects: [
      [
        'pods',
        {
          metadata: { name: 'has-the-port' },
          spec: {
            nodeName: 'suite',
            terminationGracePeriodSeconds: 0,
            containers: [script('sleep 99', { ports: [{ containerPort: 81, hostPort: 15_680 }] })],
          },
        },
      ],
    ],
  },
];
