import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCronSchedule, scheduleComplaint } from './cron-schedule.ts';

it('what is no schedule is refused in the words of upstream’s library', () => {
  // As ParseStandard of robfig/cron v3.0.1 puts it.
  const complaints: Record<string, string> = {
    '': 'empty spec string',
    hourly: 'expected exactly 5 fields, found 1: [hourly]',
    '* * * *': 'expected exactly 5 fields, found 4: [* * * *]',
    '61 * * * *': 'end of range (61) above maximum (59): 61',
    '0 0 L * *': 'failed to parse int from L: strconv.Atoi: parsing "L": invalid syntax',
    '0 0 0 * *': 'beginning of range (0) below minimum (1): 0',
    '5-1 * * * *': 'beginning of range (5) beyond end of range (1): 5-1',
    '*/0 * * * *': 'step of range should be a positive number: */0',
    '1-2-3 * * * *': 'too many hyphens: 1-2-3',
    '1/2/3 * * * *': 'too many slashes: 1/2/3',
    '-1 * * * *': 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax',
    '* * * * 7': 'end of range (7) above maximum (6): 7',
    '*/x * * * *': 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
    '@nope': 'unrecognized descriptor: @nope',
    '@Daily': 'unrecognized descriptor: @Daily',
    '@every': 'unrecognized descriptor: @every',
    '@every x': 'failed to parse duration @every x: time: invalid duration "x"',
  };
  assert.deepEqual(
    Object.fromEntries(Object.keys(complaints).map((text) => [text, scheduleComplaint(text)])),
    complaints,
  );
  const taken = ['@every -1h', '@every 1.5h', '*-5 * * * *', ', * * * *', ' * * * * *', '+1 * * * *'];
  assert.deepEqual(taken.filter(scheduleComplaint), []);
});

it('a schedule is read into the times of its fields', () => {
  assert.deepEqual(parseCronSchedule('TZ=Asia/Tokyo 50/5 9-17/4 */15 jan,OCT Mon'), {
    zone: 'Asia/Tokyo',
    at: {
      ...{ minutes: new Set([50, 55]), hours: new Set([9, 13, 17]), days: new Set([1, 16, 31]) },
      ...{ months: new Set([1, 10]), weekdays: new Set([1]), needsBothDays: false },
    },
  });
  assert.deepEqual(parseCronSchedule('@every 90.7s'), { at: { everyMs: 90_000 } });
  assert.deepEqual(parseCronSchedule('@every -1h'), { at: { everyMs: 1_000 } });
});
