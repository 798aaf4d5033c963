import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomObject, SeededRandom } from '../../test/random-object.ts';
import type { JsonObject } from '../json/json-value.ts';
import { conform } from '../schema/conform.ts';
import { messageNames, messageSchema } from '../schema/schema.ts';
import { decodeMessage, decodeProtobuf } from './decode.ts';
import { encodeMessage } from './encode.ts';
import { encodeProtobuf } from './encode-object.ts';
import { encodeWatchFrame, openEnvelope, writeTypeMeta } from './envelope.ts';
import { ProtobufError } from './reader.ts';
import { ReverseWriter } from './writer.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const kinds = messageNames
  .map(messageSchema)
  .filter((schema) => schema.isKind && schema.group !== 'meta.k8s.io');

describe('protobuf', () => {
  it('wraps an object as runtime.Unknown behind the magic', () => {
    const bytes = encodeProtobuf({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'a' } });
    // k8s\0 · typeMeta{apiVersion "v1", kind "Namespace"} · raw{metadata{name "a"}}
    assert.equal(hex(bytes), `6b3873000a0f0a027631${'1209'}4e616d657370616365${'1205'}0a03${'0a0161'}`);
    const { apiVersion, kind } = openEnvelope(bytes);
    assert.deepEqual({ apiVersion, kind }, { apiVersion: 'v1', kind: 'Namespace' });
  });

  it('writes negative numbers in ten bytes and reads them back', () => {
    const schema = messageSchema('ContainerStateTerminated');
    for (const exitCode of [-1, 0, 1, 137, 2 ** 31 - 1, -(2 ** 31)]) {
      const decoded = decodeMessage(encodeMessage({ exitCode }, schema), schema);
      assert.equal(decoded['exitCode'], exitCode);
    }
  });

  it('carries whole numbers up to 2^53 and refuses to lose digits beyond', () => {
    const schema = messageSchema('ObjectMeta');
    for (const generation of [1, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      assert.equal(decodeMessage(encodeMessage({ generation }, schema), schema)['generation'], generation);
    }
    // generation = 2^60
    const large = Buffer.from('38808080808080808010', 'hex');
    assert.throws(() => decodeMessage(large, schema), ProtobufError);
  });

  it('keeps text of every alphabet and length', () => {
    const schema = messageSchema('ObjectMeta');
    for (const name of ['a', 'ü', '☃'.repeat(100), 'x'.repeat(5000), '\u0000', '𝄞']) {
      assert.equal(decodeMessage(encodeMessage({ name }, schema), schema)['name'], name);
    }
  });

  it('passes over fields it does not know', () => {
    const known = Buffer.from(encodeMessage({ name: 'a' }, messageSchema('ObjectMeta')));
    // 1000: varint, 1001: bytes, 1002: fixed64, 1003: fixed32
    const unknown = Buffer.from('c03e05ca3e0161d13e0000000000000000dd3e00000000', 'hex');
    assert.deepEqual(decodeMessage(Buffer.concat([unknown, known, unknown]), messageSchema('ObjectMeta')), {
      name: 'a',
    });
  });

  it('reads packed and unpacked numbers', () => {
    const schema = messageSchema('PodSecurityContext');
    const unpacked = decodeMessage(Buffer.from('200120022003', 'hex'), schema);
    const packed = decodeMessage(Buffer.from('2203010203', 'hex'), schema);
    assert.deepEqual(unpacked, { supplementalGroups: [1, 2, 3] });
    assert.deepEqual(packed, unpacked);
  });

  it('reads parts of a message that stand one behind the other as one message', () => {
    const schema = messageSchema('ConfigMap');
    const [first, second] = [
      { metadata: { name: 'a', labels: { x: '1' } } },
      { metadata: { labels: { y: '2' }, namespace: 'n' } },
    ].map((object) => Buffer.from(encodeMessage(object, schema)));
    assert.deepEqual(decodeMessage(Buffer.concat([first!, second!]), schema)['metadata'], {
      ...{ name: 'a', namespace: 'n', labels: { x: '1', y: '2' } },
    });
  });

  it('takes the last of what comes twice, if it says nothing', () => {
    const schema = messageSchema('ObjectMeta');
    const name = Buffer.from(encodeMessage({ name: 'a' }, schema));
    assert.deepEqual(decodeMessage(Buffer.concat([name, Buffer.from('0a00', 'hex')]), schema), {});
  });

  it('passes over groups that it does not know, and refuses those that do not fit', () => {
    const schema = messageSchema('ObjectMeta');
    const read = (text: string) => decodeMessage(Buffer.from(`0a0161${text}`, 'hex'), schema);
    // 1000: a group, with a group and a number in it
    assert.deepEqual(read('c33ec33ec43ec03e05c43e'), { name: 'a' });
    assert.throws(() => read('c33ec03e05'), { message: 'unexpected EOF' });
    assert.throws(() => read('c43e'), { message: 'proto: ObjectMeta: wiretype end group for non-group' });
  });

  it('tells of tags and lengths that are none in upstream’s words', () => {
    const refused = (text: string) => {
      try {
        return decodeMessage(Buffer.from(text, 'hex'), messageSchema('ObjectMeta'));
      } catch (error) {
        return (error as Error).message;
      }
    };
    assert.equal(refused('00'), 'proto: ObjectMeta: illegal tag 0 (wire type 0)');
    assert.equal(
      refused('ffffffffffffffff01'),
      'proto: ObjectMeta: illegal tag -1 (wire type 144115188075855871)',
    );
    assert.equal(refused('0aff'), 'unexpected EOF');
    assert.equal(refused('0a80808080808080808001'), 'proto: negative length found during unmarshaling');
    assert.equal(refused(`0a${'ff'.repeat(11)}`), 'proto: integer overflow');
    assert.equal(refused('0a8080808008'), 'unexpected EOF');
    assert.equal(refused('0801'), 'proto: wrong wireType = 0 for field Name');
  });

  it('writes fields in the order of their numbers, and keys of maps in theirs', () => {
    const container = { imagePullPolicy: 'Always', terminationMessagePolicy: 'File', name: 'a' };
    const bytes = encodeMessage(container, messageSchema('Container'));
    const reordered = Object.fromEntries(Object.entries(container).toReversed());
    assert.equal(hex(encodeMessage(reordered, messageSchema('Container'))), hex(bytes));
    const text = Buffer.from(bytes).toString('latin1');
    assert.ok(text.indexOf('Always') < text.indexOf('File'));
    assert.equal(
      hex(encodeMessage({ data: { b: '1', a: '2' } }, messageSchema('ConfigMap'))),
      hex(encodeMessage({ data: { a: '2', b: '1' } }, messageSchema('ConfigMap'))),
    );
  });

  it('numbers a list of metadata as its version does', () => {
    const list = { kind: 'PartialObjectMetadataList', metadata: { resourceVersion: '7' }, items: [] };
    const raw = (version: string) =>
      hex(openEnvelope(encodeProtobuf({ ...list, apiVersion: `meta.k8s.io/${version}` })).raw);
    assert.equal(raw('v1'), '0a03120137');
    assert.equal(raw('v1beta1'), '1203120137');
  });

  it('frames watch events with a length', () => {
    const object = encodeProtobuf({ kind: 'Namespace', apiVersion: 'v1', metadata: {} });
    const frame = Buffer.from(encodeWatchFrame('ADDED', object));
    assert.equal(frame.readUInt32BE(), frame.length - 4);
    assert.equal(frame.subarray(4, 11).toString('latin1'), '\n\x05ADDED');
  });

  it('gives every kind back as it was, whatever is set', () => {
    const seed = Date.now() % 1e9;
    const random = new SeededRandom(seed);
    for (const schema of kinds) {
      for (let round = 0; round < 4; round++) {
        const { object } = conform(randomObject(schema, random), schema);
        assert.deepEqual(decodeProtobuf(encodeProtobuf(object)), object, `${schema.name}, seed ${seed}`);
      }
    }
  });

  it('answers mutilated bytes with an error or an object, and nothing else', () => {
    const seed = Date.now() % 1e9;
    const random = new SeededRandom(seed);
    const schema = messageSchema('Pod');
    for (let round = 0; round < 3000; round++) {
      const bytes = Buffer.from(encodeProtobuf(randomObject(schema, random) as JsonObject));
      for (let hit = 0; hit < 3; hit++) bytes[random.below(bytes.length)] = random.below(256);
      const cut = bytes.subarray(0, random.fraction() < 0.3 ? random.below(bytes.length) : bytes.length);
      try {
        decodeProtobuf(cut);
      } catch (error) {
        assert.ok(error instanceof ProtobufError, `seed ${seed}, round ${round}: ${error}`);
      }
    }
  });

  it('refuses messages that nest without end', () => {
    // JSONSchema-like recursion exists in no served kind; LabelSelector inside PodSpec is the deepest. A run of
    // length prefixes that never ends in data must still fail quickly.
    const bytes = Buffer.alloc(100_000, 0x12);
    assert.throws(() => decodeMessage(bytes, messageSchema('Pod')), ProtobufError);
  });

  it('refuses objects within objects that nest without end', () => {
    const bytes = within(20_000);
    assert.throws(() => decodeProtobuf(bytes), {
      name: 'ProtobufError',
      message: 'proto: exceeded max depth',
    });
    assert.equal(decodeProtobuf(within(10))['kind'], 'ControllerRevision');
  });
});

/** So many controller revisions, each the data of the one around it. */
function within(count: number): Uint8Array {
  const writer = new ReverseWriter();
  const raw = (1 << 3) | 2;
  const second = (2 << 3) | 2;
  for (let level = 0; level < count; level++) {
    if (level > 0) {
      writer.prefix(raw, 0);
      writer.prefix(second, 0);
    }
    writer.prefix(second, 0);
    writeTypeMeta(writer, { apiVersion: 'apps/v1', kind: 'ControllerRevision' });
  }
  return writer.finish();
}
