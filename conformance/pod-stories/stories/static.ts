import { all, hasEvent, isOver, isReady, restarted, type Story, script, stay, waits } from '../story.ts';

const fixed = (name: string, spec: object, more: Partial<Story> = {}): Story => ({
  name,
  spec,
  isStatic: true,
  ...more,
});

/** Pods of the kubelet's folder of manifests. */
export const staticPods: readonly Story[] = [
  fixed('static', { containers: [script(`echo up; ${stay}`)] }, { until: isReady }),
  fixed('static-over', { restartPolicy: 'Never', containers: [script('exit 4')] }, { until: isOver }),
  fixed(
    'static-crashes',
    { containers: [script('exit 4')] },
    { until: all(restarted(1), waits('CrashLoopBackOff')) },
  ),
  fixed(
    'static-image-absent',
    { containers: [{ name: 'main', image: 'stories.test/absent:1' }] },
    { until: waits('ImagePullBackOff') },
  ),
  fixed(
    'static-deleted-at-the-server',
    { containers: [script(stay)] },
    {
      until: isReady,
      async next({ name, change, until, look }) {
        await change('delete', 'pod', name, '--wait=false');
        await until(isReady);
        await look('after');
      },
    },
  ),
  fixed(
    'static-too-large',
    { containers: [script(stay, { resources: { requests: { cpu: '900' } } })] },
    { until: hasEvent('OutOfcpu') },
  ),
];
