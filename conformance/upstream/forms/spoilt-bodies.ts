/** Protobuf bodies that are not as they should be, or say the same in a way that nobody writes. */
import type { SeededRandom } from '../../../packages/kubeapi/test/random-object.ts';

const magicBytes = 4;

/** A spoilt body of a whole one, or of any bytes. */
export function spoilt(whole: Buffer, random: SeededRandom): Buffer {
  const body = opened(whole);
  if (!body) return cut(whole, random);
  return random.pick(ways)(body, random);
}

interface Body {
  whole: Buffer;
  apiVersion: string;
  kind: string;
  raw: Buffer;
}

type Way = (body: Body, random: SeededRandom) => Buffer;

const ways: readonly Way[] = [
  ({ whole }, random) => cut(whole, random),
  ({ whole }, random) => flipped(whole, random),
  ({ whole }, random) => flipped(whole, random),
  ({ whole }, random) =>
    random.pick([Buffer.alloc(0), whole.subarray(0, magicBytes), whole.subarray(magicBytes)]),
  ({ whole }) => Buffer.concat([whole, whole]),
  // Who it says that it is.
  (body) => enveloped({ ...body, kind: '' }),
  (body) => enveloped({ ...body, apiVersion: '' }),
  (body) => enveloped({ ...body, apiVersion: '', kind: '' }),
  (body) => enveloped({ ...body, kind: 'None' }),
  (body) => enveloped({ ...body, kind: 'Binding', apiVersion: 'v1' }),
  (body) => enveloped({ ...body, apiVersion: 'none/v1' }),
  (body) => enveloped({ ...body, apiVersion: 'v9' }),
  (body) => enveloped({ ...body, apiVersion: 'a/b/c' }),
  // How it says that it is written.
  (body) => enveloped(body, text(3, 'gzip')),
  (body) => enveloped(body, text(4, 'application/json')),
  (body) => enveloped(body, text(3, ''), text(4, '')),
  (body) => enveloped(body, message(2, Buffer.alloc(0))),
  (body) => enveloped(body, message(9, Buffer.from('x'))),
  // Fields that nobody knows, or that come again.
  (body, random) => withMore(body, random.pick(unknownFields)),
  (body, random) => withMore(body, random.pick(unknownFields), random.pick(unknownFields)),
  (body) => withMore(body, message(1, text(12, ''))),
  (body) => withMore(body, message(1, message(11, Buffer.concat([text(1, 'again'), text(2, 'x')])))),
  (body) => withMore(body, message(1, message(11, Buffer.concat([text(2, 'x'), text(1, 'backwards')])))),
  (body) => withMore(body, message(1, message(11, text(1, 'key-alone')))),
  (body) => withMore(body, message(1, message(11, Buffer.alloc(0)))),
  (body) => ({ ...body }).raw.length > 0 ? withMore({ ...body, raw: Buffer.alloc(0) }, body.raw) : body.whole,
  // What is no message.
  (body, random) => withMore(body, random.pick(noFields)),
  (body, random) => withMore(body, random.pick(noFields)),
  (body, random) => withMore(body, message(1, random.pick(noFields))),
  (body) => withMore(body, message(2, random64())),
  (body) => withMore(body, deep(200)),
  (body) => withMore(body, Buffer.from([0x0a, 0x80, 0x80, 0x80, 0x80, 0x08])),
];

const random64 = () => Buffer.from('ffffffffffffffff01', 'hex');

/** Each of a wire type: a number, eight bytes, bytes, a group, four bytes; and a number in more bytes than it needs. */
const unknownFields: readonly Buffer[] = [
  ...['c03e05', 'c13e0102030405060708', 'ca3e0161', 'c33ec03e05c43e', 'c53e01020304', 'c03e8580808000'],
  ...['f8ffffff0f01', 'c33ec33ec43ec43e', '98808080808080808001' + '01'],
].map((hex) => Buffer.from(hex, 'hex'));

/** A field of number 0, a wire type that is none, groups that do not fit, numbers and lengths that are too long. */
const noFields: readonly Buffer[] = [
  ...['00', '0001', '0e', '0f', '0c', 'c33e', 'c33ec03e05', 'c43e', '08', '0a', '0a05', '0d01', '0901'],
  ...[`0a${'ff'.repeat(9)}01`, `0a${'ff'.repeat(11)}`, 'ff'.repeat(12), '0aff01', 'ca3effffffff0f'],
  ...[`ca3e${'ff'.repeat(9)}01`, '0800', '0a0108', '0a0100', '1001', '1801', '2001', '0dffffffff'],
].map((hex) => Buffer.from(hex, 'hex'));

function cut(bytes: Buffer, random: SeededRandom): Buffer {
  return bytes.subarray(0, random.below(bytes.length + 1));
}

function flipped(bytes: Buffer, random: SeededRandom): Buffer {
  const made = Buffer.from(bytes);
  for (let hits = random.pick([1, 1, 1, 2, 3]); hits > 0 && made.length > magicBytes; hits -= 1) {
    const at = magicBytes + random.below(made.length - magicBytes);
    made[at] = random.pick([random.below(256), made[at]! ^ (1 << random.below(8)), 0xff, 0]);
  }
  return made;
}

function withMore(body: Body, ...more: Buffer[]): Buffer {
  return enveloped({ ...body, raw: Buffer.concat([body.raw, ...more]) });
}

function enveloped({ whole, apiVersion, kind, raw }: Body, ...more: Buffer[]): Buffer {
  const says = Buffer.concat([text(1, apiVersion), text(2, kind)]);
  return Buffer.concat([whole.subarray(0, magicBytes), message(1, says), message(2, raw), ...more]);
}

function deep(levels: number): Buffer {
  let made: Buffer = Buffer.alloc(0);
  for (let level = 0; level < levels; level += 1) made = message(1, made);
  return made;
}

function message(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

const text = (number: number, value: string) => message(number, Buffer.from(value));

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** An envelope as it is always written: who it says that it is, then the object. */
function opened(whole: Buffer): Body | undefined {
  if (whole.subarray(0, magicBytes).toString('latin1') !== 'k8s\0' || whole[magicBytes] !== 0x0a)
    return undefined;
  const headEnd = magicBytes + 2 + whole[magicBytes + 1]!;
  const head = whole.subarray(magicBytes + 2, headEnd);
  const apiVersion = head.subarray(2, 2 + head[1]!);
  const kind = head.subarray(4 + head[1]!);
  let at = headEnd + 1;
  while (whole[at]! >= 128) at += 1;
  return { whole, apiVersion: apiVersion.toString(), kind: kind.toString(), raw: whole.subarray(at + 1) };
}
