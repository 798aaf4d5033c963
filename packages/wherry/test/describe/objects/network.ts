import { type Described, longAgo, metadata, namespaced, ofCluster } from './described.ts';

const slice = (name: string, service: string, rest: object) =>
  namespaced('discovery.k8s.io/v1', 'EndpointSlice', name, {
    metadata: { labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    ...rest,
  });
const at = (address: string, more: object = {}) => ({ addresses: [address], conditions: {}, ...more });
const five = ['10.1.0.1', '10.1.0.2', '10.1.0.3', '10.1.0.4', '10.1.0.5'];

const services: readonly Described[] = [
  {
    object: namespaced('v1', 'Service', 'rich', {
      metadata,
      spec: {
        ...{ type: 'LoadBalancer', selector: { b: '2', a: '1' }, externalIPs: ['1.1.1.1', '1.1.1.2'] },
        ...{ loadBalancerIP: '2.2.2.2', externalTrafficPolicy: 'Local', sessionAffinity: 'ClientIP' },
        ...{ loadBalancerSourceRanges: ['10.0.0.0/8'], trafficDistribution: 'PreferClose' },
        ports: [
          { name: 'http', port: 80, targetPort: 'web', appProtocol: 'http' },
          { name: 'dns', port: 53, protocol: 'UDP', targetPort: 5353 },
        ],
      },
    }),
    status: { loadBalancer: { ingress: [{ ip: '3.3.3.3', ipMode: 'VIP' }, { hostname: 'lb.example.com' }] } },
  },
  {
    object: slice('rich-a', 'rich', {
      ports: [
        { name: 'http', port: 8080, protocol: 'TCP' },
        { name: 'dns', port: 5353, protocol: 'UDP' },
      ],
      endpoints: [
        ...five.map((address) => at(address)),
        at('10.1.0.6', { conditions: { ready: false } }),
        at('10.1.0.7', {
          ...{ conditions: { ready: true }, hostname: 'h', nodeName: 'n1', zone: 'a' },
          targetRef: { kind: 'Pod', name: 'p', namespace: 'default' },
        }),
      ],
    }),
  },
  { object: namespaced('v1', 'Service', 'plain', { spec: { ports: [{ port: 80 }] } }) },
  {
    object: slice('plain-a', 'plain', {
      ports: [{ name: '', port: 80, protocol: 'TCP' }],
      endpoints: [at('10.1.0.1'), at('10.1.0.2', { conditions: { ready: false } })],
    }),
  },
  {
    object: namespaced('v1', 'Service', 'headless', {
      spec: { clusterIP: 'None', selector: { a: 'b' }, ports: [{ port: 1 }] },
    }),
  },
  { object: slice('headless-a', 'headless', { ports: [], endpoints: [at('10.1.0.9')] }) },
  {
    object: namespaced('v1', 'Service', 'elsewhere', {
      spec: { type: 'ExternalName', externalName: 'example.com' },
    }),
  },
  { object: slice('empty', 'none', { endpoints: [] }) },
  {
    object: namespaced('v1', 'Endpoints', 'rich', {
      metadata: { ...metadata, annotations: { short: 'word' } },
      subsets: [
        {
          addresses: [{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }],
          notReadyAddresses: [{ ip: '10.1.0.3' }],
          ports: [
            { name: 'http', port: 80 },
            { name: 'dns', port: 53, protocol: 'UDP' },
          ],
        },
        { addresses: [{ ip: '10.1.0.4' }], ports: [{ port: 1 }] },
      ],
    }),
  },
];

const toService = (name: string, port: object) => ({ service: { name, port } });
const path = (of: string, backend: object) => ({ path: of, pathType: 'Prefix', backend });

const ingresses: readonly Described[] = [
  {
    object: namespaced('networking.k8s.io/v1', 'Ingress', 'rich', {
      metadata,
      spec: {
        ...{ ingressClassName: 'edge', defaultBackend: toService('plain', { number: 80 }) },
        tls: [
          { hosts: ['a.example.com', 'b.example.com'], secretName: 'cert' },
          { hosts: ['c.example.com'] },
        ],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                path('/a', toService('rich', { name: 'http' })),
                path('/gone', toService('gone', { number: 1 })),
                path('/r', { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'b' } }),
              ],
            },
          },
          { http: { paths: [path('/', toService('plain', { number: 80 }))] } },
          { host: 'd.example.com' },
        ],
      },
    }),
    status: { loadBalancer: { ingress: [{ ip: '9.9.9.9' }, { hostname: 'lb' }, { ip: '1.1.1.1' }] } },
  },
  {
    object: namespaced('networking.k8s.io/v1', 'Ingress', 'plain', {
      spec: { defaultBackend: toService('gone', { name: 'x' }) },
    }),
  },
  {
    object: ofCluster('networking.k8s.io/v1', 'IngressClass', 'edge', {
      metadata,
      spec: {
        controller: 'example.com/c',
        parameters: { apiGroup: 'example.com', kind: 'Parameters', name: 'p' },
      },
    }),
  },
];

const policies: readonly Described[] = [
  {
    object: namespaced('networking.k8s.io/v1', 'NetworkPolicy', 'rich', {
      metadata,
      spec: {
        podSelector: { matchLabels: { app: 'web' } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            ports: [{ port: 80 }, { port: 'dns', protocol: 'UDP' }, { protocol: 'SCTP' }],
            from: [
              { podSelector: { matchLabels: { a: 'b' } } },
              { namespaceSelector: {}, podSelector: {} },
              { namespaceSelector: { matchLabels: { team: 'a' } } },
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '10.2.0.0/16'] } },
              { ipBlock: { cidr: '11.0.0.0/8' } },
            ],
          },
          {},
        ],
        egress: [{ ports: [{ port: 80, endPort: 90 }], to: [{ podSelector: {} }] }, {}],
      },
    }),
  },
  {
    object: namespaced('networking.k8s.io/v1', 'NetworkPolicy', 'closed', {
      spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
    }),
  },
  {
    object: namespaced('networking.k8s.io/v1', 'NetworkPolicy', 'out', {
      spec: { podSelector: {}, policyTypes: ['Egress'] },
    }),
  },
];

const ranges: readonly Described[] = [
  {
    object: ofCluster('networking.k8s.io/v1', 'ServiceCIDR', 'more', {
      metadata,
      spec: { cidrs: ['10.99.0.0/24', 'fd99::/120'] },
    }),
    status: {
      conditions: [
        { type: 'Ready', status: 'True', reason: '', message: 'it is used', lastTransitionTime: longAgo },
      ],
    },
  },
  {
    object: ofCluster('networking.k8s.io/v1', 'IPAddress', '10.99.0.7', {
      metadata: { labels: { a: 'b', 'ipaddress.kubernetes.io/managed-by': 'me' } },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: 'rich' } },
    }),
  },
];

/** Services, what stands behind them and before them, and what they have their addresses of. */
export const network: readonly Described[] = [...services, ...ingresses, ...policies, ...ranges];
