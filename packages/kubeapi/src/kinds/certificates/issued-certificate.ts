/** Certificates in PEM as a signer hands them out (upstream: pkg/apis/certificates/validation, validateCertificate). */

const base64 = /^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/;
/** How DER begins what a certificate is: a sequence. */
const sequence = 0x30;

/** What is wrong with `certificate`, which is PEM in base64; undefined where nothing is, and for nothing at all. */
export function certificateProblem(certificate: string): string | undefined {
  const text = Buffer.from(certificate, 'base64').toString('latin1');
  if (text === '') return undefined;
  let blocks = 0;
  for (const { type, body } of blocksOf(text)) {
    const hasHeaders = body.includes(':');
    // What can't be decoded is text between blocks.
    if (!hasHeaders && !base64.test(body)) continue;
    if (type !== 'CERTIFICATE')
      return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (!areSequences(Buffer.from(body, 'base64'))) return 'x509: malformed certificate';
    blocks += 1;
  }
  return blocks > 0 ? undefined : 'must contain at least one CERTIFICATE PEM block';
}

/** What stands between each line that begins a block and the next one that ends it, by one pass over the lines. */
function* blocksOf(text: string): Generator<{ type: string; body: string }> {
  let type: string | undefined;
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, word, name] = /^-----(BEGIN|END) (.*)-----[ \t]*$/.exec(line) ?? [];
    if (word === 'BEGIN') [type, lines] = [name, []];
    else if (word === 'END') {
      if (name === type && type !== undefined) yield { type, body: lines.join('\n') };
      type = undefined;
    } else lines.push(line);
  }
}

/** True for DER that is made of whole sequences, one or more. */
function areSequences(bytes: Buffer): boolean {
  let at = 0;
  do {
    const [tag, first = 0] = bytes.subarray(at, at + 2);
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    if (tag !== sequence || lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) return false;
    const length = lengthBytes === 0 ? first & 0x7f : bytes.readUIntBE(at + 2, lengthBytes);
    at += 2 + lengthBytes + length;
  } while (at < bytes.length);
  return at === bytes.length;
}
