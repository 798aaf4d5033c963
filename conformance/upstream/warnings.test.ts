/** What is not as its writer may think is warned of by our API server as by Kubernetes' own: the same objects, the same words. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { eventually } from '../../e2e/node.ts';
import { type Asked, TwoServers } from './two-servers.ts';

let two: TwoServers;

before(async () => {
  two = await TwoServers.start({ port: 16_497, etcdPort: 23_897 });
  for (const url of two.urls)
    await eventually('the namespace', async () => {
      const body = { metadata: { name: 'default' } };
      return (await two.ask(url, { method: 'POST', path: `${core}/serviceaccounts`, body })).code !== 404;
    });
});
after(() => two.close());

const core = '/api/v1/namespaces/default';
const networking = '/apis/networking.k8s.io/v1/namespaces/default';
const post = (path: string, body: object): Asked => ({ method: 'POST', path, body });
const patch = (path: string, body: object): Asked => ({
  ...{ method: 'PATCH', path, body },
  type: 'application/merge-patch+json',
});
let made = 0;
const metadata = (more: object = {}) => {
  made += 1;
  return { name: `x${made}`, ...more };
};

/** Of each answer its code, its warnings and what a refusal says. At least `warned` of them warn. */
async function compare(all: readonly Asked[], warned: number): Promise<void> {
  const differences: string[] = [];
  let count = 0;
  for (const asked of all) {
    const [ours, theirs] = await Promise.all(
      two.urls.map(async (url) => {
        const { code, headers, text } = await two.ask(url, asked);
        const { message } = JSON.parse(text) as { message?: string };
        return { code, warning: headers['warning'], message };
      }),
    );
    if (theirs!.warning) count += 1;
    try {
      assert.deepEqual(ours, theirs);
    } catch (error) {
      differences.push(
        `${asked.method} ${asked.path} ${JSON.stringify(asked.body)}: ${(error as Error).message}`,
      );
    }
  }
  assert.equal(differences.length, 0, differences.join('\n\n'));
  assert.ok(count >= warned, `${count} of ${all.length} warn`);
}

const addresses = [
  ...['192.0.2.1', 'fd00::1', 'FD00::1', 'fd00:0:0:0:0:0:0:1', 'fd00:0:1::0', '::1.2.3.4', '2001:DB8::'],
  ...[
    '010.0.0.1',
    '::ffff:192.0.2.1',
    '::ffff:c000:201',
    '1.2.3',
    '',
    'fe80::1%eth0',
    '00001::1',
    '1.2.3.4.5',
  ],
];
const ranges = [
  ...['10.0.0.0/8', '10.1.0.0/8', '10.0.0.0/08', '010.0.0.0/8', 'FD00::/8', 'fd00:0::/16', 'fd00::1/64'],
  ...[
    '::ffff:10.0.0.0/104',
    '::ffff:10.1.0.0/104',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0',
    '1.2.3.4/0',
    '0.0.0.0/00',
  ],
];

const containers = [{ name: 'a', image: 'b' }];
const template = (spec: object) => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers, automountServiceAccountToken: false, ...spec },
});

test('addresses of a pod, which are names’ or servers’', () =>
  compare(
    addresses.flatMap((ip) => [
      post(`${core}/podtemplates`, { metadata: metadata(), template: template({ hostAliases: [{ ip }] }) }),
      post(`${core}/pods`, {
        ...template({ dnsPolicy: 'None', dnsConfig: { nameservers: ['192.0.2.7', ip] } }),
        metadata: metadata(),
      }),
    ]),
    10,
  ));

test('addresses of pods and load balancers in a status', async () => {
  const balanced = { type: 'LoadBalancer', ports: [{ port: 80 }] };
  const backend = { defaultBackend: { service: { name: 'a', port: { number: 1 } } } };
  await compare(
    [
      post(`${core}/pods`, { ...template({}), metadata: { name: 'p' } }),
      post(`${core}/services`, { metadata: { name: 's' }, spec: balanced }),
      post(`${networking}/ingresses`, { metadata: { name: 'i' }, spec: backend }),
      ...addresses.flatMap((ip) => [
        patch(`${core}/pods/p/status`, { status: { podIPs: [{ ip }], podIP: ip } }),
        patch(`${core}/pods/p/status`, { status: { hostIPs: [{ ip }], hostIP: ip } }),
        patch(`${core}/services/s/status`, {
          status: { loadBalancer: { ingress: [{ ip, ipMode: 'VIP' }] } },
        }),
        patch(`${networking}/ingresses/i/status`, { status: { loadBalancer: { ingress: [{ ip }] } } }),
      ]),
    ],
    20,
  );
});

test('addresses and ranges of services', () =>
  compare(
    [
      ...addresses.flatMap((address) => [
        post(`${core}/services`, {
          metadata: metadata(),
          spec: { ports: [{ port: 80 }], externalIPs: [address] },
        }),
        post(`${core}/services`, {
          metadata: metadata(),
          spec: { ports: [{ port: 80 }], type: 'LoadBalancer', loadBalancerIP: address },
        }),
        post(`${core}/services`, {
          metadata: metadata(),
          spec: { ports: [{ port: 80 }], clusterIP: 'None', loadBalancerIP: address, externalIPs: [address] },
        }),
      ]),
      ...ranges.map((range) =>
        post(`${core}/services`, {
          metadata: metadata(),
          spec: { ports: [{ port: 80 }], type: 'LoadBalancer', loadBalancerSourceRanges: [range] },
        }),
      ),
      ...[...ranges, '', ' ', ',', ' 10.0.0.0/8 , 10.1.0.0/16'].flatMap((range) =>
        [
          { type: 'LoadBalancer' },
          {},
          { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8'] },
        ].map((spec) =>
          post(`${core}/services`, {
            metadata: metadata({
              annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': range },
            }),
            spec: { ports: [{ port: 80 }], ...spec },
          }),
        ),
      ),
    ],
    25,
  ));

test('addresses of endpoints', () =>
  compare(
    addresses.flatMap((ip) => [
      post(`${core}/endpoints`, {
        metadata: metadata(),
        subsets: [{ addresses: [{ ip }], notReadyAddresses: [{ ip: 'FD00::2' }], ports: [{ port: 80 }] }],
      }),
      ...[
        {},
        { labels: { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' } },
      ].map((more) =>
        post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
          metadata: metadata(more),
          ...{ addressType: ip.includes(':') ? 'IPv6' : 'IPv4', endpoints: [{ addresses: [ip] }] },
        }),
      ),
      post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
        ...{ metadata: metadata(), addressType: 'FQDN', endpoints: [{ addresses: ['a.example'] }] },
      }),
    ]),
    20,
  ));

test('ranges of policies and nodes', () =>
  compare(
    ranges.flatMap((cidr) => [
      post(`${networking}/networkpolicies`, {
        metadata: metadata(),
        spec: {
          podSelector: {},
          ingress: [{ from: [{ ipBlock: { cidr } }] }],
          egress: [{ to: [{ ipBlock: { cidr: '::/0', except: [cidr] } }, { ipBlock: { cidr } }] }],
        },
      }),
      post('/api/v1/nodes', { metadata: metadata(), spec: { podCIDR: cidr, podCIDRs: [cidr] } }),
    ]),
    4,
  ));

test('files of volumes that overlap, and ports', () => {
  const items = (...paths: string[]) => paths.map((path) => ({ key: 'k', path }));
  const paths = [
    items('a', 'b'),
    items('a', 'a'),
    items('a', 'a/b', 'a/b/c'),
    items('a/b', 'a', 'ab'),
    items('a/', 'a', 'a//b'),
  ];
  const fields = (all: ReturnType<typeof items>) =>
    all.map(({ path }) => ({ path, fieldRef: { fieldPath: 'metadata.name' } }));
  const volumes = paths.flatMap((all) => [
    { configMap: { name: 'm', items: all } },
    { secret: { secretName: 's', items: all } },
    { downwardAPI: { items: fields(all) } },
    {
      projected: {
        sources: [
          { configMap: { name: 'm', items: all } },
          { secret: { name: 's', items: items('a/b', 'q') } },
          { downwardAPI: { items: fields(items('a', 'q')) } },
          { serviceAccountToken: { path: 'q' } },
        ],
      },
    },
  ]);
  const ports = [
    [{ containerPort: 80, hostIP: '192.0.2.1' }],
    [{ containerPort: 80, hostIP: '192.0.2.1', name: 'web', protocol: 'UDP' }],
    [{ containerPort: 80, hostPort: 1, hostIP: '192.0.2.1' }, { containerPort: 80 }],
    [
      { containerPort: 80, hostPort: 1, hostIP: '192.0.2.1' },
      { containerPort: 80, hostPort: 1 },
    ],
    [{ containerPort: 80 }, { containerPort: 80 }, { containerPort: 80, hostPort: 3 }],
  ];
  const annotations = {
    'seccomp.security.alpha.kubernetes.io/pod': 'x',
    'container.seccomp.security.alpha.kubernetes.io/a': 'x',
  };
  return compare(
    [
      ...volumes.map((volume) =>
        post(`${core}/pods`, { ...template({ volumes: [{ name: 'v', ...volume }] }), metadata: metadata() }),
      ),
      ...ports.map((own) =>
        post(`${core}/pods`, {
          ...template({ containers: [{ ...containers[0], ports: own }] }),
          metadata: metadata(),
        }),
      ),
      post(`${core}/pods`, { ...template({ terminationGracePeriodSeconds: -1 }), metadata: metadata() }),
      post(`${core}/pods`, {
        ...template({
          containers: [{ ...containers[0], resources: { limits: { memory: '1500m' } } }],
          overhead: { memory: '100m' },
        }),
        metadata: metadata({ annotations }),
      }),
    ],
    15,
  );
});

test('projected volumes that can’t be', () => {
  const file = { path: 'p', fieldRef: { fieldPath: 'metadata.name' } };
  const sources = [
    ...[[{}], [{ secret: {} }], [{ configMap: { items: [{ key: 'k', path: 'p' }] } }]],
    ...['../p', '..p', '/p', 'a/../p', ''].flatMap((path) => [
      [{ secret: { name: 's', items: [{ key: 'k', path }] } }],
      [{ downwardAPI: { items: [{ ...file, path }] } }],
      [{ serviceAccountToken: { path } }],
    ]),
    ...[[{ configMap: { name: 'm', items: [{ path: 'p', mode: 4096 }] } }]],
    ...[[{ secret: { name: 's' }, configMap: { name: 'm' } }]],
    ...[599, 600, 4_294_967_297].map((expirationSeconds) => [
      { serviceAccountToken: { path: 'p', expirationSeconds } },
    ]),
    [{ secret: { name: 's', items: [{ key: 'k', path: 'p' }] } }, { downwardAPI: { items: [file] } }],
  ];
  return compare(
    sources.map((all) =>
      post(`${core}/pods`, {
        ...template({ volumes: [{ name: 'v', projected: { sources: all } }] }),
        metadata: metadata(),
      }),
    ),
    0,
  );
});

test('certificates and keys that do not belong together', () => {
  const pair = (...kind: string[]) => {
    const words = [
      'req',
      '-x509',
      '-newkey',
      ...kind,
      '-nodes',
      '-subj',
      '/CN=a',
      '-keyout',
      '-',
      '-out',
      '-',
    ];
    const said = execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [, key = '', certificate = ''] =
      /(-----BEGIN PRIVATE[\s\S]*?)(-----BEGIN CERTIFICATE[\s\S]*)/.exec(said) ?? [];
    return { key, certificate };
  };
  const [one, other, rsa] = [
    pair('ec', '-pkeyopt', 'ec_paramgen_curve:P-256'),
    pair('ec', '-pkeyopt', 'ec_paramgen_curve:P-256'),
    pair('rsa:2048'),
  ];
  const empty = '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n';
  const texts: (readonly [certificate: string, key: string])[] = [
    ...([
      [one.certificate, one.key],
      [rsa.certificate, rsa.key],
      [one.certificate, other.key],
    ] as const),
    ...([
      [one.certificate, rsa.key],
      [rsa.certificate, one.key],
      [one.key, one.certificate],
    ] as const),
    ...([
      [one.certificate, one.certificate],
      ['x', 'y'],
      [one.certificate, 'y'],
      ['', ''],
    ] as const),
    [`${one.key}${one.certificate}`, `${one.certificate}${one.key}`],
    [`${one.certificate}${other.certificate}`, one.key],
    [one.key + other.key, one.key],
    [
      one.certificate,
      one.key.replace('BEGIN PRIVATE KEY', 'BEGIN OTHER').replace('END PRIVATE KEY', 'END OTHER'),
    ],
    [one.certificate, empty],
    [one.certificate.replaceAll('\n', '\r\n'), one.key.replaceAll('\n', '\r\n')],
    [one.certificate.trimEnd(), `  ${one.key}`],
  ];
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  return compare(
    texts.map(([certificate, key]) =>
      post(`${core}/secrets`, {
        ...{ metadata: metadata(), type: 'kubernetes.io/tls' },
        data: { 'tls.crt': encoded(certificate), 'tls.key': encoded(key) },
      }),
    ),
    10,
  );
});

test('what else is written and changed', () => {
  const named = { metadata: { name: 'a.static.k8s.io' } };
  const group = '/apis/admissionregistration.k8s.io/v1';
  const job = { template: template({ restartPolicy: 'Never' }) };
  const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const format = (...formats: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(formats.map((one) => [one, { type: 'string', format: one }])),
  });
  const versions = (...formats: string[]) => [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: format(...formats) } },
  ];
  return compare(
    [
      post(`${group}/validatingwebhookconfigurations`, named),
      post(`${group}/mutatingwebhookconfigurations`, named),
      post(`${group}/mutatingwebhookconfigurations`, { metadata: metadata() }),
      patch(`${group}/mutatingwebhookconfigurations/a.static.k8s.io`, { metadata: { labels: { a: 'b' } } }),
      post(cronJobs, {
        metadata: { name: 'c' },
        spec: { schedule: 'TZ=UTC * * * * *', jobTemplate: { spec: job } },
      }),
      post(cronJobs, {
        metadata: { name: 'c' },
        spec: { schedule: '* * * * *', jobTemplate: { spec: job } },
      }),
      patch(`${cronJobs}/c`, { spec: { schedule: 'TZ=UTC * * * * *' } }),
      post('/api/v1/nodes', { metadata: metadata(), spec: { externalID: 'x' } }),
      post('/api/v1/nodes', {
        metadata: metadata(),
        spec: { configSource: { configMap: { namespace: 'a', name: 'b', kubeletConfigKey: 'c' } } },
      }),
      post(definitions, {
        metadata: { name: 'odds.example.com' },
        spec: {
          ...{ group: 'example.com', scope: 'Namespaced', versions: versions('odd') },
          names: { plural: 'odds', singular: 'odd', kind: 'Odd', listKind: 'OddList' },
        },
      }),
      patch(`${definitions}/odds.example.com`, { metadata: { labels: { a: 'b' } } }),
      patch(`${definitions}/odds.example.com`, { spec: { versions: versions('odd', 'odder') } }),
    ],
    6,
  );
});
