/** Pods whose every text is a path, a name or a number that leads elsewhere, to our API server and to Kubernetes' own: what one takes the other takes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../../e2e/node.ts';
import { type Answered, TwoServers } from './two-servers.ts';

let two: TwoServers;
const core = '/api/v1/namespaces/default';

before(async () => {
  two = await TwoServers.start({ port: 16_494, etcdPort: 23_904 });
  for (const url of two.urls) {
    const asked = {
      method: 'POST',
      path: `${core}/serviceaccounts`,
      body: { metadata: { name: 'default' } },
    };
    await eventually('the namespace', async () => (await two.ask(url, asked)).code !== 404);
  }
});
after(() => two.close());

type Part = Record<string, unknown>;

const pod = (spec: Part = {}, container: Part = {}, metadata: Part = {}) => ({
  metadata: { name: 'p', ...metadata },
  spec: {
    ...{ automountServiceAccountToken: false, containers: [{ name: 'a', image: 'b', ...container }] },
    ...spec,
  },
});
const withVolume = (source: Part, mount: Part = {}) =>
  pod({ volumes: [{ name: 'v', ...source }] }, { volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] });
const secured = (securityContext: Part) => pod({ securityContext });

async function compare(bodies: readonly object[]): Promise<void> {
  const differences: string[] = [];
  for (const body of bodies) {
    const answers: Answered[] = [];
    for (const url of two.urls)
      answers.push(await two.ask(url, { method: 'POST', path: `${core}/pods?dryRun=All`, body }));
    if (new Set(answers.map(({ code }) => code)).size > 1)
      differences.push(
        [JSON.stringify(body), ...answers.map(({ code, text }) => `  ${code} ${text}`)].join('\n'),
      );
  }
  assert.equal(differences.length, 0, differences.join('\n\n'));
}

const paths = [
  ...['..data', '..data/x', 'a/..data', '..x', 'a/../b', '../a', '/a', '', '.', './a', 'a//b', 'a\\b', 'a:b'],
  ...['a\nb', 'a\0b', 'x'.repeat(300), 'a/..', '...', '..', 'a/...', ' '],
];

const volumesWith = (text: string) => [
  withVolume({ configMap: { name: 'c', items: [{ key: 'k', path: text }] } }),
  withVolume({ secret: { secretName: 'c', items: [{ key: text, path: 'k' }] } }),
  withVolume({ downwardAPI: { items: [{ path: text, fieldRef: { fieldPath: 'metadata.name' } }] } }),
  withVolume({ projected: { sources: [{ serviceAccountToken: { path: text } }] } }),
  withVolume({
    projected: {
      sources: [
        { configMap: { name: 'a', items: [{ key: 'k', path: text }] } },
        { secret: { name: 'a', items: [{ key: 'k', path: text }] } },
      ],
    },
  }),
  withVolume({ projected: { sources: [{ clusterTrustBundle: { name: text, path: text } }] } }),
  withVolume({
    projected: {
      sources: [{ podCertificate: { signerName: text, keyType: text, credentialBundlePath: text } }],
    },
  }),
  withVolume({ emptyDir: {} }, { subPath: text }),
  withVolume({ emptyDir: {} }, { subPathExpr: text }),
  withVolume({ emptyDir: {} }, { mountPath: text }),
  withVolume({ emptyDir: { medium: text, sizeLimit: '-1' } }),
  withVolume({ hostPath: { path: text } }),
  withVolume({ local: { path: text } }),
  withVolume({ csi: { driver: text, nodePublishSecretRef: { name: text } } }),
  withVolume({ nfs: { server: text, path: text } }),
  withVolume({ image: { reference: text } }),
  withVolume({ image: { reference: 'x', pullPolicy: text } }),
  withVolume({ persistentVolumeClaim: { claimName: text } }),
  pod({}, { volumeDevices: [{ name: 'v', devicePath: text }] }),
];

const namesWith = (text: string) => [
  ...[pod({ hostname: text }), pod({ subdomain: text }), pod({ setHostnameAsFQDN: true, hostname: text })],
  ...[pod({ hostnameOverride: text }), pod({ hostAliases: [{ ip: text, hostnames: [text] }] })],
  pod({ hostAliases: [{ ip: '10.0.0.1', hostnames: [text] }] }),
  pod({ dnsPolicy: 'None', dnsConfig: { nameservers: [text] } }),
  pod({ dnsConfig: { searches: [text] } }),
  pod({ dnsConfig: { options: [{ name: text, value: text }] } }),
  ...[pod({ nodeName: text }), pod({ schedulerName: text }), pod({ imagePullSecrets: [{ name: text }] })],
  pod({ serviceAccountName: text }),
  ...[pod({}, { image: text }), pod({}, { name: text }), pod({}, { workingDir: text })],
  ...[pod({}, { terminationMessagePath: text }), pod({}, { env: [{ name: text, value: 'x' }] })],
  pod({}, { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: text } } }] }),
  pod({}, { env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: text, key: 'k' } } }] }),
  pod({}, { ports: [{ containerPort: 1, hostIP: text, hostPort: 1, name: text }] }),
  ...[
    { name: text, resourceClaimName: 'x' },
    { name: 'x', resourceClaimName: text },
  ].map((claim) => pod({ resourceClaims: [claim] })),
];

const guardsWith = (text: string) => [
  secured({ seccompProfile: { type: 'Localhost', localhostProfile: text } }),
  secured({ seccompProfile: { type: text } }),
  secured({ appArmorProfile: { type: 'Localhost', localhostProfile: text } }),
  ...[`localhost/${text}`, text].map((profile) =>
    pod({}, {}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/a': profile } }),
  ),
  secured({ sysctls: [{ name: text, value: 'x' }] }),
  secured({ sysctls: [{ name: 'kernel.shm_rmid_forced', value: text }] }),
  secured({ seLinuxOptions: { level: text } }),
  secured({ fsGroupChangePolicy: text }),
  secured({ supplementalGroupsPolicy: text }),
  pod({}, { securityContext: { procMount: text } }),
  pod({ hostUsers: false }, { securityContext: { procMount: 'Unmasked' } }),
];

const hooksWith = (text: string) => [
  pod(
    {},
    {
      lifecycle: {
        preStop: {
          httpGet: { host: text, path: text, port: 80, httpHeaders: [{ name: text, value: text }] },
        },
      },
    },
  ),
  pod(
    {},
    { livenessProbe: { httpGet: { host: text, path: text, port: text || 1, scheme: text || 'HTTP' } } },
  ),
  pod({}, { livenessProbe: { tcpSocket: { host: text, port: 1 } } }),
  pod({}, { livenessProbe: { grpc: { port: 1, service: text } } }),
  pod({}, { lifecycle: { stopSignal: text } }),
];

test('volumes, and where they are mounted', () => compare(paths.flatMap(volumesWith)));
test('names of the pod and of what it asks for', () => compare(paths.flatMap(namesWith)));
test('what guards the node from the pod', () => compare(paths.flatMap(guardsWith)));
test('probes and hooks', () => compare(paths.flatMap(hooksWith)));

test('numbers', () =>
  compare(
    [-1, 0, 2 ** 31, 2 ** 32, 1.5].flatMap((number) => [
      ...[
        secured({ fsGroup: number }),
        secured({ supplementalGroups: [number] }),
        secured({ runAsUser: number }),
      ],
      ...[pod({ terminationGracePeriodSeconds: number }), pod({ activeDeadlineSeconds: number })],
      pod({}, { lifecycle: { preStop: { sleep: { seconds: number } } } }),
      pod({}, { ports: [{ containerPort: number }] }),
      pod({ tolerations: [{ operator: 'Exists', tolerationSeconds: number }] }),
      withVolume({ configMap: { name: 'c', defaultMode: number } }),
      withVolume({ emptyDir: { sizeLimit: number } }),
      withVolume({
        projected: { sources: [{ serviceAccountToken: { path: 'a', expirationSeconds: number } }] },
      }),
    ]),
  ));

test('amounts of resources, and claims on devices', () => {
  const names = [
    'cpu',
    'hugepages-2Mi',
    'a',
    'example.com/x',
    'kubernetes.io/x',
    'requests.cpu',
    'pods',
    'storage',
  ];
  const amounts = ['1', '-1', '1500m', '3Mi', '0', '2Mi'].flatMap((amount) =>
    [...names, 'attachable-volumes-x', 'hugepages-x', 'a/b/c'].flatMap((name) => [
      pod({}, { resources: { limits: { [name]: amount } } }),
      pod({}, { resources: { limits: { cpu: '1', [name]: amount } } }),
      pod({}, { resources: { requests: { cpu: '1', [name]: amount } } }),
      pod({ resources: { limits: { cpu: '1', [name]: amount } } }),
    ]),
  );
  const one = { name: 'a', resourceClaimName: 'x' };
  const lists: [resourceClaims: Part[], claims: Part[]][] = [
    [[], [{ name: 'a' }]],
    [[one], [{ name: 'a' }]],
    [[one], [{ name: 'a' }, { name: 'a' }]],
    [
      [one],
      [
        { name: 'a', request: 'r' },
        { name: 'a', request: 'r' },
      ],
    ],
    [[one], [{ name: 'a', request: 'r' }, { name: 'a' }]],
    [[one], [{ name: 'a' }, { name: 'a', request: 'r' }]],
    [
      [one],
      [
        { name: 'a', request: 'r' },
        { name: 'a', request: 'q' },
      ],
    ],
    [[one], [{ name: 'a', request: 'r/q' }]],
    [
      [one, { ...one, name: 'b' }],
      [{ name: '' }, { name: 'c' }],
    ],
    [[one, one], []],
    [[{ name: 'a' }], []],
    [[{ ...one, resourceClaimTemplateName: 'y' }], []],
    [[{ name: 'a', resourceClaimTemplateName: '../y' }], []],
  ];
  const mirrored = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
  return compare([
    ...amounts,
    ...lists.flatMap(([resourceClaims, claims]) => [
      pod({ resourceClaims }, { resources: { claims } }),
      pod({ resourceClaims, initContainers: [{ name: 'i', image: 'b', resources: { claims } }] }),
    ]),
    pod({ nodeName: 'n', resourceClaims: [one] }, {}, mirrored),
  ]);
});
