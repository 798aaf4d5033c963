import type { CertificateSigningRequest } from '@wherry/kubeapi';
import { humanDuration } from '@wherry/kubeapi/printers';
import { CommandError } from '../../errors.ts';
import type { Surroundings } from '../surroundings.ts';
import { labelText } from '../text/labels.ts';
import { field, given, type Lines } from '../text/lines.ts';
import { clockTime } from '../text/times.ts';
import type { RequestedSubject } from './pkcs10.ts';

/** A request for a certificate: who asks, for which names, and what became of it. Throws `CommandError` for one that can't be read. */
export async function describeCertificateRequest(
  one: CertificateSigningRequest,
  surroundings: Surroundings,
): Promise<Lines> {
  const { metadata, spec } = one;
  const { expirationSeconds } = spec;
  return [
    field('Name', metadata.name),
    field('Labels', labelText(metadata.labels)),
    field('Annotations', labelText(metadata.annotations)),
    field('CreationTimestamp', clockTime(metadata.creationTimestamp)),
    field('Requesting User', spec.username),
    ...given('Signer', spec.signerName),
    ...given(
      'Requested Duration',
      expirationSeconds === undefined ? undefined : humanDuration(expirationSeconds * 1000),
    ),
    field('Status', statusText(one)),
    ...subjectLines(await subjectOf(spec.request)),
    ...(await surroundings.events(one)),
  ];
}

async function subjectOf(request: string): Promise<RequestedSubject> {
  const { readRequest } = await import('./pkcs10.ts');
  try {
    return readRequest(Buffer.from(request, 'base64').toString('latin1'));
  } catch (error) {
    throw new CommandError(`Error parsing CSR: ${(error as Error).message}`, { cause: error });
  }
}

function statusText({ status }: CertificateSigningRequest): string {
  const has = (wanted: string) => (status?.conditions ?? []).some(({ type }) => type === wanted);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return [decision, ...(has('Failed') ? ['Failed'] : []), ...(status?.certificate ? ['Issued'] : [])].join(
    ',',
  );
}

/** Titles of a subject's attributes, by their type. */
const listTitles: readonly (readonly [type: string, title: string])[] = [
  ['2.5.4.10', 'Organization'],
  ['2.5.4.11', 'Organizational Unit'],
  ['2.5.4.6', 'Country'],
  ['2.5.4.7', 'Locality'],
  ['2.5.4.8', 'Province'],
  ['2.5.4.9', 'StreetAddress'],
  ['2.5.4.17', 'PostalCode'],
];

function subjectLines({ attribute, ...names }: RequestedSubject): Lines {
  const last = (type: string) => attribute(type).at(-1);
  const alternatives = [
    ...listLines('DNS Names', names.dnsNames),
    ...listLines('Email Addresses', names.emailAddresses),
    ...listLines('URIs', names.uris),
    ...listLines('IP Addresses', names.ipAddresses),
  ];
  return [
    'Subject:',
    `\t${field('Common Name', last('2.5.4.3'))}`,
    `\t${field('Serial Number', last('2.5.4.5'))}`,
    ...listTitles.flatMap(([type, title]) => listLines(title, attribute(type))),
    ...(alternatives.length > 0 ? ['Subject Alternative Names:', ...alternatives] : []),
  ];
}

const listLines = (title: string, values: readonly string[]): Lines =>
  values.map((value, at) => (at === 0 ? `\t${field(title, value)}` : `\t\t${value}`));
