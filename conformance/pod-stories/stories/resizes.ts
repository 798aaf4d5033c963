import { isReady, restarted, type Story, script, stay } from '../story.ts';

const limits = { cpu: '100m', memory: '64Mi' };
const cgroup =
  'cat /sys/fs/cgroup/cpu/cpu.shares /sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/memory/memory.limit_in_bytes';
const resized = (
  name: string,
  resources: object,
  more: object,
  isDone: NonNullable<Story['until']>,
): Story => ({
  name,
  spec: { containers: [script(stay, { resources: { limits, requests: limits }, ...more })] },
  until: isReady,
  async next({ name: pod, change, until, look, ask }) {
    const patch = { spec: { containers: [{ name: 'main', resources }] } };
    await change('patch', 'pod', pod, '--subresource=resize', '-p', JSON.stringify(patch));
    await until(isDone);
    await look('after');
    await ask('exec', pod, '--', 'sh', '-c', cgroup);
  },
});
const has = (word: string) => (seen: { pod: { status: object } }) =>
  JSON.stringify(seen.pod.status).includes(word);

/** Resources, and how they change. */
export const resizes: readonly Story[] = [
  resized(
    'resize-up',
    { limits: { cpu: '200m', memory: '96Mi' }, requests: { cpu: '200m', memory: '96Mi' } },
    {},
    (seen) => seen.pod.status.containerStatuses[0].resources?.limits?.memory === '96Mi',
  ),
  resized(
    'resize-down',
    { limits: { memory: '48Mi' }, requests: { memory: '48Mi' } },
    {},
    (seen) => seen.pod.status.containerStatuses[0].resources?.limits?.memory === '48Mi',
  ),
  resized(
    'resize-by-restart',
    { limits: { memory: '96Mi' }, requests: { memory: '96Mi' } },
    { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] },
    restarted(1),
  ),
  resized(
    'resize-too-far',
    { limits: { cpu: '900' }, requests: { cpu: '900' } },
    {},
    has('PodResizePending'),
  ),
  {
    name: 'resources-burstable',
    spec: {
      restartPolicy: 'Never',
      containers: [
        script(`${cgroup}; cat /proc/1/oom_score_adj`, {
          resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
        }),
      ],
    },
  },
  {
    name: 'resources-guaranteed',
    spec: {
      restartPolicy: 'Never',
      containers: [script(`${cgroup}; cat /proc/1/oom_score_adj`, { resources: { limits } })],
    },
  },
  {
    name: 'resources-none',
    spec: { restartPolicy: 'Never', containers: [script(`${cgroup}; cat /proc/1/oom_score_adj`)] },
  },
  {
    name: 'resources-of-the-pod',
    spec: {
      restartPolicy: 'Never',
      resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m', memory: '96Mi' } },
      containers: [
        script(`${cgroup}; cat /proc/1/oom_score_adj`),
        script('true', { name: 'other', resources: { limits: { memory: '32Mi' } } }),
      ],
    },
  },
  {
    name: 'resources-odd-amounts',
    spec: {
      restartPolicy: 'Never',
      containers: [
        script(cgroup, {
          resources: { requests: { cpu: '1m', memory: '1' }, limits: { cpu: '0.0015', memory: '33554433' } },
        }),
      ],
    },
  },
  {
    name: 'priority-and-overhead-of-a-critical-pod',
    spec: {
      restartPolicy: 'Never',
      priorityClassName: 'system-node-critical',
      containers: [script('cat /proc/1/oom_score_adj')],
    },
  },
];
