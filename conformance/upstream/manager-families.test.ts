/**
 * The families of metrics that our controllers and scheduler show, beside those that the source of Kubernetes declares for its
 * own, and what the dashboards and alerts of kubernetes-mixin read of them.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort } from '../../e2e/free-port.ts';
import { eventually, wherryEntry } from '../../e2e/node.ts';
import { TestServer } from '../../packages/apiserver/test/test-server.ts';
import { managerReads } from '../peers/dashboards.ts';
import { absentManagerFamilies } from './absent-manager-families.ts';
import { type DeclaredFamily, declaredFamilies } from './declared-families.ts';
import { otherBounds, otherLabels, otherTypes } from './family-differences.ts';
import { type ShownFamily, shownFamilies } from './shown-families.ts';

/** Where the families of each are declared. */
const declaredIn = {
  'kube-scheduler': [
    ['k8s.io/kubernetes', ['pkg/scheduler', 'cmd/kube-scheduler']],
    ['k8s.io/component-base', ['.']],
  ],
  'kube-controller-manager': [
    ['k8s.io/kubernetes', ['pkg/controller', 'cmd/kube-controller-manager']],
    ['k8s.io/controller-manager', ['.']],
    ['k8s.io/endpointslice', ['.']],
    ['k8s.io/component-base', ['.']],
  ],
} as const;
type Manager = keyof typeof declaredIn;
const managers = Object.keys(declaredIn) as Manager[];

/** Of clients of Prometheus for any program. */
const ofProcess = /^process_/;

/** Families that have no series here, by what they wait for. */
const silent: Readonly<Record<Manager, readonly string[]>> = {
  'kube-scheduler': ['rest_client_request_retries_total'],
  'kube-controller-manager': ['rest_client_request_retries_total'],
};

/** What there is once everything that is written has been looked at. */
const wanted: readonly (readonly [Manager, string])[] = [
  ['kube-scheduler', 'scheduler_pod_scheduling_sli_duration_seconds'],
  ['kube-scheduler', 'scheduler_unschedulable_pods'],
  ['kube-scheduler', 'scheduler_framework_extension_point_duration_seconds'],
  ['kube-controller-manager', 'job_controller_jobs_finished_total'],
  ['kube-controller-manager', 'horizontal_pod_autoscaler_controller_reconciliations_total'],
  ['kube-controller-manager', 'horizontal_pod_autoscaler_controller_desired_replicas'],
  ['kube-controller-manager', 'node_collector_zone_size'],
  ['kube-controller-manager', 'rest_client_response_size_bytes'],
];

let server: TestServer;
let process: ChildProcess | undefined;
const ports = new Map<Manager, number>();
const pages = new Map<Manager, string[]>();
const declared = new Map<Manager, ReadonlyMap<string, DeclaredFamily>>();
const shown = new Map<Manager, ReadonlyMap<string, ShownFamily>>();

before(async () => {
  server = await TestServer.start();
  for (const manager of managers) {
    declared.set(manager, await declaredFamilies(declaredIn[manager]));
    ports.set(manager, await freePort());
  }
  const at = (name: string) => join(server.folder, name);
  const { cert, key } = await server.authority.issue({ name: 'controllers', hosts: ['127.0.0.1'] });
  for (const [name, text] of [
    ['serving.crt', cert],
    ['serving.key', key],
    ['ca.crt', server.authority.cert],
  ] as const)
    writeFileSync(at(name), text);
  const flags = [
    ...['--kubeconfig', server.kubeconfig, '--root-ca-file', at('ca.crt')],
    ...['--client-ca-file', at('ca.crt'), '--bind-address', '127.0.0.1'],
    ...['--tls-cert-file', at('serving.crt'), '--tls-private-key-file', at('serving.key')],
    ...['--secure-port', String(ports.get('kube-controller-manager'))],
    ...['--scheduler-secure-port', String(ports.get('kube-scheduler'))],
  ];
  process = spawn(globalThis.process.execPath, [wherryEntry, 'controllers', ...flags], { stdio: 'ignore' });
  await writeObjects();
  await eventually('what is told of all of them', look, 60_000);
});
after(async () => {
  process?.kill('SIGTERM');
  if (process && process.exitCode === null) await new Promise((resolve) => process?.once('exit', resolve));
  await server?.close();
});

async function writeObjects(): Promise<void> {
  const post = async (path: string, body: object) => {
    const { status, text } = await server.request('POST', path, { body });
    assert.ok(status < 300, `${path}: ${text}`);
  };
  const containers = [{ name: 'main', image: 'none' }];
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers } };
  const jobTemplate = { ...template, spec: { containers, restartPolicy: 'Never' } };
  const node = await server.request('POST', '/api/v1/nodes', { body: { metadata: { name: 'n1' } } });
  assert.equal(node.status, 201, node.text);
  const status = {
    allocatable: { cpu: '4', memory: '4Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: new Date().toISOString() }],
  };
  await server.request('PUT', '/api/v1/nodes/n1/status', { body: { ...node.body, status } });
  await eventually(
    'the account of pods',
    async () => {
      const { status: found } = await server.request(
        'GET',
        '/api/v1/namespaces/default/serviceaccounts/default',
      );
      return found === 200;
    },
    30_000,
  );
  const selector = { matchLabels: { app: 'a' } };
  await post('/apis/apps/v1/namespaces/default/deployments', {
    ...{ metadata: { name: 'a' }, spec: { selector, template } },
  });
  await post('/apis/batch/v1/namespaces/default/jobs', {
    ...{ metadata: { name: 'over' }, spec: { template: jobTemplate, completions: 0 } },
  });
  await post('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
    metadata: { name: 'a' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      maxReplicas: 3,
      minReplicas: 2,
    },
  });
  const huge = { requests: { cpu: '1000' } };
  await post('/api/v1/namespaces/default/pods', {
    ...{ metadata: { name: 'huge' }, spec: { containers: [{ ...containers[0], resources: huge }] } },
  });
}

/** As an administrator, by a certificate. */
function ask(manager: Manager, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = `https://127.0.0.1:${ports.get(manager)}${path}`;
    const options = { ca: server.authority.cert, agent: false, ...server.admin };
    const outgoing = httpsRequest(url, options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve(text));
    });
    outgoing.on('error', reject).end();
  });
}

/** Whether there is a series of all that waits for nothing. */
async function look(): Promise<boolean> {
  for (const manager of managers) {
    await ask(manager, '/healthz').catch(() => {});
    const found = await Promise.all(
      ['/metrics', '/metrics/slis'].map((path) => ask(manager, path).catch(() => '')),
    );
    pages.set(manager, found);
    shown.set(manager, shownFamilies(found));
  }
  const has = (manager: Manager, name: string) => (shown.get(manager)?.get(name)?.labels.length ?? 0) > 0;
  return wanted.every(([manager, name]) => has(manager, name));
}

for (const manager of managers) {
  describe(manager, () => {
    const told = () => declared.get(manager)!;
    const ours = () => shown.get(manager)!;

    test('each of its families is shown, or is named as absent with its reason', () => {
      const absent = absentManagerFamilies[manager];
      assert.ok(told().size > 50, String(told().size));
      assert.deepEqual(
        [...told().keys()].filter((name) => !ours().has(name) && !absent.has(name)),
        [],
      );
      assert.deepEqual(
        [...absent.keys()].filter((name) => ours().has(name) || !told().has(name)),
        [],
        'no reason to be named as absent',
      );
    });

    test('no family is shown that upstream does not declare', () => {
      assert.deepEqual(
        [...ours().keys()].filter((name) => !told().has(name) && !ofProcess.test(name)),
        [],
      );
    });

    test('types are those of upstream', () => assert.deepEqual(otherTypes(told(), ours()), []));

    test('labels are those of upstream, in every series', () =>
      assert.deepEqual(otherLabels(told(), ours()), []));

    test('bounds of histograms are those of upstream', () =>
      assert.deepEqual(otherBounds(told(), ours()), []));

    test('what has no series here is named with what it waits for', () => {
      const without = [...ours()].filter(([, { labels }]) => labels.length === 0);
      assert.deepEqual(without.map(([name]) => name).sort(), [...silent[manager]].sort());
    });

    test('promtool reads each page, and finds fault with names alone that are upstream’s', () => {
      for (const page of pages.get(manager)!) {
        const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
          input: page,
          encoding: 'utf8',
        });
        const faults = `${stdout}\n${stderr}`.split('\n').filter(Boolean);
        assert.deepEqual(
          faults.filter((line) => !told().has(line.split(' ')[0] ?? '')),
          [],
        );
      }
    });

    test('every metric that dashboards and alerts read has series with the labels that they read', () => {
      const lines = pages.get(manager)!.join('\n').split('\n');
      const missing = managerReads[manager].filter(([metric, ...labels]) => {
        const series = lines.filter((line) => new RegExp(`^${metric}[{ ]`).test(line));
        return !series.some((line) => labels.every((label) => line.includes(`${label}="`)));
      });
      assert.deepEqual(missing, []);
    });
  });
}
