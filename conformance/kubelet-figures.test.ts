/** The kubelet's pages of figures, judged by Prometheus' own `promtool` and by what common dashboards read from them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { eventually, podOf, TestNode } from '../e2e/node.ts';
import { absentReads, dashboardReads } from './peers/dashboards.ts';

const paths = ['/metrics', '/metrics/cadvisor', '/metrics/resource', '/metrics/probes', '/metrics/slis'];
let node: TestNode;
const pages = new Map<string, string>();

before(async () => {
  node = await TestNode.start('figures');
  const probe = { exec: { command: ['true'] }, periodSeconds: 1 };
  const limits = { cpu: '500m', memory: '64Mi' };
  const command = [
    'sh',
    '-c',
    'while true; do dd if=/dev/zero of=/file bs=64k count=16 conv=fsync; sleep 1; done',
  ];
  await node.apply(
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'claimed' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
    },
    podOf(
      'measured',
      {
        ...{ command, livenessProbe: probe, readinessProbe: probe, resources: { limits } },
        volumeMounts: ['data', 'claimed'].map((name) => ({ name, mountPath: `/${name}` })),
      },
      {
        volumes: [
          { name: 'data', emptyDir: {} },
          { name: 'claimed', persistentVolumeClaim: { claimName: 'claimed' } },
        ],
      },
    ),
  );
  await eventually(
    'figures of the pod',
    async () => {
      for (const path of paths)
        pages.set(path, await node.kubectlOk(['get', '--raw', `/api/v1/nodes/${node.name}/proxy${path}`]));
      return missingReads().length === 0;
    },
    60_000,
    // What is missing to the end is named by its test.
  ).catch(() => {});
});
after(() => node?.remove());

/** What dashboards read that has no series with the labels that they read. */
function missingReads() {
  return dashboardReads.filter(([path, metric, ...labels]) => {
    const lines = (pages.get(path) ?? '').split('\n');
    const series = lines.filter((line) => new RegExp(`^${metric}[{ ]`).test(line));
    return !series.some((line) => labels.every((label) => line.includes(`${label}="`)));
  });
}

/**
 * What promtool dislikes about names that are upstream's: they end otherwise than its rules for new names ask. That a page
 * can't be read is another code.
 */
const unreadable = 1;
for (const path of paths) {
  test(`${path} can be read as Prometheus reads it`, (test) => {
    const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: pages.get(path),
      encoding: 'utf8',
    });
    assert.notEqual(status, unreadable, stderr);
    assert.doesNotMatch(stderr, /error while linting|parse error|duplicate|no help text/i);
    test.diagnostic(`${stderr.trim().split('\n').length} remarks on names`);
  });
}

test('how long statuses of pods take to be told is measured', () => {
  assert.match(pages.get('/metrics') ?? '', /^kubelet_pod_status_sync_duration_seconds_count [1-9]/m);
});

test('every metric that dashboards read has series with the labels that they read, or is named as absent', () => {
  assert.deepEqual(missingReads(), []);
  const all = [...pages.values()].join('\n');
  const there = [...absentReads.keys()].filter((metric) => new RegExp(`^${metric}[{ ]`, 'm').test(all));
  assert.deepEqual(there, [], 'is there, and should be read');
});
