import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { CronJob, CronJobSpec, Job } from '@wherry/kubeapi';
import { eventually, ownedBy } from '../../test/cluster.ts';
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
});
