import {
  badRequest,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  StatusError,
} from '@wherry/kubeapi';
import type { Query } from '../http/query.ts';

const matchField = 'resourceVersionMatch';
const initialEvents = 'sendInitialEvents';
const notOlderThan = 'NotOlderThan';
const matches = ['Exact', notOlderThan];

/** How fresh or old an answer shall be. */
export interface VersionOptions {
  /** Undefined: no matter, or `0`. */
  revision: number | undefined;
  match: '' | 'Exact' | 'NotOlderThan';
}

/** Reads resourceVersion and resourceVersionMatch of a list or watch. Throws 400 and 422 as upstream does. */
export function readVersion(query: Query, kind: 'list' | 'watch'): VersionOptions {
  checkVersion(query, kind);
  const match = query.text(matchField) as VersionOptions['match'];
  return { revision: parseRevision(query.text('resourceVersion')), match };
}

/** Whether they fit together, whatever the version says. */
export function checkVersion(query: Query, kind: 'list' | 'watch'): void {
  // Whatever comes of them.
  for (const name of ['timeoutSeconds', 'limit']) query.integer(name);
  const errors = kind === 'watch' ? watchErrors(query) : listErrors(query);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}

function listErrors(query: Query): FieldError[] {
  const text = query.text('resourceVersion');
  const match = query.text(matchField);
  const errors: FieldError[] = [];
  const forbid = (why: string) => errors.push(forbiddenField(matchField, `${matchField} ${why}`));
  if (match !== '') {
    if (text === '') forbid('is forbidden unless resourceVersion is provided');
    if (query.text('continue') !== '') forbid('is forbidden when continue is provided');
    if (!matches.includes(match)) errors.push(notSupported(matchField, match, [...matches, '']));
    if (match === 'Exact' && text === '0') forbid('"exact" is forbidden for resourceVersion "0"');
  }
  if (query.has(initialEvents)) {
    errors.push(forbiddenField(initialEvents, `${initialEvents} is forbidden for list`));
  }
  return errors;
}

function watchErrors(query: Query): FieldError[] {
  const match = query.text(matchField);
  const hasInitial = query.has(initialEvents);
  const errors: FieldError[] = [];
  const forbid = (why: string) => errors.push(forbiddenField(matchField, why));
  if (hasInitial && match !== notOlderThan) {
    forbid(`${initialEvents} requires setting ${matchField} to ${notOlderThan}`);
  }
  if (match !== '') {
    if (!hasInitial) forbid(`${matchField} is forbidden for watch unless ${initialEvents} is provided`);
    if (match !== notOlderThan) errors.push(notSupported(matchField, match, [notOlderThan]));
  }
  const version = query.text('resourceVersion');
  // A watch from anywhere counts as one with initial events, as upstream.
  const isFromAnywhere = !hasInitial && (version === '' || version === '0');
  if (query.text('continue') !== '' && (match !== '' || isFromAnywhere))
    forbid(`${matchField} is forbidden when continue is provided`);
  return errors;
}

/** A resourceVersion as a number; undefined for '' and `0`. Throws 400 on other texts. */
export function parseRevision(text: string): number | undefined {
  if (text === '' || text === '0') return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    const quoted = JSON.stringify(text);
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`,
    );
  }
  return Number(text);
}

/** 504 for a revision that has not happened yet; clients wait a second and ask again. */
export function tooLargeRevision(revision: number, current: number): StatusError {
  const cause = { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' };
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${revision}, current: ${current}`,
    details: { causes: [cause], retryAfterSeconds: 1 },
  });
}
