/** Requests for certificates (upstream: pkg/apis/certificates/validation). */

import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../json/json-value.ts';
import {
  at,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { age, humanDuration } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, orNone, type Printer } from '../../table/printer.ts';
import { dnsSubdomain, pathSegment } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import { oneOf } from '../../validation/values.ts';
import type { KindDefinition } from '../definition.ts';
import { certificateProblem } from './issued-certificate.ts';
import { requestedCertificate } from './requested-certificate.ts';

const usages = [
  ...['any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign'],
  ...['data encipherment', 'decipher only', 'digital signature', 'email protection', 'encipher only'],
  ...['ipsec end system', 'ipsec tunnel', 'ipsec user', 'key agreement', 'key encipherment'],
  ...['microsoft sgc', 'netscape sgc', 'ocsp signing', 's/mime', 'server auth', 'signing', 'timestamping'],
];
const lifetimeSecondsMin = 600;
const decisions = ['Approved', 'Denied'];

const printer: Printer<CertificateSigningRequest> = {
  columns: [
    ...[nameColumn, ageColumn, column('SignerName'), column('Requestor'), column('RequestedDuration')],
    column('Condition'),
  ],
  cells({ metadata, spec, status }, nowMs) {
    const has = (wanted: string) => status?.conditions?.some(({ type }) => type === wanted) ?? false;
    const words = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'];
    if (has('Failed')) words.push('Failed');
    if (status?.certificate) words.push('Issued');
    const duration =
      spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000);
    return [
      ...[metadata.name ?? '', age(metadata.creationTimestamp, nowMs), orNone(spec.signerName)],
      ...[spec.username ?? '', duration, words.join(',')],
    ];
  },
};

/** Requests for certificates (upstream: pkg/apis/certificates/validation). */
export const certificateSigningRequest: KindDefinition<CertificateSigningRequest> = {
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  // Upstream: as it stands in a path.
  nameFormat: pathSegment,
  printer,
  fieldLabels: { 'spec.signerName': '' },
  validate: validateCertificateRequest,
  validateUpdate: (next, previous) => [...validateLater(next, previous), ...keptDecisions(next, previous)],
  validateSubresource: { approval: validateLater },
};

/** Violations in a request; a kind of mistake that `previous` has already may stay. */
function validateCertificateRequest(
  { spec, status }: CertificateSigningRequest,
  previous?: CertificateSigningRequest,
): FieldError[] {
  const { request, signerName, expirationSeconds: seconds } = spec;
  const wanted: readonly string[] = spec.usages ?? [];
  const isBrief = seconds !== undefined && seconds < lifetimeSecondsMin;
  const brief = 'may not specify a duration less than 600 seconds (10 minutes)';
  return [
    ...(request === previous?.spec.request || requestedCertificate(request ?? '')
      ? []
      : [invalidValue('spec.request', request || null, 'PEM block type must be CERTIFICATE REQUEST')]),
    ...(wanted.length > 0 ? [] : [required('spec.usages')]),
    ...newKindsOf(validateUsages(wanted), validateUsages(previous?.spec.usages)),
    ...(isLegacy(signerName) && isLegacy(previous?.spec.signerName) ? [] : validateSigner(signerName)),
    ...(isBrief ? [invalidValue('spec.expirationSeconds', seconds, brief)] : []),
    ...newKindsOf(validateTypes(status?.conditions), validateTypes(previous?.status?.conditions)),
    ...validateConditions(status?.conditions ?? []),
    ...validateIssued(status?.certificate, previous?.status?.certificate),
  ];
}

/** What an older server took may stay. */
function validateIssued(certificate = '', before = ''): FieldError[] {
  const problem = certificate === before ? undefined : certificateProblem(certificate);
  return problem ? [invalidValue('status.certificate', '<certificate data>', problem)] : [];
}

/** Older servers took more than this one: what was taken once is not refused later. */
function newKindsOf(errors: readonly FieldError[], before: readonly FieldError[]): FieldError[] {
  return errors.filter(({ type }) => !before.some((error) => error.type === type));
}

function validateUsages(wanted: readonly string[] = []): FieldError[] {
  const isRepeat = repeats<string>();
  return wanted.flatMap((usage, index) => [
    ...(usages.includes(usage) ? [] : [notSupported(at('spec.usages', index), usage, usages)]),
    ...(isRepeat(usage) ? [duplicate(at('spec.usages', index), usage)] : []),
  ]);
}

/** Violations in what no change may do. */
function validateLater(next: CertificateSigningRequest, previous: CertificateSigningRequest): FieldError[] {
  const errors = validateCertificateRequest(next, previous);
  for (const type of [...decisions, 'Failed']) {
    if (conditionsOf(next, type).length >= conditionsOf(previous, type).length) continue;
    errors.push(forbiddenField('status.conditions', `updates may not remove a condition of type "${type}"`));
  }
  const issued = previous.status?.certificate;
  if (issued && next.status?.certificate !== issued) {
    errors.push(forbiddenField('status.certificate', 'updates may not modify existing certificate content'));
  }
  return errors;
}

/** Decisions come by `approval` alone. */
function keptDecisions(next: CertificateSigningRequest, previous: CertificateSigningRequest): FieldError[] {
  return decisions.flatMap((type) => {
    const [after, before] = [conditionsOf(next, type), conditionsOf(previous, type)];
    if (after.length < before.length || isDeepEqual(after, before)) return [];
    const verb = after.length > before.length ? 'add' : 'modify';
    return [forbiddenField('status.conditions', `updates may not ${verb} a condition of type "${type}"`)];
  });
}

const isDeepEqual = (left: unknown, right: unknown) => jsonEqual(left as JsonValue, right as JsonValue);

function conditionsOf({ status }: CertificateSigningRequest, wanted: string) {
  return (status?.conditions ?? []).filter(({ type }) => type === wanted);
}

const isLegacy = (name: string | undefined) => name === 'kubernetes.io/legacy-unknown';

function validateSigner(name: string): FieldError[] {
  const field = 'spec.signerName';
  if (!name) return [required(field)];
  if (isLegacy(name)) {
    return [invalidValue(field, name, 'the legacy signerName is not allowed via this API version')];
  }
  const [domain = '', ...path] = name.split('/');
  if (path.length !== 1 || path[0] === '') {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalidValue(field, name, detail)];
  }
  const dotted = path[0]!.split('.').every((label) => check(field, label, dnsSubdomain).length === 0);
  if (!domain.includes('.')) {
    return [invalidValue(field, name, 'should be a domain with at least two segments separated by dots')];
  }
  return [
    ...check(field, domain, dnsSubdomain),
    ...(dotted ? [] : [invalidValue(field, name, 'the path must consist of labels separated by dots')]),
  ];
}

function validateTypes(conditions: readonly CertificateSigningRequestCondition[] = []): FieldError[] {
  const isRepeat = repeats<string>();
  const place = (index: number) => `${at('status.conditions', index)}.type`;
  return conditions.flatMap(({ type = '' }, index) => [
    ...(type ? [] : [required(place(index))]),
    ...(isRepeat(type) ? [duplicate(place(index), type)] : []),
  ]);
}

function validateConditions(conditions: readonly CertificateSigningRequestCondition[]): FieldError[] {
  const types = conditions.map(({ type }) => type);
  const errors = conditions.flatMap(({ type, status = '' }, index) => [
    ...oneOf(
      `${at('status.conditions', index)}.status`,
      status,
      [...decisions, 'Failed'].includes(type) ? ['True'] : ['False', 'True', 'Unknown'],
    ),
  ]);
  if (!decisions.every((type) => types.includes(type))) return errors;
  const detail = 'Approved and Denied conditions are mutually exclusive';
  return [...errors, invalidValue('status.conditions', 'Denied', detail)];
}
