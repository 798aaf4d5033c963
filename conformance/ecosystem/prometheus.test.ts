/** Prometheus in a pod of a real node, beside the exporters that most clusters have: what it finds, takes and makes of it. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildImage } from '../../e2e/image.ts';
import { eventually, scriptPod, TestNode } from '../../e2e/node.ts';
import { buildProgram, folderOf } from './build.ts';
import {
  busyObjects,
  exporterImage,
  exporterObjects,
  monitoring,
  prometheusImage,
  prometheusObjects,
} from './prometheus/objects.ts';

/** What the manifests of kube-state-metrics name, which stands in no registry that is reached from here. */
const stateImage = 'registry.k8s.io/kube-state-metrics/kube-state-metrics:v2.18.0';
const state = 'kube-state-metrics';

let node: TestNode;

before(async () => {
  const programs = {
    prometheus: await buildProgram('prometheus'),
    exporter: await buildProgram('node-exporter'),
    [state]: await buildProgram(state),
  };
  const manifests = join(await folderOf('k8s.io/kube-state-metrics/v2', state), 'examples/standard');
  node = await TestNode.start('measured');
  const image = (name: string, program: string, path: string) => {
    const fill = (tree: string) => {
      for (const folder of ['bin', 'tmp']) mkdirSync(join(tree, folder));
      copyFileSync(program, join(tree, path));
    };
    return buildImage(node.dataDir, name, fill, ['--entrypoint', path]);
  };
  await image(prometheusImage, programs.prometheus, '/bin/prometheus');
  await image(exporterImage, programs.exporter, '/bin/node_exporter');
  await image(stateImage, programs[state], '/kube-state-metrics');
  const authority = readFileSync(join(node.dataDir, 'pki/kubelet-ca.crt'), 'utf8');
  await node.create(...exporterObjects, ...busyObjects, ...prometheusObjects(authority));
  await node.kubectlOk(['apply', '-k', manifests]);
  await node.kubectlOk(['rollout', 'status', 'daemonset/exporter', '--timeout=60s']);
  await node.kubectlOk(['-n', 'kube-system', 'rollout', 'status', `deployment/${state}`, '--timeout=60s']);
  await node.kubectlOk(['wait', '--for=condition=Ready', 'pod/busy', '--timeout=60s']);
  await node.kubectlOk([
    '-n',
    monitoring,
    'wait',
    '--for=condition=Ready',
    'pod/prometheus',
    '--timeout=60s',
  ]);
});
after(() => node?.remove());

type Labels = Record<string, string>;

interface Target {
  scrapePool: string;
  health: string;
  lastError: string;
  labels: Labels;
  discoveredLabels: Labels;
}

/** Asks Prometheus, through the API server. */
async function ask<T>(path: string): Promise<T> {
  const service = `/api/v1/namespaces/${monitoring}/services/prometheus:web/proxy/api/v1/`;
  return JSON.parse(await node.kubectlOk(['get', '--raw', service + path])).data;
}

/** What an expression gives now. */
async function query(expression: string): Promise<{ metric: Labels; value: number }[]> {
  const path = `query?query=${encodeURIComponent(expression)}`;
  const { result } = await ask<{ result: { metric: Labels; value: [number, string] }[] }>(path);
  return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
}

/** The one figure that an expression gives, once it is as wanted. */
const figure = (expression: string, isWanted: (value: number) => boolean = () => true) =>
  eventually(
    expression,
    async () => {
      const found = await query(expression);
      assert.ok(found.length < 2, `${expression} is ${found.length} series`);
      return found[0] && isWanted(found[0].value) && found;
    },
    90_000,
  ).then(([only]) => only!);

const near = (wanted: number, share: number) => (value: number) => Math.abs(value - wanted) <= wanted * share;

const pools = 4 * 3 + 3 + 1 + 1 + 2 + 3;

test('every role of the API leads to its targets, which all answer', async () => {
  const { activeTargets } = await eventually(
    'all targets',
    async () => {
      const all = await ask<{ activeTargets: Target[] }>('targets');
      const { activeTargets: found } = all;
      return found.length === pools && found.every(({ health }) => health === 'up') && all;
    },
    60_000,
  );
  const discovered = (pool: string) =>
    activeTargets.find(({ scrapePool }) => scrapePool === pool)?.discoveredLabels ?? {};
  const holds = (pool: string, labels: Labels) => {
    const found = discovered(pool);
    const seen = Object.keys(labels).map((key) => [key, found[`__meta_kubernetes_${key}`]]);
    assert.deepEqual(Object.fromEntries(seen), labels);
  };
  holds('pods', { pod_controller_kind: 'DaemonSet', pod_ready: 'true', pod_container_port_number: '9100' });
  holds('services', { service_type: 'ClusterIP', service_port_name: 'metrics' });
  holds('ingresses', {
    ingress_host: 'exporter.example.com',
    ingress_path: '/metrics',
    ingress_scheme: 'http',
  });
  holds('dns', { endpointslice_endpoint_conditions_ready: 'true', endpointslice_address_type: 'IPv4' });
  holds('apiserver-text', { endpoint_port_name: 'https', endpoint_ready: 'true' });
  holds('kubelet-metrics-text', { node_label_kubernetes_io_os: 'linux', node_name: 'measured' });
});

test('no sample is refused, doubled or late, in whatever form it asks for them', async () => {
  await figure('count_over_time(up{job="dns"}[5m])', (count) => count >= 5);
  const lost = await query('scrape_samples_scraped != scrape_samples_post_metric_relabeling');
  assert.deepEqual(lost, []);
  assert.deepEqual(await query('{__name__=~"prometheus_target_scrapes_.+_total"} > 0'), []);
  assert.deepEqual(await query('prometheus_sd_kubernetes_failures_total > 0'), []);
  assert.deepEqual(await query('prometheus_rule_evaluation_failures_total > 0'), []);
  for (const path of ['/metrics', '/metrics/cadvisor', '/metrics/probes', '/metrics/resource']) {
    const names = (job: string) =>
      query(`group by (__name__) ({job="${job}", metrics_path="${path}", __name__!~"up|scrape_.*|.*:.*"})`);
    const told = async (job: string) => (await names(job)).map(({ metric }) => metric['__name__']).sort();
    const text = await told('kubelet');
    assert.ok(text.length > 3, `${path} tells ${text}`);
    assert.deepEqual(await told('kubelet-protobuf'), text);
    assert.deepEqual(await told('kubelet-openmetrics'), text);
  }
});

test('common rules tell what containers do', async () => {
  const busy = '{namespace="default", pod="busy", container="main"}';
  const full = '{namespace="default", pod="busy", container="full"}';
  await figure(`container_cpu:rate${busy}`, near(0.2, 0.25));
  await figure(`container:throttled${busy}`, (share) => share > 0.5 && share <= 1);
  const { metric } = await figure(`container_memory:owned${full}`, near(24 << 20, 0.2));
  assert.equal(metric['node'], 'measured');
  assert.match(metric['image'] ?? '', /wherry-test/);
  await figure('volume:filled{persistentvolumeclaim="data"}', (share) => share > 0 && share < 1);
  await figure('kubelet_relist:p99', (seconds) => seconds > 0 && seconds < 10);
  await figure('prober_probe_total{job="kubelet", pod="busy", result="successful"}', (count) => count > 1);
  const usage = 'sum(pod_cpu_usage_seconds_total{job="kubelet", pod="busy"})';
  const summed =
    'sum(container_cpu_usage_seconds_total{job="kubelet", metrics_path="/metrics/cadvisor", pod="busy", container!=""})';
  await figure(`${usage} / ${summed}`, near(1, 0.25));
  const known = `sum(kube_pod_container_resource_limits{resource="cpu", pod="busy"})`;
  await figure(known, (limit) => limit === 0.2);
  const machine = 'max(node_memory_MemTotal_bytes) / max(machine_memory_bytes{job="kubelet"})';
  await figure(machine, near(1, 0.001));
});

test('requests are counted as they were made', async () => {
  const posted =
    'sum(apiserver_request_total{job="apiserver", resource="configmaps", verb="POST", code="201"})';
  const { value: before } = await figure(posted);
  const configMap = (at: number) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `m${at}` } });
  const items = Array.from({ length: 20 }, (_, at) => configMap(at));
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await node.kubectlOk(['create', '-f', '-'], { stdin: list });
  await figure(posted, (count) => count === before + items.length);
  const own =
    'sum(rate(apiserver_request_sli_duration_seconds_bucket{verb="POST", le="1.0", job="apiserver"}[1m]))';
  await figure(own, (rate) => rate > 0);
  await figure('max by (verb) (apiserver_request:p99{verb="POST", resource="configmaps"})', (s) => s > 0);
  await figure('sum(apiserver_longrunning_requests{job="apiserver", verb="WATCH"})', (count) => count > 10);
});

test('a container that is killed for its memory is told of, and what is gone is told no more', async () => {
  const limits = { limits: { memory: '16Mi' } };
  const pod = scriptPod('greedy', 'sleep 4; exec dd if=/dev/zero of=/dev/null bs=64M count=1');
  const [container] = pod.spec.containers;
  await node.create({ ...pod, spec: { ...pod.spec, containers: [{ ...container, resources: limits }] } });
  await figure('kube_pod_container_status_restarts_total{pod="greedy"}', (count) => count > 0);
  const reason = 'kube_pod_container_status_last_terminated_reason{pod="greedy", reason="OOMKilled"}';
  await figure(reason, (is) => is === 1);
  await node.kubectlOk(['delete', 'pod', 'greedy', '--now']);
  await eventually(
    'its series to end',
    async () =>
      (await query('{pod="greedy", job="kubelet", metrics_path=~".*/(cadvisor|resource)"}')).length === 0,
    60_000,
  );
});

test('counters go on where they were when the kubelet is killed', async () => {
  const counter =
    'container_cpu_usage_seconds_total{job="kubelet", metrics_path="/metrics/cadvisor", pod="busy", container="main"}';
  const { value: before } = await figure(counter);
  process.kill(await node.pidOf('kubelet'), 'SIGKILL');
  await node.up();
  await figure(`min(up{job=~"kubelet.*"})`, (up) => up === 1);
  await figure(counter, (seconds) => seconds > before);
  const whole = 'job="kubelet", pod!="greedy"';
  for (const what of ['cpu_usage_seconds', 'network_transmit_bytes', 'fs_writes_bytes', 'cpu_cfs_periods'])
    assert.deepEqual(await query(`resets(container_${what}_total{${whole}}[5m]) > 0`), []);
  assert.deepEqual(await query('{__name__=~"prometheus_target_scrapes_.+_total"} > 0'), []);
});

test('none of the programs has complained', async () => {
  const log = (words: string[]) => node.kubectlOk(['logs', ...words]);
  const lines = (text: string, isComplaint: RegExp) =>
    text.split('\n').filter((line) => isComplaint.test(line));
  assert.deepEqual(lines(await log(['-n', monitoring, 'prometheus']), /level=(WARN|ERROR)/), []);
  const ofMachine = lines(await log(['daemonset/exporter']), /level=(WARN|ERROR)/);
  // A machine without udev.
  assert.deepEqual(
    ofMachine.filter((line) => !line.includes('udev')),
    [],
  );
  const told = lines(await log(['-n', 'kube-system', `deployment/${state}`]), /^[WE]\d/);
  // It says so wherever it runs in a pod.
  assert.deepEqual(
    told.filter((line) => !line.includes('Using the inClusterConfig')),
    [],
  );
});
