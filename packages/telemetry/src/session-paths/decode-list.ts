import { limits } from '../limits.ts';
import type { SessionEvent, SessionHop, SessionList } from '../sessions/shape.ts';
import { decodeSession } from './decode-session.ts';
import { countOf, type Fields, fieldOf, fieldsOf, present, wordOf } from './fields.ts';
import { plainText } from './plain-text.ts';

/** The hops of a session, from the client to the process. */
export const hopOrder: readonly SessionHop[] = ['apiserver', 'kubelet', 'streaming-server'];

/**
 * The list that a process answered with; undefined when it is none. Another process is not believed: what has not the shape
 * of a list, or of a session, is left out, and no text of it does anything to a terminal.
 */
export function decodeSessionList(value: unknown): SessionList | undefined {
  const fields = fieldsOf(value);
  if (!fields || fieldOf(fields, 'kind') !== 'SessionList') return undefined;
  const [hop, time, items] = [
    wordOf(fieldOf(fields, 'hop'), hopOrder),
    timeOf(fields),
    fieldOf(fields, 'items'),
  ];
  if (hop === undefined || time === undefined || !Array.isArray(items)) return undefined;
  const node = fieldOf(fields, 'node');
  return present<SessionList>({
    ...{ kind: 'SessionList', hop, node: typeof node === 'string' ? plainText(node) : undefined, time },
    items: items.slice(0, limits.sessionsReadMax).flatMap((item) => decodeSession(item) ?? []),
    unlisted: countOf(fieldOf(fields, 'unlisted')),
  });
}

/** One event of a watch; undefined when it is none. As {@link decodeSessionList}. */
export function decodeSessionEvent(value: unknown): SessionEvent | undefined {
  const fields = fieldsOf(value);
  if (!fields) return undefined;
  const type = wordOf(fieldOf(fields, 'type'), ['ADDED', 'MODIFIED', 'ENDED']);
  const [time, object] = [timeOf(fields), decodeSession(fieldOf(fields, 'object'))];
  return type && time !== undefined && object ? { type, time, object } : undefined;
}

function timeOf(fields: Fields): string | undefined {
  const time = fieldOf(fields, 'time');
  return typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? plainText(time) : undefined;
}
