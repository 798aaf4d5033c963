import type { SpanContext } from './tracer.ts';

/** The header of W3C's Trace Context, and the metadata of gRPC calls. */
export const traceparentHeader = 'traceparent';

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const sampledFlag = 1;

/** Reads a header's value; undefined for one that is none, as the specification asks for. */
export function readTraceparent(value: string | readonly string[] | undefined): SpanContext | undefined {
  if (typeof value !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = form.exec(value) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (!isTraceId(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0 };
}

/** The value that tells of a span. */
export const writeTraceparent = ({ traceId, spanId, isSampled }: SpanContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** The ID of the trace that an object's UID stands for; undefined where the UID is no 128 bits in hexadecimal digits. */
export function traceIdOf(uid: string): string | undefined {
  const digits = uid.replaceAll('-', '').toLowerCase();
  return isTraceId(digits) ? digits : undefined;
}

/** Whether it may be a trace's ID. */
export const isTraceId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text) && !/^0+$/.test(text);
