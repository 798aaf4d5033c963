import assert from 'node:assert/strict';
import { it } from 'node:test';
import { certificateSigningRequest } from './certificate-signing-request.ts';
import { certificateProblem } from './issued-certificate.ts';

const der = Buffer.from([0x30, 0x03, 0x02, 0x01, 0x07]).toString('base64');
const pem = (type: string, body: string) => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
const problem = (text: string) => certificateProblem(Buffer.from(text).toString('base64'));

it('an issued certificate is one or more blocks of certificates, with whatever text between them', () => {
  for (const text of [
    '',
    pem('CERTIFICATE', der),
    `leaf\n${pem('CERTIFICATE', der)}\nauthority\n${pem('CERTIFICATE', der)}end\n`,
    pem('CERTIFICATE', der).replaceAll('\n', '\r\n'),
    `${pem('SOMETHING', '!!!')}${pem('CERTIFICATE', der)}`,
  ])
    assert.equal(problem(text), undefined, text);
});

it('other blocks, headers, what is no certificate, and nothing to be found are no issued certificate', () => {
  const none = 'must contain at least one CERTIFICATE PEM block';
  assert.equal(problem('x'), none);
  assert.equal(problem('-----BEGIN CERTIFICATE-----\nabc'), none);
  assert.equal(problem(pem('CERTIFICATE', '!!!')), none);
  assert.equal(
    problem(`${pem('CERTIFICATE', der)}${pem('RSA PRIVATE KEY', der)}`),
    'only CERTIFICATE PEM blocks are allowed, found "RSA PRIVATE KEY"',
  );
  assert.equal(problem(pem('CERTIFICATE', `A: b\n\n${der}`)), 'no PEM block headers are permitted');
  for (const bytes of [[0x31, 0x00], [0x30, 0x05, 0x00], [0x30], [0x30, 0x84, 0x01], [0x30, 0x00, 0x01]])
    assert.equal(
      problem(pem('CERTIFICATE', Buffer.from(bytes).toString('base64'))),
      'x509: malformed certificate',
      String(bytes),
    );
});

it('a signer hands out what is a certificate; what an older server took stays', () => {
  const base = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: {} };
  const request = Buffer.from(pem('CERTIFICATE REQUEST', 'MAcwBQIBADAA')).toString('base64');
  const spec = { request, signerName: 'a.b/c', usages: ['client auth' as const] };
  const withCertificate = (text: string) => ({
    ...{ ...base, spec },
    status: { certificate: Buffer.from(text).toString('base64') },
  });
  const changes = (before: string, after: string) =>
    certificateSigningRequest.validateUpdate!(
      withCertificate(after) as never,
      withCertificate(before) as never,
    ).map(({ field, body }) => `${field}: ${body}`);
  assert.deepEqual(changes('', pem('CERTIFICATE', der)), []);
  assert.deepEqual(changes('x', 'x'), []);
  assert.deepEqual(changes('', 'x'), [
    'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
  ]);
});
