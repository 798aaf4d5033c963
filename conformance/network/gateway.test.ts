/** The Gateway API's own tests of Traefik on a node of `wherry up`: the same report as on the cluster that Traefik is tested on. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { eventually } from '../../e2e/node.ts';
import { loadCoreDns } from '../upstream/kubeadm-images.ts';
import { buildGatewayTests, traefikFolder } from './build.ts';
import { TraefikNode } from './traefik-node.ts';

const version = 'v1.6.1';
const echoes = ['v1.5.1', 'v1.6.0-dev.2', 'v1.6.0-dev.3'].map(
  (tag) => `registry.k8s.io/gateway-api/echo-basic:${tag}`,
);
let node: TraefikNode;
let fixtures: string;

/** What is compared of a report. */
interface Report {
  profiles: { name: string; core: Results; extended?: Results }[];
  succeededProvisionalTests?: string[];
}

interface Results {
  result: string;
  statistics: { Failed: number; Passed: number; Skipped: number };
  failedTests?: string[];
  skippedTests?: string[];
  supportedFeatures?: string[];
}

const told = ({ profiles, succeededProvisionalTests }: Report) => ({
  profiles: profiles
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, core, extended }) => ({ name, core, extended })),
  succeededProvisionalTests,
});

before(async () => {
  const integration = join(await traefikFolder(), 'integration');
  fixtures = join(integration, 'fixtures/gateway-api-conformance');
  node = await TraefikNode.start(echoes);
  await loadCoreDns(node.images, 'registry.k8s.io/coredns/coredns:v1.12.2');
});
after(() => node?.remove());

test("the API's definitions are taken, each with its rules in CEL", { timeout: 120_000 }, async () => {
  await node.kubectl(['create', '-f', join(fixtures, `00-experimental-${version}.yml`)]);
  await node.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
});

test('Traefik accepts its class, and says what it can', { timeout: 120_000 }, async () => {
  for (const file of ['01-rbac.yml', '02-traefik.yml'])
    await node.kubectl(['create', '-f', join(fixtures, file)]);
  const words = ['-n', 'traefik', 'rollout', 'status', 'deployment/traefik', '--timeout=60s'];
  await node.kubectl(words, { timeoutMs: 70_000 });
  await node.kubectl(['wait', '--for=condition=Accepted', 'gatewayclass/traefik', '--timeout=30s']);
});

test("the API's own tests report what they report elsewhere", { timeout: 1_200_000 }, async () => {
  const tests = await buildGatewayTests();
  const template = 'jsonpath={.status.supportedFeatures[*].name}';
  const features = await eventually(
    'what Traefik can',
    async () => (await node.kubectl(['get', 'gatewayclass', 'traefik', '-o', template])) || false,
  );
  const [options, report] = [node.machine.at('options.yaml'), node.machine.at('report.yaml')];
  const patience = {
    ...{ gatewayMustHaveAddress: 30e9, gatewayMustHaveCondition: 30e9, gwcMustBeAccepted: 30e9 },
    ...{ listenerSetMustHaveCondition: 30e9, namespacesMustBeReady: 60e9 },
  };
  writeFileSync(
    options,
    JSON.stringify({
      ...{ gatewayClassName: 'traefik', cleanupBaseResources: true, cleanupTestResources: true },
      conformanceProfiles: ['GATEWAY-HTTP', 'GATEWAY-GRPC', 'GATEWAY-TLS'],
      supportedFeatures: features.split(' '),
      // Traefik leaves it out, too.
      skipTests: ['HTTPRouteMultipleGateways'],
      timeoutConfig: patience,
      reportOutputPath: report,
      implementation: {
        ...{ organization: 'traefik', project: 'traefik', url: 'https://traefik.io/', version: 'v3.7' },
        contact: ['@traefik/maintainers'],
      },
    }),
  );
  const environment = ['env', `KUBECONFIG=${node.kubeconfig}`];
  const words = ['-test.timeout=19m', '-test.failfast=false', `-conformance-options-file=${options}`];
  const { stdout, stderr } = await node.machine.run([...environment, tests, ...words], {
    timeoutMs: 1_180_000,
  });
  const log = process.env['KUBEADM_LOGS'];
  if (log !== undefined) writeFileSync(join(log, 'gateway.log'), `${stdout}${stderr}`);
  assert.ok(existsSync(report), `no report:\n${stdout.slice(-5_000)}\n${stderr.slice(-2_000)}`);
  const folder = join(fixtures, `../../gateway-api-conformance-reports/${version}`);
  const theirs = parse(readFileSync(join(folder, 'experimental-v3.7-default-report.yaml'), 'utf8')) as Report;
  assert.deepEqual(told(parse(readFileSync(report, 'utf8')) as Report), told(theirs));
});
