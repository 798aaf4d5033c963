/** Cron jobs. */

import type { CronJob, CronJobSpec } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { type FieldError, invalidValue, notSupported, required } from '../../status/field-error.ts';
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
import { nonNegative } from '../../validation/metadata.ts';
import { oneOf } from '../../validation/values.ts';
import type { KindDefinition } from '../definition.ts';
import { scheduleComplaint } from './cron-schedule.ts';
import { validateJobSpec } from './job-validation.ts';

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
  validateUpdate: (next, previous) => validateSpec(next.spec, previous.spec),
  validateSubresource: { status: () => [] },
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

const policies = ['Allow', 'Forbid', 'Replace'];
/** What jobs add to the name of their cron job. */
const nameBytesMax = 52;

/** Violations in a cron job that is created. */
function validateCronJob(cronJob: CronJob): FieldError[] {
  const { name = '' } = cronJob.metadata ?? {};
  const isLong = Buffer.byteLength(name) > nameBytesMax;
  return [
    ...validateSpec(cronJob.spec, undefined),
    ...(isLong
      ? [invalidValue('metadata.name', name, `must be no more than ${nameBytesMax} characters`)]
      : []),
  ];
}

function validateSpec(spec: CronJobSpec, previous: CronJobSpec | undefined): FieldError[] {
  const { schedule = '', timeZone, jobTemplate } = spec;
  const job = jobTemplate?.spec;
  const counts = ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'] as const;
  return [
    ...(schedule === '' ? [required('spec.schedule')] : validateSchedule(schedule, timeZone, previous)),
    ...counts.flatMap((name) => nonNegative(`spec.${name}`, spec[name])),
    ...(previous && previous.timeZone === timeZone ? [] : validateTimeZone(timeZone)),
    ...oneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, policies),
    ...(job ? validateJobSpec(job, 'spec.jobTemplate.spec') : []),
    ...(job?.selector
      ? [invalidValue('spec.jobTemplate.spec.selector', job.selector as JsonValue, 'it is generated')]
      : []),
    ...(job?.manualSelector
      ? [notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false'])]
      : []),
  ];
}

function validateSchedule(
  schedule: string,
  timeZone: string | undefined,
  previous: CronJobSpec | undefined,
): FieldError[] {
  const field = 'spec.schedule';
  const complaint = scheduleComplaint(schedule);
  const errors = complaint === undefined ? [] : [invalidValue(field, schedule, complaint)];
  if (!schedule.includes('TZ')) return errors;
  const hadZone = previous?.schedule?.includes('TZ') ?? false;
  if (hadZone && timeZone === undefined) return errors;
  return [
    ...errors,
    invalidValue(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'),
  ];
}

function validateTimeZone(zone: string | undefined): FieldError[] {
  const field = 'spec.timeZone';
  if (zone === undefined) return [];
  if (zone === '') return [invalidValue(field, zone, 'timeZone must be nil or non-empty string')];
  if (/^local$/i.test(zone)) return [invalidValue(field, zone, 'timeZone must be an explicit time zone')];
  return isTimeZone(zone) ? [] : [invalidValue(field, zone, `unknown time zone ${zone}`)];
}

function isTimeZone(zone: string): boolean {
  if (!zone.split('/').every((part) => /^[A-Za-z_+.][A-Za-z0-9._+-]*$/.test(part) && !/^\.\.?$/.test(part)))
    return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
