import { keyOf, kinds } from '@wherry/client';
import type { Job } from '@wherry/kubeapi/objects';
import { isJobFinished } from '../job/job-outcome.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';

/** When a job that is over may go, in milliseconds since 1970; undefined when it stays, goes, or says not when it ended. */
export function goesAtMs(job: Job): number | undefined {
  const { ttlSecondsAfterFinished } = job.spec;
  if (ttlSecondsAfterFinished === undefined || job.metadata.deletionTimestamp || !isJobFinished(job))
    return undefined;
  const end = job.status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  const endedMs = Date.parse(end?.lastTransitionTime ?? '');
  return Number.isNaN(endedMs) ? undefined : endedMs + ttlSecondsAfterFinished * 1000;
}

const watches = { jobs: { type: kinds.jobs } };

/** Deletes jobs some time after they are over, with their pods. */
export const ttlAfterFinished = defineController({
  name: 'ttl-after-finished-controller',
  watches,
  writes: ['jobs'],
  build: ({ cluster, informers, queue }) => ({
    keysOf: { jobs: (job) => (goesAtMs(job) === undefined ? [] : [keyOf(job)]) },
    async reconcile(key, signal) {
      const job = informers.jobs.objects.get(key);
      const atMs = job && goesAtMs(job);
      if (!job || atMs === undefined) return;
      const waitMs = atMs - cluster.clock.nowMs();
      if (waitMs > 0) return queue.addAfter(key, waitMs);
      const { name = '', namespace, uid = '', resourceVersion = '' } = job.metadata;
      const preconditions = { uid, resourceVersion };
      try {
        const resource = cluster.client.resource(kinds.jobs);
        await resource.delete(
          { name, namespace },
          { propagationPolicy: 'Foreground', preconditions, signal },
        );
      } catch (error) {
        // What has changed comes again.
        if (!isLateWrite(error)) throw error;
      }
    },
  }),
});
