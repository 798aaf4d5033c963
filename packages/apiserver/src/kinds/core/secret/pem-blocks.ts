/** One block of a PEM text. */
export interface PemBlock {
  type: string;
  der: Buffer;
}

const [begin, end, dashes] = ['-----BEGIN ', '-----END ', '-----'];

/** The blocks of a text (RFC 7468), as Go's `encoding/pem` finds them: what is no block is passed over. Takes time by the text's length. */
export function* pemBlocks(text: string): Generator<PemBlock> {
  for (let from = 0; ; ) {
    const endsAt = text.indexOf(`\n${end}`, from);
    if (endsAt === -1) return;
    const behind = endsAt + 1 + end.length;
    const part = text.slice(from, behind);
    const beginsAt = part.lastIndexOf(begin);
    from = behind;
    if (beginsAt === -1 || (beginsAt > 0 && part[beginsAt - 1] !== '\n')) continue;
    const lineEnds = part.indexOf('\n', beginsAt);
    const line = part.slice(beginsAt + begin.length, lineEnds).trimEnd();
    const lastLineEnds = text.indexOf('\n', behind);
    const lastLine = text.slice(behind, lastLineEnds === -1 ? undefined : lastLineEnds).trimEnd();
    if (!line.endsWith(dashes) || lastLine !== line) continue;
    const der = bytesOf(part.slice(lineEnds + 1, -end.length));
    if (der) yield { type: line.slice(0, -dashes.length), der };
  }
}

/** What stands between the two lines: base64 behind lines with a colon. */
function bytesOf(body: string): Buffer | undefined {
  const lines = body.split('\n');
  const first = lines.findIndex((line) => !line.includes(':'));
  const base64 = lines.slice(first).join('').replaceAll(/\s/g, '');
  const isWhole = base64.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(base64);
  return isWhole ? Buffer.from(base64, 'base64') : undefined;
}
