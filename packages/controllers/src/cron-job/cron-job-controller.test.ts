import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { startControllers } from '@wherry/controllers';
import { type CronJob, type CronJobSpec, type Job, timeFromMs } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { eventually, ownedBy, TestCluster } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const specOf = (app: string, more: Partial<CronJobSpec> = {}): { spec: CronJobSpec } => ({
  spec: {
    schedule: '@every 1s',
    jobTemplate: {
      metadata: { labels: { app } },
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } },
      },
    },
    ...more,
  },
});
const jobsOf = (app: string): Promise<Job[]> => there.labelled(kinds.jobs, `app=${app}`);
const stop = (name: string) => there.merge(kinds.cronJobs, name, { spec: { suspend: true } });

describe('the cron job controller', () => {
  it('starts a job when it is time, and keeps track of it', async () => {
    there.kubelet.outcomeOf = () => 'ready';
    await there.create(kinds.cronJobs, 'tick', specOf('tick', { concurrencyPolicy: 'Forbid' }));
    const running = await there.until(
      kinds.cronJobs,
      'tick',
      'runs',
      ({ status }) => status?.active?.length === 1,
    );
    const [job] = await jobsOf('tick');
    assert.match(job?.metadata.name ?? '', /^tick-\d{8}$/);
    assert.equal(running.status?.active?.[0]?.uid, job?.metadata.uid);
    assert.ok(running.status?.lastScheduleTime);
    assert.ok(job?.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp']);
    await stop('tick');
    there.kubelet.outcomeOf = () => ({ exitCode: 0 });
    there.kubelet.again();
    const isIdle = ({ status }: CronJob) => !status?.active && status?.lastSuccessfulTime !== undefined;
    await there.until(kinds.cronJobs, 'tick', 'is idle', isIdle);
    const events = await there.events('tick');
    assert.ok(
      events.includes(`SawCompletedJob: Saw completed job: ${job?.metadata.name}, condition: Complete`),
    );
  });

  it('keeps as many jobs as it is told', async () => {
    await there.merge(kinds.cronJobs, 'tick', { spec: { successfulJobsHistoryLimit: 0 } });
    await eventually('the job is gone', async () => (await jobsOf('tick')).length === 0);
  });

  it('tells of a job that it did not make in one event, however often it sees it', async () => {
    const owner = await there.create(kinds.cronJobs, 'asked', specOf('asked', { suspend: true }));
    const { jobTemplate } = specOf('asked').spec;
    await there.create(kinds.jobs, 'by-hand', {
      metadata: {
        ...{ name: 'by-hand', namespace: 'default', labels: { app: 'asked' } },
        ownerReferences: [ownedBy(owner, { controller: true })],
      },
      spec: { ...jobTemplate.spec!, suspend: true },
    });
    const told = async () => {
      const { items } = await there.cluster.client
        .resource(kinds.events)
        .listAll({ namespace: 'default', fieldSelector: 'reason=UnexpectedJob' });
      return items;
    };
    for (const times of [1, 2, 3])
      await eventually(`it is told ${times} times`, async () => {
        await there.merge(kinds.cronJobs, 'asked', {
          metadata: { annotations: { seen: `${Math.random()}` } },
        });
        return ((await told())[0]?.count ?? 0) >= times;
      });
    assert.deepEqual(
      (await told()).map(({ message }) => message),
      ['Saw a job that the controller did not create or forgot: by-hand'],
    );
  });

  it('leaves a job for as long as it is told', async () => {
    const template = specOf('brief').spec.jobTemplate;
    await there.create(kinds.jobs, 'brief', {
      metadata: { name: 'brief', namespace: 'default', labels: { app: 'brief' } },
      spec: { ...template.spec!, ttlSecondsAfterFinished: 0 },
    });
    await there.cluster.gone(kinds.jobs, 'brief');
  });

  it('says of a schedule that never comes that it is none', async () => {
    await there.create(kinds.cronJobs, 'never', specOf('never', { schedule: '0 0 31 2 *' }));
    const why = 'time difference between two schedules is less than 1 second';
    const said = `InvalidSchedule: invalid schedule: 0 0 31 2 * : ${why}`;
    await eventually(said, async () => (await there.events('never')).includes(said));
  });
});

/** A cron job at a time of its own, of which nothing is run. */
async function startAlone(name: string, schedule: string, more: Partial<CronJobSpec> = {}) {
  const cluster = await TestCluster.startServer();
  const hourMs = 3_600_000;
  const beginMs = Math.ceil(Date.now() / hourMs) * hourMs + hourMs / 2;
  const clock = new FakeClock({ nowMs: beginMs });
  const { client } = cluster;
  const controllers = startControllers({
    ...{ client: cluster.managers['kube-controller-manager'], rootCaPem: '', clock, logger: silentLogger },
    controllers: ['cronjob-controller'],
  });
  const metadata = { name, namespace: 'default', annotations: {} };
  const spec = specOf(name, { ...more, schedule });
  await client
    .resource(kinds.cronJobs)
    .create({ apiVersion: 'batch/v1', kind: 'CronJob', metadata, ...spec });
  await eventually('its time is waited for', async () => clock.pendingTimers > 0);
  const names = async () => {
    const { items } = await client.resource(kinds.jobs).list({ namespace: 'default' });
    return items.map((job) => job.metadata.name ?? '');
  };
  return {
    ...{ client, beginMs, names },
    started: async (count: number) => {
      await eventually(`${count} jobs are started`, async () => {
        await clock.advanceAsync(60_000);
        return (await names()).length >= count;
      });
      return names();
    },
    async [Symbol.asyncDispose]() {
      await controllers.close();
      await cluster.close();
    },
  };
}

it('a schedule that has changed begins with its next time, not with one that is past', async () => {
  await using alone = await startAlone('changed', '@yearly');
  const where = { name: 'changed', namespace: 'default', type: 'merge' } as const;
  await alone.client.resource(kinds.cronJobs).patch({ ...where, patch: { spec: { schedule: '@hourly' } } });
  const [first] = await alone.started(1);
  assert.ok(Number(first?.split('-')[1]) * 60_000 > alone.beginMs, first);
});

it('an old job that can’t be deleted keeps the next one from nothing', async () => {
  await using alone = await startAlone('stuck', '@hourly', { successfulJobsHistoryLimit: 0 });
  const { client } = alone;
  const name = 'kept';
  const rules = [
    { apiGroups: ['batch'], apiVersions: ['v1'], resources: ['jobs'], operations: ['DELETE' as const] },
  ];
  const [apiVersion, jobs] = ['admissionregistration.k8s.io/v1', client.resource(kinds.jobs)];
  await client.resource(kinds.validatingAdmissionPolicies).create({
    ...{ apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name } },
    spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: 'false' }] },
  });
  await client.resource(kinds.validatingAdmissionPolicyBindings).create({
    ...{ apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name } },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
  const [first = ''] = await alone.started(1);
  const where = { name: first, namespace: 'default' };
  await eventually('jobs stay', () =>
    jobs.delete(where, { dryRun: true }).then(
      () => false,
      () => true,
    ),
  );
  const at = timeFromMs(alone.beginMs);
  const condition = (type: string) => ({ type, status: 'True', reason: 'Given', lastTransitionTime: at });
  const conditions = [condition('SuccessCriteriaMet'), condition('Complete')];
  const status = { startTime: at, completionTime: at, conditions };
  await jobs.patch({ ...where, subresource: 'status', type: 'merge', patch: { status } });
  assert.ok((await alone.started(2)).includes(first));
});
