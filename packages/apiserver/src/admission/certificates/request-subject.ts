/** The few bytes of DER that a name in a PKCS#10 request takes to read (X.690, RFC 2986). */

const tagOf = { sequence: 0x30, set: 0x31, oid: 0x06 } as const;
const oids = { commonName: '550403', organization: '55040a' } as const;
/** No subject is larger; what claims to be is not read. */
const requestBytesMax = 64 * 1024;

interface Element {
  tag: number;
  content: Buffer;
  /** What follows the element. */
  rest: Buffer;
}

/** What a request asks its certificate to call its holder. */
export interface SubjectNames {
  commonNames: string[];
  organizations: string[];
}

/** The names in a PEM request's subject, or undefined when it can't be read. */
export function subjectNamesOf(pem: string): SubjectNames | undefined {
  const body = /-----BEGIN CERTIFICATE REQUEST-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE REQUEST-----/.exec(
    pem,
  );
  const der = Buffer.from(body?.[1] ?? '', 'base64');
  if (der.length === 0 || der.length > requestBytesMax) return undefined;
  try {
    const information = read(read(der, tagOf.sequence).content, tagOf.sequence).content;
    const version = read(information);
    const subject = read(version.rest, tagOf.sequence).content;
    const pairs = [...elements(subject)].flatMap(({ content: set }) =>
      [...elements(set)].map(({ content: pair }) => {
        const oid = read(pair, tagOf.oid);
        return { oid: oid.content.toString('hex'), text: read(oid.rest).content.toString('utf8') };
      }),
    );
    const textsOf = (wanted: string) => pairs.filter(({ oid }) => oid === wanted).map(({ text }) => text);
    return { commonNames: textsOf(oids.commonName), organizations: textsOf(oids.organization) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function* elements(content: Buffer): Generator<Element> {
  for (let left = content; left.length > 0; ) {
    const element = read(left);
    yield element;
    left = element.rest;
  }
}

/** Throws RangeError on what ends too soon or is something else. */
function read(bytes: Buffer, wanted?: number): Element {
  const tag = bytes.readUInt8(0);
  if (wanted !== undefined && tag !== wanted) throw new RangeError(`tag ${tag} in place of ${wanted}`);
  const first = bytes.readUInt8(1);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 3 || first === 0x80) throw new RangeError('a length that is none');
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes);
  const start = 2 + lengthBytes;
  if (start + length > bytes.length) throw new RangeError('ends too soon');
  return { tag, content: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) };
}
