import { systemClock } from '@wherry/clock';
import type { Event } from '@wherry/kubeapi';
import { formatAge } from '../../../output/age.ts';
import type { Tone } from '../../../output/colours.ts';
import type { Column } from '../../../output/listing.ts';
import { lastSeenMs } from './find-events.ts';

/** What a table tells of events. */
export function columnsOf({
  withNamespace,
  isWide,
}: {
  withNamespace: boolean;
  isWide: boolean;
}): Column<Event>[] {
  return [
    ...(withNamespace
      ? [{ title: 'NAMESPACE', cell: ({ metadata }: Event) => metadata.namespace ?? '' }]
      : []),
    ...columns.filter(({ wide }) => !wide || isWide),
  ];
}

const columns: readonly Column<Event>[] = [
  { title: 'LAST SEEN', cell: (event) => lastSeen(event) },
  {
    title: 'TYPE',
    cell: ({ type = '' }) => type,
    tone: (cell) => (cell === 'Warning' ? 'warning' : undefined),
  },
  { title: 'REASON', cell: ({ reason = '' }) => reason },
  {
    title: 'OBJECT',
    cell: ({ involvedObject: { kind = '', name = '' } }) => `${kind}/${name}`,
  },
  {
    title: 'SOURCE',
    wide: true,
    cell: ({ source, reportingComponent }) => source?.component ?? reportingComponent ?? '',
  },
  { title: 'MESSAGE', cell: ({ message = '' }) => message.trim() },
];

/** The tones of the cells below each title. */
export const toneIn =
  (shown: readonly Column<Event>[]) =>
  (title: string, cell: string): Tone | undefined =>
    shown.find((column) => column.title === title)?.tone?.(cell);

/** When it was seen last, how often, and since when. */
export function lastSeen(event: Event, nowMs = systemClock.nowMs()): string {
  const age = formatAge(nowMs - lastSeenMs(event));
  const count = event.series?.count ?? event.count ?? 1;
  if (count <= 1) return age;
  const first = event.firstTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp;
  return `${age} (x${count} over ${first ? formatAge(nowMs - Date.parse(first)) : '<unknown>'})`;
}
