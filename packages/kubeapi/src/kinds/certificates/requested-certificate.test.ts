import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestedCertificate } from './requested-certificate.ts';

const element = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content]);
};
const organization = Buffer.from('55040a', 'hex');
const named = (oid: Buffer, tag: number, value: Buffer) =>
  element(0x31, element(0x30, element(0x06, oid), element(tag, value)));
const der = (...names: readonly Buffer[]) =>
  element(0x30, element(0x30, element(0x02, Buffer.from([0])), element(0x30, ...names)));
const block = (content: Buffer, type = 'CERTIFICATE REQUEST', headers = '') =>
  `-----BEGIN ${type}-----\n${headers}${content.toString('base64')}\n-----END ${type}-----\n`;
const organizationsOf = (text: string) =>
  requestedCertificate(Buffer.from(text).toString('base64'))?.organizations;

describe('a request for a certificate', () => {
  const name = 'system:masters';
  const utf16 = Buffer.from(name, 'utf16le').swap16();
  const utf32 = Buffer.from(name, 'utf16le');
  const wide = Buffer.concat([...name].map((letter) => Buffer.from([0, 0, 0, letter.charCodeAt(0)])));

  it('names the same groups in whichever kind of text', () => {
    for (const [tag, value] of [
      ...[0x0c, 0x13, 0x14, 0x16, 0x1a].map((each) => [each, Buffer.from(name)] as const),
      ...([
        [0x1e, utf16],
        [0x1c, wide],
      ] as const),
    ]) {
      assert.deepEqual(organizationsOf(block(der(named(organization, tag, value)))), [name], `tag ${tag}`);
    }
    assert.equal(organizationsOf(block(der(named(organization, 0x04, utf32)))), undefined);
  });

  it('is the first block of its text, and no other beside it counts', () => {
    const evil = block(der(named(organization, 0x0c, Buffer.from(name))));
    const plain = der(named(organization, 0x0c, Buffer.from('a')));
    assert.deepEqual(organizationsOf(`about it\n${block(plain)}${evil}`), ['a']);
    assert.deepEqual(organizationsOf(evil + block(plain)), [name]);
    assert.equal(organizationsOf(block(plain, 'SOMETHING') + evil), undefined);
    assert.equal(organizationsOf(block(plain, 'CERTIFICATE REQUEST', 'a: b\n\n') + evil), undefined);
    assert.equal(organizationsOf(block(Buffer.concat([plain, Buffer.from([0x30, 0])]))), undefined);
  });

  it('with a type in another spelling is none', () => {
    const padded = Buffer.from('5504800a', 'hex');
    assert.equal(organizationsOf(block(der(named(padded, 0x0c, Buffer.from(name))))), undefined);
    assert.deepEqual(
      organizationsOf(block(der(named(Buffer.from('2a864886f70d010901', 'hex'), 0x16, Buffer.from('a@b'))))),
      [],
    );
  });
});
