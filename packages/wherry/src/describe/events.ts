import type { Event } from '@wherry/kubeapi';
import { columns, field, type Lines, section } from './text/lines.ts';
import { since } from './text/times.ts';
import { compareTexts } from './text/values.ts';

/** What happened, the oldest first. */
export function eventLines(events: readonly Event[]): Lines {
  if (events.length === 0) return [field('Events', '<none>')];
  const ordered = [...events].sort((one, other) => compareTexts(lastTime(one), lastTime(other)));
  const titles = ['Type', 'Reason', ['Age', 4], 'From', 'Message'] as const;
  return section('Events', columns(titles, ordered.map(rowOf)));
}

const lastTime = ({ lastTimestamp }: Event): string => lastTimestamp ?? '';

function rowOf(event: Event): string[] {
  const { type = '', reason = '', source, reportingComponent = '', message = '', involvedObject } = event;
  const text = message.trim();
  const { fieldPath } = involvedObject;
  return [
    ...[type, reason, seen(event), source?.component || reportingComponent],
    fieldPath ? `${fieldPath}: ${text}` : text,
  ];
}

/** When it was seen last, how often, and since when. */
function seen({ eventTime, firstTimestamp, lastTimestamp, series, count = 0 }: Event): string {
  const first = since(eventTime ?? firstTimestamp);
  if (series) return `${since(series.lastObservedTime)} (x${series.count ?? 0} over ${first})`;
  return count > 1 ? `${since(lastTimestamp)} (x${count} over ${first})` : first;
}
