/** The few bytes of DER that a name in a PKCS#10 request takes to read (X.690, RFC 2986). */

const tagOf = { sequence: 0x30, set: 0x31, oid: 0x06 } as const;
const oids = { commonName: '550403', organization: '55040a' } as const;
/** No request is larger; what claims to be is not read. */
const requestBytesMax = 64 * 1024;
const continued = 0x80;

interface Element {
  tag: number;
  content: Buffer;
  /** What follows the element. */
  rest: Buffer;
}

/** A request, and what it asks its certificate to call its holder. */
export interface RequestedCertificate {
  /** The whole request, for who reads on: no other bytes are what was looked at. */
  der: Buffer;
  commonNames: string[];
  organizations: string[];
}

/**
 * Reads a request for a certificate, PEM in base64 as API objects have it; undefined where it can't be read. It is the first block of its
 * text, and stands there without headers, so that nobody else finds another one. Names count however they are encoded.
 */
export function requestedCertificate(request: string): RequestedCertificate | undefined {
  const der = derOf(Buffer.from(request, 'base64').toString('latin1'));
  if (!der || der.length > requestBytesMax) return undefined;
  try {
    const whole = read(der, tagOf.sequence);
    if (whole.rest.length > 0) return undefined;
    const information = read(whole.content, tagOf.sequence).content;
    const version = read(information);
    const subject = read(version.rest, tagOf.sequence).content;
    const pairs = [...elements(subject)].flatMap(({ tag, content }) => {
      if (tag !== tagOf.set) throw new RangeError(`tag ${tag} in place of a set`);
      return [...elements(content)].map(({ content: pair }) => attributeOf(pair));
    });
    const textsOf = (wanted: string) => pairs.filter(({ oid }) => oid === wanted).map(({ text }) => text);
    return { der, commonNames: textsOf(oids.commonName), organizations: textsOf(oids.organization) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What the first block of a text holds, where it is a request. */
function derOf(text: string): Buffer | undefined {
  const start = text.indexOf('-----BEGIN ');
  const block =
    /^-----BEGIN CERTIFICATE REQUEST-----[ \t\r]*\n([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----/.exec(
      start < 0 ? '' : text.slice(start),
    );
  return block ? Buffer.from(block[1] ?? '', 'base64') : undefined;
}

function attributeOf(pair: Buffer): { oid: string; text: string } {
  const { content: oid, rest } = read(pair, tagOf.oid);
  // A number with zeros in front is another spelling of a type.
  const isOdd = oid.some((byte, index) => byte === continued && ((oid[index - 1] ?? 0) & continued) === 0);
  if (isOdd) throw new RangeError('a type that is not in its one spelling');
  return { oid: oid.toString('hex'), text: textOf(read(rest)) };
}

/** The kinds of text that names are in (X.520 DirectoryString and its kin). Of other values nobody reads a name. */
function textOf({ tag, content }: Element): string {
  switch (tag) {
    case 0x0c: // UTF8String
      return content.toString('utf8');
    case 0x12: // NumericString
    case 0x13: // PrintableString
    case 0x14: // TeletexString
    case 0x16: // IA5String
    case 0x1a: // VisibleString
      return content.toString('latin1');
    case 0x1e: // BMPString
      return fromUnits(content, 2);
    case 0x1c: // UniversalString
      return fromUnits(content, 4);
    default:
      throw new RangeError(`a text of tag ${tag}`);
  }
}

function fromUnits(content: Buffer, bytes: 2 | 4): string {
  const units = Array.from({ length: content.length / bytes }, (_, at) =>
    content.readUIntBE(at * bytes, bytes),
  );
  return bytes === 2 ? String.fromCharCode(...units) : String.fromCodePoint(...units);
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
