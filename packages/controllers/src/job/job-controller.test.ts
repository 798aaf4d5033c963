import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import { type Job, type JobSpec, type Pod, type PodFailurePolicyRule, timeFromMs } from '@wherry/kubeapi';
import { eventually, ownedBy } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const specOf = (more: Partial<JobSpec> = {}): { spec: JobSpec } => ({
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } },
    ...more,
  },
});

const isDone = ({ status }: Job) =>
  Boolean(status?.conditions?.some(({ type }) => type === 'Complete' || type === 'Failed'));
const done = (name: string) => there.until(kinds.jobs, name, 'is over', isDone);
const conditions = ({ status }: Job) =>
  status?.conditions?.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
const podsOf = (name: string) => there.pods(`batch.kubernetes.io/job-name=${name}`);
const index = (pod: Pod) => Number(pod.metadata.labels?.['batch.kubernetes.io/job-completion-index']);

describe('the job controller', () => {
  it('runs as many pods as it is asked for, and counts each once', async () => {
    there.kubelet.outcomeOf = () => ({ exitCode: 0 });
    await there.create(kinds.jobs, 'six', specOf({ completions: 6, parallelism: 2 }));
    const job = await done('six');
    assert.deepEqual(conditions(job), [
      'SuccessCriteriaMet=True CompletionsReached',
      'Complete=True CompletionsReached',
    ]);
    const { succeeded, active, ready, terminating, uncountedTerminatedPods } = job.status ?? {};
    assert.deepEqual([succeeded, active, ready, terminating], [6, undefined, 0, 0]);
    assert.deepEqual(uncountedTerminatedPods, {});
    assert.ok(job.status?.completionTime);
    const pods = await podsOf('six');
    assert.equal(pods.length, 6);
    assert.deepEqual(
      pods.flatMap(({ metadata }) => metadata.finalizers ?? []),
      [],
    );
    const events = await there.events('six');
    assert.equal(events.filter((event) => event.startsWith('SuccessfulCreate: Created pod: six-')).length, 6);
    await eventually(
      'it is said',
      async () => (await there.events('six')).at(-1) === 'Completed: Job completed',
    );
  });

  it('gives up after too many failures', async () => {
    there.kubelet.outcomeOf = () => ({ exitCode: 3 });
    await there.create(kinds.jobs, 'bad', specOf({ backoffLimit: 0 }));
    const job = await done('bad');
    assert.deepEqual(conditions(job), [
      'FailureTarget=True BackoffLimitExceeded',
      'Failed=True BackoffLimitExceeded',
    ]);
    assert.equal(job.status?.failed, 1);
    const said = 'BackoffLimitExceeded: Job has reached the specified backoff limit';
    await eventually(said, async () => (await there.events('bad')).at(-1) === said);
  });

  it('works through indexes, each with a limit of its own', async () => {
    there.kubelet.outcomeOf = (pod) => ({ exitCode: index(pod) === 1 ? 1 : 0 });
    const spec = {
      completions: 4,
      parallelism: 4,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 0,
    } as const;
    await there.create(kinds.jobs, 'parts', specOf(spec));
    const job = await done('parts');
    assert.deepEqual(conditions(job), ['FailureTarget=True FailedIndexes', 'Failed=True FailedIndexes']);
    assert.deepEqual([job.status?.completedIndexes, job.status?.failedIndexes], ['0,2,3', '1']);
    const pods = await podsOf('parts');
    assert.deepEqual(pods.map(index).sort(), [0, 1, 2, 3]);
    const [pod] = pods.filter((each) => index(each) === 2);
    assert.match(pod?.metadata.name ?? '', /^parts-2-[a-z0-9]{5}$/);
    assert.equal(pod?.spec?.hostname, 'parts-2');
    assert.equal(pod?.spec?.containers[0]?.env?.[0]?.name, 'JOB_COMPLETION_INDEX');
  });

  it('ends early when the success policy is met', async () => {
    there.kubelet.outcomeOf = (pod) => (index(pod) === 0 ? { exitCode: 0 } : 'ready');
    const successPolicy = { rules: [{ succeededIndexes: '0' }] };
    const spec = { completions: 3, parallelism: 3, completionMode: 'Indexed', successPolicy } as const;
    await there.create(kinds.jobs, 'leader', specOf(spec));
    const job = await done('leader');
    assert.deepEqual(conditions(job), [
      'SuccessCriteriaMet=True SuccessPolicy',
      'Complete=True SuccessPolicy',
    ]);
    assert.equal(job.status?.succeeded, 1);
  });

  it('works through the first of two billion indexes without a list of them all', async () => {
    there.kubelet.outcomeOf = () => ({ exitCode: 0 });
    const successPolicy = { rules: [{ succeededIndexes: '0-1999999998', succeededCount: 2 }] };
    const completions = 2_000_000_000;
    const spec = { completions, parallelism: 2, completionMode: 'Indexed', successPolicy } as const;
    await there.create(kinds.jobs, 'vast', specOf(spec));
    const { status } = await done('vast');
    assert.match(status?.completedIndexes ?? '', /^0[,-]/);
    assert.equal(status?.conditions?.at(-1)?.reason, 'SuccessPolicy');
  });

  it('fails by rule of the failure policy, and says which', async () => {
    there.kubelet.outcomeOf = () => ({ exitCode: 42 });
    const rule: PodFailurePolicyRule = {
      action: 'FailJob',
      onExitCodes: { operator: 'In', values: [42] },
    };
    const podFailurePolicy = { rules: [rule] };
    await there.create(kinds.jobs, 'ruled', specOf({ podFailurePolicy, backoffLimit: 5 }));
    const job = await done('ruled');
    const { reason, message } = job.status?.conditions?.at(-1) ?? {};
    assert.equal(reason, 'PodFailurePolicy');
    assert.match(
      message ?? '',
      /^Container main for pod default\/ruled-\w+ failed with exit code 42 matching FailJob rule at index 0$/,
    );
  });

  it('is suspended and resumed', async () => {
    there.kubelet.outcomeOf = () => 'ready';
    await there.create(kinds.jobs, 'pause', specOf());
    await there.until(kinds.jobs, 'pause', 'runs', ({ status }) => status?.ready === 1);
    await there.merge(kinds.jobs, 'pause', { spec: { suspend: true } });
    const suspended = await there.until(kinds.jobs, 'pause', 'stands still', ({ status }) => !status?.active);
    assert.deepEqual(conditions(suspended), ['Suspended=True JobSuspended']);
    await eventually('its pod is gone', async () => (await podsOf('pause')).length === 0);
    there.kubelet.outcomeOf = () => ({ exitCode: 0 });
    await there.merge(kinds.jobs, 'pause', { spec: { suspend: false } });
    const job = await done('pause');
    assert.deepEqual(conditions(job)?.[0], 'Suspended=False JobResumed');
    assert.equal(job.status?.failed, undefined);
  });

  it('ends what runs for too long', async () => {
    there.kubelet.outcomeOf = () => 'ready';
    await there.create(kinds.jobs, 'long', specOf({ activeDeadlineSeconds: 1 }));
    const job = await done('long');
    assert.deepEqual(conditions(job)?.at(-1), 'Failed=True DeadlineExceeded');
    assert.equal(job.status?.failed, 1);
  });

  it('lets its pods go when it is deleted', async () => {
    there.kubelet.outcomeOf = () => 'ready';
    await there.create(kinds.jobs, 'gone', specOf({ parallelism: 2, completions: 2 }));
    await there.until(kinds.jobs, 'gone', 'runs', ({ status }) => status?.ready === 2);
    const options = { propagationPolicy: 'Background' } as const;
    await there.cluster.client.resource(kinds.jobs).delete({ name: 'gone', namespace: 'default' }, options);
    await eventually('its pods are gone', async () => (await podsOf('gone')).length === 0);
  });

  it('takes its finalizer off a pod that is nobody’s', async () => {
    const spec = { containers: [{ name: 'main', image: 'busybox' }] };
    const finalizers = ['batch.kubernetes.io/job-tracking', 'example.com/other'];
    await there.cluster.create(kinds.pods, 'left-over', { finalizers }, { spec });
    const isFree = ({ metadata }: Pod) => metadata.finalizers?.join() === 'example.com/other';
    await there.until(kinds.pods, 'left-over', 'is free', isFree);
    await there.merge(kinds.pods, 'left-over', { metadata: { finalizers: null } });
  });

  it('takes its finalizer off the pods of a job that is gone, though another one has its name', async () => {
    const job = await there.create(kinds.jobs, 'again', specOf({ suspend: true }));
    const owners = [{ ...ownedBy(job, { controller: true }), uid: 'of-the-first' }];
    const { spec } = specOf().spec.template;
    const finalizers = ['batch.kubernetes.io/job-tracking'];
    await there.cluster.create(kinds.pods, 'again-1', { owners, finalizers }, { spec });
    const { client } = there.cluster;
    const left = async () =>
      (
        await client
          .resource(kinds.pods)
          .list({ namespace: 'default', fieldSelector: 'metadata.name=again-1' })
      ).items;
    await eventually('the pod is gone', async () => (await left()).length === 0);
  });

  it('leaves the pods of a job to the controller that runs it, also when that is over', async () => {
    const job = await there.create(kinds.jobs, 'foreign', specOf({ managedBy: 'example.com/queue' }));
    const owners = [ownedBy(job, { controller: true })];
    const { spec } = specOf().spec.template;
    const finalizers = ['batch.kubernetes.io/job-tracking'];
    await there.cluster.create(kinds.pods, 'foreign-1', { owners, finalizers }, { spec });
    const now = timeFromMs(Date.now());
    const failed = (type: string) => ({ type, status: 'True', reason: 'Given', lastTransitionTime: now });
    const status = { startTime: now, conditions: [failed('FailureTarget'), failed('Failed')] };
    const where = { name: 'foreign', namespace: 'default', subresource: 'status', type: 'merge' } as const;
    await there.cluster.client.resource(kinds.jobs).patch({ ...where, patch: { status } });
    there.kubelet.outcomeOf = () => ({ exitCode: 0 });
    await there.create(kinds.jobs, 'later', specOf());
    await done('later');
    const { metadata } = await there.read(kinds.pods, 'foreign-1');
    assert.deepEqual(metadata.finalizers, finalizers);
    await there.merge(kinds.pods, 'foreign-1', { metadata: { finalizers: null } });
  });

  it('tells of more pods that succeeded than were asked for', async () => {
    there.kubelet.outcomeOf = () => ({ exitCode: 0 });
    const { spec } = specOf().spec.template;
    const labels = { app: 'many' };
    for (const name of ['many-1', 'many-2']) {
      await there.create(kinds.pods, name, { metadata: { name, namespace: 'default', labels }, spec: spec! });
      await there.until(kinds.pods, name, 'is over', ({ status }) => status?.phase === 'Succeeded');
    }
    const more = { manualSelector: true, selector: { matchLabels: labels }, completions: 1 };
    const template = { metadata: { labels }, spec: spec! };
    await there.create(kinds.jobs, 'many', specOf({ ...more, template }));
    assert.equal((await done('many')).status?.succeeded, 2);
    const said = 'TooManySucceededPods: Too many succeeded pods running after completion count reached';
    await eventually(said, async () => (await there.events('many')).includes(said));
  });
});
