import { type DerElement, derChildren, derElements } from './der.ts';

/** What a certificate is asked for: values of the subject by their attribute's type, and further names. */
export interface RequestedSubject {
  /** By the last number of `2.5.4.N`. */
  attributes: ReadonlyMap<number, readonly string[]>;
  dnsNames: readonly string[];
  emailAddresses: readonly string[];
  uris: readonly string[];
  ipAddresses: readonly string[];
}

const extensionRequest = '2a864886f70d01090e';
const alternativeNames = '551d11';
const nameAttributePrefix = '5504';
const bmpString = 0x1e;

/** Reads a request's PEM (RFC 2986). Throws with what is wrong. */
export function readRequest(pem: string): RequestedSubject {
  const [, body] = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([\sA-Za-z0-9+/=]+)-----END/.exec(pem) ?? [];
  if (body === undefined) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const [info] = derChildren(Buffer.from(body, 'base64'));
  const [, subject, , ...attributes] = derElements(info?.content ?? Buffer.alloc(0));
  const names = attributes.flatMap(({ content }) => derElements(content).flatMap(namesOfAttribute));
  const texts = (type: number) =>
    names.filter(({ tag }) => (tag & 0x1f) === type).map(({ content }) => content.toString('latin1'));
  return {
    attributes: subjectOf(subject),
    ...{ emailAddresses: texts(1), dnsNames: texts(2), uris: texts(6) },
    ipAddresses: names.filter(({ tag }) => (tag & 0x1f) === 7).map(({ content }) => addressText(content)),
  };
}

function subjectOf(subject: DerElement | undefined): Map<number, string[]> {
  const attributes = new Map<number, string[]>();
  for (const set of derElements(subject?.content ?? Buffer.alloc(0))) {
    for (const { content } of derElements(set.content)) {
      const [type, value] = derElements(content);
      if (!type || !value || type.content.subarray(0, 2).toString('hex') !== nameAttributePrefix) continue;
      const number = type.content.readUInt8(2);
      attributes.set(number, [...(attributes.get(number) ?? []), valueText(value)]);
    }
  }
  return attributes;
}

const valueText = ({ tag, content }: DerElement): string =>
  tag === bmpString ? Buffer.from(content).swap16().toString('utf16le') : content.toString();

function namesOfAttribute({ content }: DerElement): DerElement[] {
  const [type, values] = derElements(content);
  if (type?.content.toString('hex') !== extensionRequest || !values) return [];
  return derChildren(values.content).flatMap((extension) => {
    const [id, ...rest] = derElements(extension.content);
    if (id?.content.toString('hex') !== alternativeNames) return [];
    return derChildren(rest.at(-1)?.content ?? Buffer.alloc(0));
  });
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = bytes.toString('hex').match(/.{4}/g) ?? [];
  const shortened = new URL('http://[::]');
  shortened.hostname = `[${groups.join(':')}]`;
  return shortened.hostname.slice(1, -1);
}
