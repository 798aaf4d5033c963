import type { CronJob } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { templateWarnings } from '../template-warnings.ts';
import { indexWarnings } from './job.ts';

const zoneAdvice =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

const { warningsOf: podWarningsOf } = templateWarnings({
  ...{ path: 'spec.jobTemplate.spec.template', namesPods: true },
  others: (object) => indexWarnings(as<CronJob>(object).spec?.jobTemplate?.spec, 'spec.jobTemplate.spec'),
  of: (object) => as<CronJob>(object).spec?.jobTemplate?.spec?.template,
});

/** Cron jobs. */
export const cronJob: ServedKind = {
  group: 'batch',
  kind: 'CronJob',
  strategy: {
    ...specGenerations,
    warningsOf(object, previous) {
      const isZoned = previous !== undefined && as<CronJob>(object).spec?.schedule?.includes('TZ');
      return [...(podWarningsOf?.(object, previous) ?? []), ...(isZoned ? [zoneAdvice] : [])];
    },
  },
};
