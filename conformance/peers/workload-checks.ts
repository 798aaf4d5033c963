import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../e2e/node.ts';
import type { Cluster } from './cluster.ts';

const image = 'docker.io/library/wherry-test:latest';
const sleep = ['sh', '-c', 'trap exit TERM; sleep 100000 & wait'];
const patience = '--timeout=90s';

const template = (app: string, container: object = {}, spec: object = {}) => ({
  metadata: { labels: { app } },
  spec: {
    ...{ terminationGracePeriodSeconds: 1, ...spec },
    containers: [{ name: 'main', image, imagePullPolicy: 'Never', command: sleep, ...container }],
  },
});
const object = (apiVersion: string, kind: string, name: string, spec: object) => ({
  ...{ apiVersion, kind, metadata: { name, labels: { app: name } } },
  spec,
});
const workload = (kind: string, name: string, spec: object = {}) =>
  object('apps/v1', kind, name, {
    ...{ selector: { matchLabels: { app: name } }, template: template(name) },
    ...spec,
  });
const job = (command: string[], spec: object = {}) => ({
  ...{ backoffLimit: 1, ...spec },
  template: template('job', { command }, { restartPolicy: 'Never' }),
});

/** What a controller manager and a scheduler make of the kinds that charts are made of. */
export function checkWorkloads(clusterOf: () => Cluster): void {
  const ok = (...words: string[]) => clusterOf().kubectlOk(words);
  const apply = (...objects: object[]) =>
    clusterOf().kubectlOk(['apply', '-f', '-'], {
      stdin: objects.map((each) => JSON.stringify(each)).join('\n'),
    });
  const field = (what: string, path: string) => ok('get', ...what.split(' '), '-o', `jsonpath={${path}}`);
  const rolledOut = (what: string) => ok('rollout', 'status', what, patience);
  const becomes = (wanted: string, what: string, path: string) =>
    eventually(`${what} ${path} to be ${wanted}`, async () => (await field(what, path)) === wanted, 60_000);
  const noneOf = (kind: string, app: string) =>
    eventually(
      `no ${kind} of ${app}`,
      async () => (await ok('get', kind, '-l', `app=${app}`, '-o', 'name')) === '',
    );

  test('a deployment rolls out, over and back, and its service has its pods', async () => {
    await apply(
      workload('Deployment', 'web', { replicas: 2 }),
      object('v1', 'Service', 'web', { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] }),
    );
    await rolledOut('deployment/web');
    await ok('set', 'env', 'deployment/web', 'A=2');
    await rolledOut('deployment/web');
    assert.match(await ok('rollout', 'history', 'deployment/web'), /^2 /m);
    await ok('rollout', 'undo', 'deployment/web');
    await rolledOut('deployment/web');
    await ok('scale', 'deployment/web', '--replicas=3');
    const slices = 'endpointslices -l kubernetes.io/service-name=web';
    await eventually('three addresses', async () => {
      const ready = await field(slices, '.items[*].endpoints[*].conditions.ready');
      return ready === 'true true true';
    });
    assert.notEqual(await field('endpoints web', '.subsets[0].addresses[2].ip'), '');
  });

  test('an autoscaler brings a deployment to its least number, and a budget knows its pods', async () => {
    await apply(
      object('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        ...{ minReplicas: 4, maxReplicas: 5 },
      }),
      object('policy/v1', 'PodDisruptionBudget', 'web', {
        ...{ minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
      }),
    );
    await becomes('4', 'deployment web', '.status.readyReplicas');
    await becomes('3', 'pdb web', '.status.disruptionsAllowed');
    await ok('delete', 'hpa,pdb', 'web');
  });

  test('what is deleted takes what it owns along, or leaves it where that is asked for', async () => {
    await ok('delete', 'deployment', 'web', '--cascade=orphan');
    await becomes('', 'rs -l app=web', '.items[*].metadata.ownerReferences');
    await ok('delete', 'rs', '-l', 'app=web', '--cascade=foreground', patience);
    await noneOf('pods', 'web');
    await ok('delete', 'service', 'web');
    await eventually(
      'no slices',
      async () =>
        (await ok('get', 'endpointslices', '-l', 'kubernetes.io/service-name=web', '-o', 'name')) === '',
    );
  });

  test('a stateful set starts and rolls in order', async () => {
    await apply(workload('StatefulSet', 'db', { replicas: 2, serviceName: 'db' }));
    await rolledOut('statefulset/db');
    await ok('set', 'env', 'statefulset/db', 'A=2');
    await rolledOut('statefulset/db');
    assert.equal(await field('pod db-0', '.spec.containers[0].env[0].value'), '2');
    await ok('delete', 'statefulset', 'db');
    await noneOf('pods', 'db');
  });

  test('a daemon set is on each node, and rolls', async () => {
    await apply(workload('DaemonSet', 'agent'));
    await rolledOut('daemonset/agent');
    await ok('set', 'env', 'daemonset/agent', 'A=2');
    await rolledOut('daemonset/agent');
    await ok('delete', 'daemonset', 'agent');
    await noneOf('pods', 'agent');
  });

  test('jobs complete, by index and by the clock', async () => {
    const indexed = job(['sh', '-c', 'echo $JOB_COMPLETION_INDEX'], {
      ...{ completions: 3, parallelism: 2, completionMode: 'Indexed' },
    });
    await apply(
      object('batch/v1', 'Job', 'indexed', indexed),
      object('batch/v1', 'Job', 'failing', job(['false'], { backoffLimit: 0 })),
      object('batch/v1', 'CronJob', 'minutely', {
        schedule: '* * * * *',
        jobTemplate: { spec: job(['true']) },
      }),
    );
    await ok('wait', '--for=condition=Complete', 'job/indexed', patience);
    assert.equal(await field('job indexed', '.status.completedIndexes'), '0-2');
    await ok('wait', '--for=condition=Failed', 'job/failing', patience);
    await eventually(
      'a run by the clock',
      async () => (await field('cronjob minutely', '.status.lastSuccessfulTime')) !== '',
      90_000,
    );
    await ok('delete', 'cronjob/minutely', 'job/indexed', 'job/failing');
    await noneOf('pods', 'job');
  });

  test('a namespace gets its account and its certificates, counts its quota, and goes with all that is in it', async () => {
    await ok('create', 'namespace', 'team');
    await ok('-n', 'team', 'create', 'quota', 'some', '--hard=configmaps=5,pods=1');
    await eventually(
      'the account',
      async () => (await clusterOf().kubectl(['-n', 'team', 'get', 'sa', 'default'])).code === 0,
    );
    await becomes('1', '-n team quota some', '.status.used.configmaps');
    const over = workload('ReplicaSet', 'over', { replicas: 2 });
    await clusterOf().kubectlOk(['-n', 'team', 'apply', '-f', '-'], { stdin: JSON.stringify(over) });
    await becomes('1', '-n team rs over', '.status.readyReplicas');
    assert.match(await ok('-n', 'team', 'describe', 'rs', 'over'), /exceeded quota: some/);
    await ok('delete', 'namespace', 'team', patience);
  });
}
