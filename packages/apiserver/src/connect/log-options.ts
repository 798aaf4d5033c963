import {
  badRequest,
  type FieldError,
  forbiddenField,
  invalid,
  invalidValue,
  parseMoment,
} from '@wherry/kubeapi';
import type { Query } from '../http/query.ts';

/** What of a log is asked for. */
export interface LogOptions {
  container: string;
  follow: boolean;
  /** The kubelet's query. */
  parameters: URLSearchParams;
  skipsVerification: boolean;
}

/** Reads a log request's query. Throws 400 on what can't be read and 422 on values out of range. */
export function readLogOptions(query: Query, podName: string): LogOptions {
  const sinceTime = query.text('sinceTime');
  const moment = sinceTime === '' ? undefined : parseMoment(sinceTime);
  if (sinceTime !== '' && !moment) {
    throw badRequest(
      `parsing time ${JSON.stringify(sinceTime)} as "2006-01-02T15:04:05Z07:00": cannot parse`,
    );
  }
  const numbers = {
    sinceSeconds: query.integer('sinceSeconds'),
    tailLines: query.integer('tailLines'),
    limitBytes: query.integer('limitBytes'),
  };
  refuse(query, numbers, podName);
  const parameters = new URLSearchParams();
  for (const name of ['follow', 'previous', 'timestamps']) if (query.flag(name)) parameters.set(name, 'true');
  // Whole seconds, as upstream sends them.
  if (moment) parameters.set('sinceTime', new Date(moment.seconds * 1000).toISOString().replace('.000', ''));
  for (const [name, value] of Object.entries(numbers)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return {
    container: query.text('container'),
    follow: query.flag('follow'),
    parameters,
    skipsVerification: query.flag('insecureSkipTLSVerifyBackend'),
  };
}

interface LogNumbers {
  sinceSeconds: number | undefined;
  tailLines: number | undefined;
  limitBytes: number | undefined;
}

function refuse(query: Query, { sinceSeconds, tailLines, limitBytes }: LogNumbers, podName: string): void {
  const errors: FieldError[] = [];
  if (query.has('stream')) errors.push(forbiddenField('stream', 'may not be specified'));
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidValue('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalidValue('limitBytes', limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && query.text('sinceTime') !== '') {
    errors.push(forbiddenField('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidValue('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, podName, errors);
}
