import type { CronJob } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { templateWarnings } from '../template-warnings.ts';
import { indexWarnings } from './job.ts';

/** Cron jobs. */
export const cronJob: ServedKind = {
  group: 'batch',
  kind: 'CronJob',
  strategy: {
    ...specGenerations,
    ...templateWarnings({
      ...{ path: 'spec.jobTemplate.spec.template', namesPods: true },
      others: (object) => indexWarnings(as<CronJob>(object).spec?.jobTemplate?.spec, 'spec.jobTemplate.spec'),
      of: (object) => as<CronJob>(object).spec?.jobTemplate?.spec?.template,
    }),
  },
};
