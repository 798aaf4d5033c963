import { columns, type Lines, section } from './lines.ts';
import { clockTime } from './times.ts';

/** A condition with the time of its last change. */
interface TimedCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

/** Conditions, each with when it changed last and why. */
export const conditionTable = (conditions: readonly TimedCondition[]): Lines =>
  section(
    'Conditions',
    columns(
      ['Type', 'Status', 'LastTransitionTime', 'Reason', 'Message'],
      conditions.map(({ type, status, lastTransitionTime, reason, message }) => [
        ...[type, status, clockTime(lastTransitionTime), reason, message],
      ]),
    ),
  );
