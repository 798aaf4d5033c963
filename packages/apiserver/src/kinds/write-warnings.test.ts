import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../test/test-server.ts';

const core = '/api/v1/namespaces/default';
const fractional = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } };
const template = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [{ name: 'main', image: 'i' }],
    volumes: [{ name: 'own', ephemeral: { volumeClaimTemplate: { spec: fractional } } }],
  },
};
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };

describe('whoever writes is warned of', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  let made = 0;
  async function warningsOf(
    path: string,
    body: { metadata?: object; [field: string]: unknown },
  ): Promise<string[]> {
    made += 1;
    const metadata = { name: `x${made}`, ...body.metadata };
    const { status, headers, text } = await server.request('POST', path, { body: { ...body, metadata } });
    assert.equal(status, 201, text);
    const header = String(headers['warning'] ?? '');
    return [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, said = '']) =>
      said.replaceAll('\\', ''),
    );
  }

  it('fields of a service that have no effect, or not for long', async () => {
    const of = (spec: object, annotations = {}) =>
      warningsOf(`${core}/services`, { metadata: { annotations }, spec: { ports: [{ port: 80 }], ...spec } });
    assert.deepEqual(await of({}), []);
    const headless = { clusterIP: 'None', sessionAffinity: 'ClientIP', loadBalancerIP: '192.0.2.1' };
    assert.deepEqual(await of({ ...headless, externalIPs: ['192.0.2.2'] }), [
      'spec.loadBalancerIP is ignored for headless services',
      'spec.externalIPs is ignored for headless services',
      'spec.SessionAffinity is ignored for headless services',
    ]);
    const named = { type: 'ExternalName', externalName: 'a.example', externalIPs: ['192.0.2.3'] };
    assert.deepEqual(await of(named), ['spec.externalIPs is ignored when spec.type is "ExternalName"']);
    const old = { externalName: 'a.example', trafficDistribution: 'PreferClose' };
    assert.deepEqual(await of(old, { 'service.kubernetes.io/topology-aware-hints': 'auto' }), [
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ]);
  });

  it('and refused are ranges in the annotation of a service, where they are none or it has no balancer', async () => {
    const annotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
    const place = `metadata.annotations[${annotation}]`;
    const body = (name: string, text: string, spec: object) => ({
      metadata: { name, annotations: { [annotation]: text } },
      spec: { ports: [{ port: 80 }], ...spec },
    });
    const balanced = { type: 'LoadBalancer' };
    const make = (name: string, text: string, spec: object) =>
      server.request('POST', `${core}/services`, { body: body(name, text, spec) });
    assert.equal((await make('ranges', ' 10.0.0.0/8 , fd00::/8 ', balanced)).status, 201);
    assert.equal((await make('no-ranges', ' ', balanced)).status, 201);
    assert.equal(
      (await make('field', 'nonsense', { ...balanced, loadBalancerSourceRanges: ['10.0.0.0/8'] })).status,
      201,
    );
    const wrong = await make('wrong', '10.0.0.0/8,10.0.0.0', balanced);
    assert.equal(wrong.status, 422);
    assert.match(
      wrong.body.message,
      /annotations\[service\.beta\..*Invalid value: "10\.0\.0\.0": must be a valid CIDR/,
    );
    const plain = await make('plain', '10.0.0.0/8', {});
    assert.equal(plain.status, 422);
    assert.ok(
      plain.body.message.includes(`${place}: Forbidden: may only be used when \`type\` is`),
      plain.text,
    );
    const path = `${core}/services/field`;
    const merge = (patch: object) =>
      server.request('PATCH', path, { type: 'application/merge-patch+json', body: patch });
    assert.equal(
      (await merge({ spec: { loadBalancerSourceRanges: null } })).status,
      200,
      'it stays as it was',
    );
    assert.equal((await merge({ metadata: { annotations: { [annotation]: 'other' } } })).status, 422);
  });

  it('parts of bytes that are claimed, by a claim, a template of claims or a volume of a pod', async () => {
    const said = 'fractional byte value "1500m" is invalid, must be an integer';
    const annotations = { 'volume.beta.kubernetes.io/storage-class': 'old' };
    const claims = await warningsOf(`${core}/persistentvolumeclaims`, {
      metadata: { annotations },
      spec: fractional,
    });
    assert.match(claims[0]!, /storage-class\]: deprecated since v1\.8/);
    assert.equal(claims[1], `spec.resources.requests[storage]: ${said}`);
    const sets = await warningsOf('/apis/apps/v1/namespaces/default/statefulsets', {
      spec: {
        ...{ selector: { matchLabels: { app: 'web' } }, template, revisionHistoryLimit: -1 },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: fractional }],
      },
    });
    const own = 'spec.template.spec.volumes[0].ephemeral.volumeClaimTemplate.spec';
    assert.deepEqual(sets.slice(0, 2), [
      `${own}.resources.requests[storage]: ${said}`,
      `spec.volumeClaimTemplates[0].resources.requests[storage]: ${said}`,
    ]);
    assert.match(sets[2]!, /a negative value retains all historical revisions/);
  });

  it('labels of nodes that have a new name', async () => {
    const matchLabels = { 'beta.kubernetes.io/os': 'linux' };
    const renamed = 'deprecated since v1.14; use "kubernetes.io/os" instead';
    const classes = await warningsOf('/apis/node.k8s.io/v1/runtimeclasses', {
      ...{ handler: 'h', scheduling: { nodeSelector: matchLabels } },
    });
    assert.deepEqual(classes, [`scheduling.nodeSelector: ${renamed}`]);
    const space = await warningsOf('/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities', {
      ...{ storageClassName: 's', nodeTopology: { matchLabels } },
    });
    assert.deepEqual(space, [`nodeTopology.matchLabels.beta.kubernetes.io/os: ${renamed}`]);
  });

  it('volumes of kinds and annotations that are given up', async () => {
    const annotations = { 'volume.beta.kubernetes.io/mount-options': 'ro' };
    const spec = { ...volume, rbd: { monitors: ['m'], image: 'i' } };
    assert.deepEqual(await warningsOf('/api/v1/persistentvolumes', { metadata: { annotations }, spec }), [
      'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
      'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
    ]);
  });

  it('a quota that lets more be asked for than used', async () => {
    const of = (hard: object) => warningsOf(`${core}/resourcequotas`, { spec: { hard } });
    assert.deepEqual(await of({ cpu: '2', 'limits.cpu': '1', memory: '1Gi', 'limits.memory': '1Gi' }), [
      'ResourceQuota cpu (2) should be less than limits.cpu (1)',
    ]);
  });

  it('a service account that comes to limit its secrets, once', async () => {
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    const made = await warningsOf(`${core}/serviceaccounts`, { metadata: { name: 'a', annotations } });
    assert.match(made[0]!, /deprecated in v1\.32\+/);
    const again = await server.request('PATCH', `${core}/serviceaccounts/a`, {
      ...{ body: { metadata: { labels: { a: 'b' } } }, type: 'application/merge-patch+json' },
    });
    assert.equal(again.headers['warning'], undefined);
  });

  it('a job with more indexes than can be kept account of', async () => {
    const pods = { ...template, spec: { containers: template.spec.containers, restartPolicy: 'Never' } };
    const spec = { completionMode: 'Indexed', completions: 100_001, parallelism: 10_001, template: pods };
    const said = await warningsOf('/apis/batch/v1/namespaces/default/jobs', { spec });
    assert.match(said[0]!, /^spec: In Indexed Jobs with a number of completions higher than 10\^5/);
  });

  it('addresses in odd forms, in a spec and in a status', async () => {
    const said = (place: string) =>
      `${place}: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")`;
    const hosts = { ...template, spec: { ...template.spec, volumes: [], hostAliases: [{ ip: 'FD00::1' }] } };
    assert.deepEqual(await warningsOf(`${core}/podtemplates`, { template: hosts }), [
      said('template.spec.hostAliases[0].ip'),
    ]);
    const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
    const spec = { defaultBackend: { service: { name: 'a', port: { number: 1 } } } };
    assert.deepEqual(await warningsOf(ingresses, { metadata: { name: 'odd' }, spec }), []);
    const written = await server.request('PATCH', `${ingresses}/odd/status`, {
      body: { status: { loadBalancer: { ingress: [{ ip: 'FD00::1' }] } } },
      type: 'application/merge-patch+json',
    });
    assert.equal(
      String(written.headers['warning']).replaceAll('\\', ''),
      `299 - "${said('status.loadBalancer.ingress[0]')}"`,
    );
  });

  it('names that configurations in files have', async () => {
    assert.deepEqual(
      await warningsOf('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        metadata: { name: 'a.static.k8s.io' },
      }),
      [
        'metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API',
      ],
    );
  });

  it('capital letters in the name of a driver of devices', async () => {
    const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
    const spec = { driver: 'Fast.example.com', pool, allNodes: true, devices: [] };
    assert.deepEqual(await warningsOf('/apis/resource.k8s.io/v1/resourceslices', { spec }), [
      'spec.driver: driver names should be lowercase; "Fast.example.com" contains uppercase characters',
    ]);
  });
});
