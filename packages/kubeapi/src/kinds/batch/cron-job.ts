/** Cron jobs. */

import { type FieldError, invalidValue, notSupported, required } from '../../field-error.ts';
import type { CronJob } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import {
  ageColumn,
  column,
  containerCells,
  nameColumn,
  type Printer,
  selectorText,
  templateColumns,
} from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { validateJobSpec } from './job.ts';

const printer: Printer<CronJob> = {
  columns: [
    ...[
      nameColumn,
      column('Schedule'),
      column('Timezone'),
      column('Suspend', 'boolean'),
      column('Active', 'integer'),
    ],
    ...[column('Last Schedule'), ageColumn, ...templateColumns],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.schedule, spec.timeZone ?? '<none>'],
    ...[
      spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
      status?.active?.length ?? 0,
    ],
    ...[
      status?.lastScheduleTime ? age(status.lastScheduleTime, nowMs) : '<none>',
      age(metadata.creationTimestamp, nowMs),
    ],
    ...[
      ...containerCells(spec.jobTemplate.spec?.template.spec?.containers),
      selectorText(spec.jobTemplate.spec?.selector),
    ],
  ],
};

/** Cron jobs. */
export const cronJob: KindDefinition<CronJob> = {
  group: 'batch',
  kind: 'CronJob',
  printer,
  validate: validateCronJob,
  defaults: {
    CronJobSpec: {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    },
  },
  descriptions: {
    CronJob: { '': 'Makes jobs at set times.' },
    CronJobSpec: {
      '': 'When and what.',
      schedule: 'Five cron fields: minute, hour, day, month, weekday.',
      timeZone: 'The zone of the schedule.',
      concurrencyPolicy: 'Allow, Forbid or Replace, when the last job still runs.',
      suspend: 'Make no new jobs.',
      jobTemplate: 'What its jobs look like.',
    },
  },
};

/** Violations in a cron job. */
function validateCronJob({ spec }: CronJob): FieldError[] {
  const errors = spec.schedule ? validateSchedule(spec.schedule) : [required('spec.schedule')];
  const policies = ['Allow', 'Forbid', 'Replace'];
  const { concurrencyPolicy: policy = '' } = spec;
  if (!policies.includes(policy)) errors.push(notSupported('spec.concurrencyPolicy', policy, policies));
  const { spec: job } = spec.jobTemplate;
  return [...errors, ...(job ? validateJobSpec(job, 'spec.jobTemplate.spec') : [])];
}

function validateSchedule(schedule: string): FieldError[] {
  const isMacro = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/.test(schedule);
  const count = schedule.trim().split(/\s+/).length;
  if (isMacro || count === 5) return [];
  const detail = `expected exactly 5 fields, found ${count}: [${schedule.trim()}]`;
  return [invalidValue('spec.schedule', schedule, detail)];
}
