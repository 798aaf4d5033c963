import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CronJob } from '@wherry/kubeapi';
import { dueTimes, isTooMany, waitForNextMs } from './due-times.ts';
import { isTimeZone, parseSchedule, zonedTime } from './schedule.ts';

const at = (text: string) => Date.parse(text);
const next = (schedule: string, after: string, zone?: string) =>
  new Date(parseSchedule(schedule, zone).nextMs(at(after))).toISOString().slice(0, 16);

describe('a schedule', () => {
  // Times as upstream's own cron library gives them.
  const cases: [string, string, string, string?][] = [
    ['*/15 * * * *', '2026-07-09T14:45:01Z', '2026-07-09T15:00'],
    ['20-35/15 * * * *', '2026-07-09T14:35:00Z', '2026-07-09T15:20'],
    ['0 0 29 2 ?', '2026-07-09T23:35:00Z', '2028-02-29T00:00'],
    ['0 0 1,15 * 1', '2026-07-09T00:00:00Z', '2026-07-13T00:00'],
    ['30 9 * * MON-FRI', '2026-07-10T10:00:00Z', '2026-07-13T09:30'],
    ['@monthly', '2026-07-10T10:00:00Z', '2026-08-01T00:00'],
    ['@every 1h30m', '2026-07-10T10:00:00Z', '2026-07-10T11:30'],
    ['0 9 * * *', '2026-07-10T10:00:00Z', '2026-07-11T07:00', 'Europe/Berlin'],
    ['TZ=Asia/Tokyo 0 9 * * *', '2026-07-10T10:00:00Z', '2026-07-11T00:00'],
    // Both days count where one of them is a star, also one with a step of one; else either.
    ['0 0 */2 * 1', '2026-07-10T10:00:00Z', '2026-07-11T00:00'],
    ['0 0 13 * */1', '2026-07-10T10:00:00Z', '2026-07-13T00:00'],
    // A clock that skips an hour leaves out what is in it; one that shows an hour twice comes to it twice.
    ['30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-30T00:30', 'Europe/Berlin'],
    ['30 2 * * *', '2026-10-24T22:00:00Z', '2026-10-25T00:30', 'Europe/Berlin'],
    ['30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-25T01:30', 'Europe/Berlin'],
    ['30 2 * * *', '2026-10-25T01:30:00Z', '2026-10-26T01:30', 'Europe/Berlin'],
    ['*/30 * * * *', '2026-03-29T00:30:00Z', '2026-03-29T01:00', 'Europe/Berlin'],
    ['0 0 * * *', '2017-10-14T12:00:00Z', '2017-10-16T02:00', 'America/Sao_Paulo'],
    ['15 2 * * *', '2026-04-04T00:00:00Z', '2026-04-05T15:45', 'Australia/Lord_Howe'],
  ];
  for (const [schedule, after, expected, zone] of cases)
    it(`${schedule} after ${after} is ${expected}`, () =>
      assert.equal(next(schedule, after, zone), expected));

  it('that upstream refuses is refused', () => {
    for (const text of [
      '',
      'hourly',
      '* * * *',
      '* * * * * *',
      '61 * * * *',
      '0 0 L * *',
      '0 0 1W * *',
      '@every x',
    ])
      assert.throws(() => parseSchedule(text), RangeError, text);
    assert.deepEqual(['Europe/Rome', 'Mars/Base'].map(isTimeZone), [true, false]);
  });

  it('of a day that never is has no time', () => {
    const never = parseSchedule('0 0 31 2 *');
    assert.equal(never.nextMs(at('2026-07-10T10:00:00Z')), Number.POSITIVE_INFINITY);
    const job: CronJob = {
      metadata: { name: 'never', creationTimestamp: '2026-07-10T10:00:00Z' },
      spec: { schedule: '', jobTemplate: {} },
    };
    const look = () => dueTimes(job, never, { nowMs: at('2026-07-11T10:00:00Z'), withDeadline: true });
    assert.throws(look, /^RangeError: time difference between two schedules is less than 1 second$/);
  });

  it('tells its time in its zone', () => {
    assert.equal(zonedTime(at('2026-07-10T10:00:00Z')), '2026-07-10T10:00:00Z');
    assert.equal(zonedTime(at('2026-07-10T10:00:00Z'), 'America/New_York'), '2026-07-10T06:00:00-04:00');
  });
});

describe('the time that is due', () => {
  const hourly = parseSchedule('0 * * * *');
  const cronJob = (created: string, last?: string, startingDeadlineSeconds?: number): CronJob => ({
    metadata: { name: 'hourly', creationTimestamp: created },
    spec: {
      schedule: '0 * * * *',
      jobTemplate: {},
      ...(startingDeadlineSeconds === undefined ? {} : { startingDeadlineSeconds }),
    },
    ...(last ? { status: { lastScheduleTime: last } } : {}),
  });
  const due = (job: CronJob, now: string) => dueTimes(job, hourly, { nowMs: at(now), withDeadline: true });

  it('is none before the first, else the last one that is past', () => {
    const job = cronJob('2026-07-10T10:10:00Z');
    assert.equal(due(job, '2026-07-10T10:59:59Z').dueMs, undefined);
    assert.equal(due(job, '2026-07-10T11:00:00Z').dueMs, at('2026-07-10T11:00:00Z'));
    assert.equal(due(job, '2026-07-10T15:20:00Z').dueMs, at('2026-07-10T15:00:00Z'));
  });

  it('is looked for no further back than the deadline', () => {
    const late = cronJob('2026-01-01T10:10:00Z', undefined, 600);
    assert.equal(due(late, '2026-07-10T11:20:00Z').dueMs, undefined);
    assert.equal(due(late, '2026-07-10T11:05:00Z').dueMs, at('2026-07-10T11:00:00Z'));
  });

  it('is one of too many after a long sleep', () => {
    const times = due(cronJob('2026-01-01T10:10:00Z', '2026-01-02T10:00:00Z'), '2026-07-10T15:20:00Z');
    assert.equal(isTooMany(times), true);
    assert.equal(times.dueMs, at('2026-07-10T15:00:00Z'));
  });

  it('comes again', () => {
    const job = cronJob('2026-07-10T10:10:00Z', '2026-07-10T15:00:00Z');
    assert.equal(waitForNextMs(job, hourly, at('2026-07-10T15:20:00Z')), 40 * 60_000 + 100);
  });
});
