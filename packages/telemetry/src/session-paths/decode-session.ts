import { limits } from '../limits.ts';
import type { Session, SessionEnd, SessionFlow, SessionSide, SessionStream } from '../sessions/shape.ts';
import { countOf, type Fields, fieldOf, fieldsOf, present, wordOf } from './fields.ts';
import { plainText } from './plain-text.ts';

const kinds = ['exec', 'attach', 'portforward', 'log'] as const;
const states = ['connecting', 'open', 'ended'] as const;
const streamNames = ['stdin', 'stdout', 'stderr', 'port', 'log', 'connection'] as const;
const reasons = ['exited', 'failed', 'refused', 'closed', 'broken'] as const;
const sides = ['client', 'backend', 'process', 'hop'] as const;
const takers = ['client', 'backend', 'process'] as const;

/** A session as another process told of it; undefined for what is none. What of it has another form is left out. */
export function decodeSession(value: unknown): Session | undefined {
  const fields = fieldsOf(value);
  if (!fields) return undefined;
  const [id, key, startTime] = [textOf(fields, 'id'), textOf(fields, 'key'), timeOf(fields, 'startTime')];
  const [kind, state] = [wordOf(fieldOf(fields, 'kind'), kinds), wordOf(fieldOf(fields, 'state'), states)];
  if (!id || key === undefined || !startTime || !kind || !state) return undefined;
  const command = listOf(fields, 'command', limits.sessionCommandWordsMax);
  return present<Session>({
    ...{ id, key, kind, state },
    auditId: textOf(fields, 'auditId'),
    namespace: textOf(fields, 'namespace'),
    pod: textOf(fields, 'pod'),
    podUid: textOf(fields, 'podUid'),
    container: textOf(fields, 'container'),
    containerId: textOf(fields, 'containerId'),
    sandboxId: textOf(fields, 'sandboxId'),
    node: textOf(fields, 'node'),
    user: textOf(fields, 'user'),
    command: command?.flatMap((word) => (typeof word === 'string' ? [plainText(word)] : [])),
    commandIsCut: fieldOf(fields, 'commandIsCut') === true || undefined,
    ports: listOf(fields, 'ports', limits.sessionPortsMax)?.flatMap((port) => countOf(port) ?? []),
    client: sideOf(fieldOf(fields, 'client')) ?? {},
    backend: sideOf(fieldOf(fields, 'backend')),
    startTime,
    openTime: timeOf(fields, 'openTime'),
    lastActivityTime: timeOf(fields, 'lastActivityTime'),
    streams: (listOf(fields, 'streams', limits.sessionStreamsReadMax) ?? []).flatMap(
      (stream) => streamOf(stream) ?? [],
    ),
    end: endOf(fieldOf(fields, 'end')),
  });
}

function textOf(fields: Fields, name: string): string | undefined {
  const value = fieldOf(fields, name);
  return typeof value === 'string' ? plainText(value) : undefined;
}

function timeOf(fields: Fields, name: string): string | undefined {
  const text = textOf(fields, name);
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}

function listOf(fields: Fields, name: string, itemsMax: number): readonly unknown[] | undefined {
  const value = fieldOf(fields, name);
  return Array.isArray(value) ? value.slice(0, itemsMax) : undefined;
}

function sideOf(value: unknown): SessionSide | undefined {
  const fields = fieldsOf(value);
  return (
    fields &&
    present<SessionSide>({ protocol: textOf(fields, 'protocol'), address: textOf(fields, 'address') })
  );
}

function streamOf(value: unknown): SessionStream | undefined {
  const fields = fieldsOf(value);
  const name = fields && wordOf(fieldOf(fields, 'name'), streamNames);
  if (!fields || !name) return undefined;
  return present<SessionStream>({
    name,
    port: countOf(fieldOf(fields, 'port')),
    connections: connectionsOf(fieldOf(fields, 'connections')),
    up: flowOf(fieldOf(fields, 'up')),
    down: flowOf(fieldOf(fields, 'down')),
  });
}

function connectionsOf(value: unknown): SessionStream['connections'] {
  const fields = fieldsOf(value);
  const count = (name: string) => (fields && countOf(fieldOf(fields, name))) ?? 0;
  return fields && { open: count('open'), total: count('total'), failed: count('failed') };
}

function flowOf(value: unknown): SessionFlow | undefined {
  const fields = fieldsOf(value);
  return (
    fields &&
    present<SessionFlow>({
      bytes: countOf(fieldOf(fields, 'bytes')) ?? 0,
      heldBytes: countOf(fieldOf(fields, 'heldBytes')),
      waitsFor: wordOf(fieldOf(fields, 'waitsFor'), takers),
      waitingSince: timeOf(fields, 'waitingSince'),
    })
  );
}

function endOf(value: unknown): SessionEnd | undefined {
  const fields = fieldsOf(value);
  const [time, reason] = fields ? [timeOf(fields, 'time'), wordOf(fieldOf(fields, 'reason'), reasons)] : [];
  if (!fields || !time || !reason) return undefined;
  return present<SessionEnd>({
    ...{ time, reason },
    exitCode: countOf(fieldOf(fields, 'exitCode')),
    statusCode: countOf(fieldOf(fields, 'statusCode')),
    by: wordOf(fieldOf(fields, 'by'), sides),
    message: textOf(fields, 'message'),
  });
}
