/** A Deployment of many pods: until all are ready, until another template has replaced them, until none is left. */
import type { Side } from '../side.ts';

const replicas = 50;
const path = '/apis/apps/v1/namespaces/default/deployments';
const name = 'bench-roll-out';
const selector = { app: name };
const timeout = '--timeout=300s';

const deployment = (image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: selector },
    template: {
      metadata: { labels: selector },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: 'main',
            image,
            imagePullPolicy: 'IfNotPresent',
            command: ['sh', '-c', 'sleep 1000000 & wait'],
          },
        ],
      },
    },
  },
});

const isRolledOut = (side: Side) => side.kubectl(['rollout', 'status', `deployment/${name}`, timeout]);
const areGone = (side: Side) => side.kubectl(['wait', '--for=delete', 'pod', '-l', `app=${name}`, timeout]);

async function elapsedMs(step: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await step();
  return performance.now() - startedMs;
}

/** A step of the Deployment's life, whose time counts; those before it are taken, and what is left is removed after it. */
async function lifeUntil(side: Side, step: 'ready' | 'rolled' | 'gone'): Promise<number> {
  const change = (patch: object) =>
    side.api.request('PATCH', `${path}/${name}`, patch, 'application/strategic-merge-patch+json');
  const steps = {
    ready: async () => {
      await side.api.request('POST', path, deployment(side.image));
      await isRolledOut(side);
    },
    rolled: async () => {
      const annotations = { round: 'second' };
      await change({ spec: { template: { metadata: { annotations } } } });
      await isRolledOut(side);
    },
    gone: async () => {
      await change({ spec: { replicas: 0 } });
      await areGone(side);
    },
  };
  try {
    if (step !== 'ready') await steps.ready();
    return await elapsedMs(steps[step]);
  } finally {
    await side.kubectl(['delete', 'deployment', name, '--cascade=foreground', timeout]);
    await areGone(side);
  }
}

/** From the Deployment's creation until all its pods are ready, in milliseconds. */
export const untilReadyMs = (side: Side): Promise<number> => lifeUntil(side, 'ready');

/** From another template until it has replaced all pods, by the default strategy. */
export const untilRolledMs = (side: Side): Promise<number> => lifeUntil(side, 'rolled');

/** From a scale to zero until no pod is left. */
export const untilGoneMs = (side: Side): Promise<number> => lifeUntil(side, 'gone');
