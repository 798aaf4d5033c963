import {
  badRequest,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  StatusError,
} from '@wherry/kubeapi';
import type { Query } from '../http/query.ts';

const matches = ['Exact', 'NotOlderThan'];

/** How fresh or old an answer shall be. */
export interface VersionOptions {
  /** Undefined: no matter, or `0`. */
  revision: number | undefined;
  match: '' | 'Exact' | 'NotOlderThan';
}

/** Reads resourceVersion and resourceVersionMatch of a list or watch. Throws 400 and 422 as upstream does. */
export function readVersion(query: Query, kind: 'list' | 'watch'): VersionOptions {
  const text = query.text('resourceVersion');
  const match = query.text('resourceVersionMatch');
  const errors = match === '' ? [] : matchErrors(query, kind);
  if (kind === 'watch') errors.push(...initialEventsErrors(query));
  else if (query.has('sendInitialEvents')) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return { revision: parseRevision(text), match: match as VersionOptions['match'] };
}

function matchErrors(query: Query, kind: 'list' | 'watch'): FieldError[] {
  const field = 'resourceVersionMatch';
  const text = query.text('resourceVersion');
  const match = query.text(field);
  if (kind === 'watch') {
    const why = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
    return query.has('sendInitialEvents') ? [] : [forbiddenField(field, why)];
  }
  const errors: FieldError[] = [];
  if (text === '') {
    errors.push(
      forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
    );
  }
  if (query.text('continue') !== '') {
    errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  if (!matches.includes(match)) errors.push(notSupported(field, match, [...matches, '']));
  if (match === 'Exact' && text === '0') {
    errors.push(forbiddenField(field, 'resourceVersionMatch "Exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

function initialEventsErrors(query: Query): FieldError[] {
  if (!query.has('sendInitialEvents')) return [];
  const match = query.text('resourceVersionMatch');
  if (match === 'NotOlderThan') return [];
  const why = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
  return match === ''
    ? [forbiddenField('resourceVersionMatch', why)]
    : [notSupported('resourceVersionMatch', match, ['NotOlderThan'])];
}

/** A resourceVersion as a number; undefined for '' and `0`. Throws 400 on other texts. */
export function parseRevision(text: string): number | undefined {
  if (text === '' || text === '0') return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    throw badRequest(
      `invalid resource version: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
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
