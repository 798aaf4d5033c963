import { comparableTime } from '@wherry/cri/log';
import type { LogOptions } from '../logs/read-log.ts';
import { HttpError } from './answers.ts';

/** The options of a log request. */
export interface LogQuery extends LogOptions {
  previous: boolean;
}

/** What log queries are read with. */
export interface LogQueryContext {
  nowMs: number;
  /** Feature gate PodLogsQuerySplitStreams: one stream may be asked for alone. */
  splitStreams: boolean;
}

/**
 * Reads PodLogOptions from a query. Throws 400 on values that can't be read and on a gated choice, 422 on values that
 * make no sense.
 */
export function parseLogQuery(query: URLSearchParams, { nowMs, splitStreams }: LogQueryContext): LogQuery {
  const tail = query.get('tail');
  const tailLines = tail === 'all' ? undefined : wholeNumber(query, tail ? 'tail' : 'tailLines');
  const sinceSeconds = wholeNumber(query, 'sinceSeconds');
  const limitBytes = wholeNumber(query, 'limitBytes');
  const sinceTime = query.get('sinceTime') || undefined;
  const stream = query.get('stream') || 'All';
  const isInvalid =
    (tailLines !== undefined && !(tailLines >= 0)) ||
    (limitBytes !== undefined && limitBytes < 1) ||
    (sinceSeconds !== undefined && sinceSeconds < 1) ||
    (sinceSeconds !== undefined && sinceTime !== undefined) ||
    !['All', 'Stdout', 'Stderr'].includes(stream) ||
    (stream !== 'All' && tailLines !== undefined);
  if (isInvalid) throw new HttpError(422, '{"message": "Invalid request."}');
  if (stream !== 'All' && !splitStreams) {
    throw new HttpError(
      400,
      `unable to return the log stream "${stream}" alone: enable the feature gate PodLogsQuerySplitStreams of this kubelet`,
    );
  }
  const sinceMs = sinceSeconds === undefined ? undefined : Math.max(0, nowMs - sinceSeconds * 1_000);
  return {
    follow: flag(query, 'follow'),
    previous: flag(query, 'previous'),
    timestamps: flag(query, 'timestamps'),
    tailLines,
    limitBytes,
    since: sinceMs === undefined ? checkedTime(sinceTime) : new Date(sinceMs).toISOString(),
    stream: stream === 'All' ? undefined : stream === 'Stdout' ? 'stdout' : 'stderr',
  };
}

function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)?.toLowerCase();
  return value !== undefined && value !== 'false' && value !== '0';
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) {
    throw new HttpError(
      400,
      `{"message": "Unable to decode query: ${name}: ${JSON.stringify(text)} is no whole number"}`,
    );
  }
  return Number(text);
}

function checkedTime(time: string | undefined): string | undefined {
  if (time === undefined) return undefined;
  try {
    comparableTime(time);
    return time;
  } catch {
    throw new HttpError(
      400,
      `{"message": "Unable to decode query: sinceTime: ${JSON.stringify(time)} is no RFC 3339 time"}`,
    );
  }
}
