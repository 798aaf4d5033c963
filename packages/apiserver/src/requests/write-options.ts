import {
  badRequest,
  type DeleteOptions,
  decodeBody,
  type FieldError,
  invalid,
  invalidValue,
  type JsonObject,
  mediaTypes,
  notSupported,
  parseMediaClause,
  tooLong,
  unsupportedMediaType,
} from '@wherry/kubeapi';
import { readBody } from '../http/body.ts';
import type { Query } from '../http/query.ts';
import type { ResourceRequest } from './request.ts';

/** What every write may be told. */
export interface WriteOptions {
  dryRun: boolean;
  fieldManager: string;
  fieldValidation: FieldValidation;
}

/** What becomes of unknown and doubled fields. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

const fieldValidations = ['Ignore', 'Warn', 'Strict'];
const fieldManagerBytesMax = 128;

/** Kinds whose names the refusals carry. */
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

function refuse(kind: OptionsKind, errors: FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
}

function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', [...values], ['All'])];
}

/** What Go's unicode.IsPrint takes. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

function fieldManagerErrors(text: string): FieldError[] {
  const field = 'fieldManager';
  const errors = Buffer.byteLength(text) > fieldManagerBytesMax ? [tooLong(field, fieldManagerBytesMax)] : [];
  let position = 0;
  for (const character of text) {
    if (!printable.test(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidValue(field, text, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

/** Throws 422 on values that upstream refuses; `others` are mistakes that are known already. */
export function readWriteOptions(
  query: Query,
  kind: OptionsKind,
  others: readonly FieldError[] = [],
): WriteOptions {
  const dryRun = query.list('dryRun');
  const fieldManager = query.text('fieldManager');
  const fieldValidation = query.text('fieldValidation') || 'Warn';
  const errors = [...others, ...fieldManagerErrors(fieldManager), ...dryRunErrors(dryRun)];
  if (!fieldValidations.includes(fieldValidation)) {
    errors.push(notSupported('fieldValidation', fieldValidation, ['', ...fieldValidations.toSorted()]));
  }
  refuse(kind, errors);
  return { dryRun: dryRun.length > 0, fieldManager, fieldValidation: fieldValidation as FieldValidation };
}

const propagationPolicies = ['Foreground', 'Background', 'Orphan'];
const deleteOptionsType = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' };
const deleteOptionsKind = { group: '', version: 'v1', kind: 'DeleteOptions' };

/** DELETE's options: the body's when there is one, else the query's. */
export async function readDeleteOptions(request: ResourceRequest): Promise<DeleteOptions> {
  const body = await readBody(request.http);
  const options = body.length > 0 ? optionsOfBody(body, request) : optionsOfQuery(request.query);
  if (body.length > 0) request.audit?.requests(() => ({ ...deleteOptionsType, ...(options as JsonObject) }));
  checkDeleteOptions(options);
  return options;
}

/** Throws 422 on options of a deletion that contradict themselves. */
export function checkDeleteOptions({
  dryRun = [],
  propagationPolicy,
  orphanDependents,
}: DeleteOptions): void {
  const errors = dryRunErrors(dryRun);
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalidValue('propagationPolicy', propagationPolicy, why));
  }
  if (propagationPolicy !== undefined && !propagationPolicies.includes(propagationPolicy)) {
    errors.push(notSupported('propagationPolicy', propagationPolicy, [...propagationPolicies, 'nil']));
  }
  refuse('DeleteOptions', errors);
}

function optionsOfBody(body: Buffer, request: ResourceRequest): DeleteOptions {
  const { type } = parseMediaClause(request.http.headers['content-type'] || 'application/json');
  const format = mediaTypes.get(type);
  if (!format) throw unsupportedMediaType([...mediaTypes.keys()]);
  const decoded = decodeBody(body, { format, expected: deleteOptionsKind, isBare: true });
  if (decoded.gvk.kind !== 'DeleteOptions') {
    throw badRequest(`decoded object cannot be converted to DeleteOptions: it is a "${decoded.gvk.kind}"`);
  }
  return decoded.object as DeleteOptions;
}

function optionsOfQuery(query: Query): DeleteOptions {
  const options: DeleteOptions = {};
  const grace = query.integer('gracePeriodSeconds');
  if (grace !== undefined) options.gracePeriodSeconds = grace;
  if (query.text('propagationPolicy')) options.propagationPolicy = query.text('propagationPolicy');
  if (query.has('orphanDependents')) options.orphanDependents = query.flag('orphanDependents');
  if (query.has('dryRun')) options.dryRun = query.list('dryRun');
  const [uid, resourceVersion] = [query.text('uid'), query.text('resourceVersion')];
  if (uid || resourceVersion)
    options.preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  return options;
}
