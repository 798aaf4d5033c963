/** The families of metrics that our kubelet shows, beside those that the source of Kubernetes declares for its own. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testImage } from '../../e2e/image.ts';
import { eventually, podOf, TestNode } from '../../e2e/node.ts';
import { absentFamilies } from './absent-families.ts';
import { type DeclaredFamily, declaredFamilies } from './declared-families.ts';
import { otherBounds, otherLabels, otherTypes } from './family-differences.ts';
import { type ShownFamily, shownFamilies } from './shown-families.ts';

/** Where the kubelet's families are declared. */
const declaredIn = [
  ['k8s.io/kubernetes', ['cmd/kubelet', 'pkg/kubelet', 'pkg/volume', 'pkg/credentialprovider', 'pkg/util']],
  ['k8s.io/component-base', ['.']],
] as const;
const paths = ['/metrics', '/metrics/resource', '/metrics/probes', '/metrics/slis'];
let node: TestNode;
let declared: ReadonlyMap<string, DeclaredFamily>;
let shown: ReadonlyMap<string, ShownFamily>;

/** Our own, which upstream has not. */
const own = ['kubelet_events_dropped_total'];

/** Of level INTERNAL, or put together while upstream runs: read from its source by people. */
const unread = ['kubelet_first_network_pod_start_sli_duration_seconds'];

/** There where control groups keep swap within bounds, which is the machine's affair. */
const byMachine = ['container_swap_limit_bytes'];

/** Families with labels that have no series here, by what they wait for. Their labels are judged by the tests beside them. */
const silent: Readonly<Record<string, readonly string[]>> = {
  'a call of the pod-resources API': [
    ...['errors_list', 'errors_get', 'errors_get_allocatable', 'requests_total', 'requests_list'],
    ...['requests_get', 'requests_get_allocatable'],
  ].map((name) => `kubelet_pod_resources_endpoint_${name}`),
  'a CSI driver or another plug-in': ['csi_operations_seconds', 'plugin_manager_total_plugins'],
  'a claim on devices, and its driver': [
    'dra_grpc_operations_duration_seconds',
    'dra_operations_duration_seconds',
  ],
  'a device plug-in': [
    'kubelet_device_plugin_alloc_duration_seconds',
    'kubelet_device_plugin_registration_total',
  ],
  'a static policy of a manager': [
    'kubelet_container_aligned_compute_resources_count',
    'kubelet_container_aligned_compute_resources_failure_count',
  ],
  'a node that runs short': ['kubelet_evictions', 'kubelet_eviction_stats_age_seconds'],
  'a critical pod that does not fit': ['kubelet_preemptions'],
  'a registry': ['kubelet_image_pull_duration_seconds'],
  'an image that is old': ['kubelet_image_garbage_collected_total'],
  'a resize that waits, or can never be': [
    'kubelet_pod_deferred_accepted_resizes_total',
    'kubelet_pod_infeasible_resizes_total',
  ],
};

/** Those that have series where something fails, which may happen here too. */
const ofFailures = [
  'kubelet_runtime_operations_errors_total',
  'kubelet_run_podsandbox_errors_total',
  'rest_client_request_retries_total',
];

before(async () => {
  [declared, node] = await Promise.all([declaredFamilies(declaredIn), TestNode.start('families')]);
  const probe = { exec: { command: ['true'] }, periodSeconds: 1 };
  const resources = { requests: { cpu: '50m' }, limits: { cpu: '100m' } };
  const volumes = [
    { name: 'data', emptyDir: {} },
    { name: 'claimed', persistentVolumeClaim: { claimName: 'claimed' } },
  ];
  const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
  const init = { name: 'first', image: testImage, imagePullPolicy: 'Never', command: ['true'] };
  await node.apply(
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'claimed' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
    },
    podOf(
      'measured',
      { livenessProbe: probe, readinessProbe: probe, resources, volumeMounts },
      { volumes, initContainers: [init] },
    ),
    podOf('stateless'),
  );
  const unready = [
    podOf('ends', { command: ['false'] }, { restartPolicy: 'Never' }),
    podOf('absent', { image: 'never.example/pulled:1' }),
    podOf('refused', { resources: { requests: { cpu: '1000' } } }, { nodeName: node.name }),
  ];
  await node.create(...unready);
  await node.kubectlOk(['exec', 'measured', '--', 'true']);
  const wanted = { containers: [{ name: 'main', resources: { requests: { cpu: '60m' } } }] };
  const larger = JSON.stringify({ spec: wanted });
  await node.kubectlOk(['patch', 'pod', 'measured', '--subresource', 'resize', '-p', larger]);
  const ask = (path: string) => node.kubectlOk(['get', '--raw', `/api/v1/nodes/${node.name}/proxy${path}`]);
  for (const path of ['/healthz', '/stats/summary']) await ask(path);
  await eventually(
    'what pods are counted by',
    async () => {
      shown = shownFamilies(await Promise.all(paths.map(ask)));
      const has = (name: string) => (shown.get(name)?.labels.length ?? 0) > 0;
      return [
        'prober_probe_duration_seconds',
        'kubelet_volume_stats_used_bytes',
        'kubelet_pod_start_sli_duration_seconds',
        'kubelet_terminated_containers_total',
      ].every(has);
    },
    90_000,
  );
});
after(() => node?.remove());

test('upstream declares families as it always did: the program that finds them finds them', () => {
  assert.ok(declared.size > 150, String(declared.size));
  assert.deepEqual(declared.get('kubelet_terminated_containers_total'), {
    ...{ type: 'counter', labels: ['container_type', 'exit_code', 'reason'], bounds: undefined },
  });
});

test('each of its families is shown, or is named as absent with its reason', () => {
  assert.deepEqual(
    [...declared.keys()].filter(
      (name) => !shown.has(name) && !absentFamilies.has(name) && !byMachine.includes(name),
    ),
    [],
  );
  assert.deepEqual(
    [...absentFamilies.keys()].filter((name) => shown.has(name) || !declared.has(name)),
    [],
    'no reason to be named as absent',
  );
});

test('no family of the kubelet is shown that upstream does not declare, but our own', () => {
  const known = new Set([...declared.keys(), ...own, ...unread]);
  const ofKubelet = /^(kubelet|dra|csi|prober|storage|volume|plugin_manager|rest_client)_/;
  assert.deepEqual(
    [...shown.keys()].filter((name) => ofKubelet.test(name) && !known.has(name)),
    [],
  );
});

test('types are those of upstream', () => assert.deepEqual(otherTypes(declared, shown), []));

test('labels are those of upstream, in every series', () =>
  assert.deepEqual(otherLabels(declared, shown), []));

test('bounds of histograms are those of upstream', () => assert.deepEqual(otherBounds(declared, shown), []));

test('what has no labels has its series always, what has some is named where nothing here makes it show one', () => {
  const without = [...shown].filter(
    ([name, { labels }]) => labels.length === 0 && declared.has(name) && !ofFailures.includes(name),
  );
  assert.deepEqual(without.map(([name]) => name).sort(), Object.values(silent).flat().sort());
});
