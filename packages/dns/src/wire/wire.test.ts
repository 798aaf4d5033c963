import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { question } from '../../test/fake-cluster.ts';
import { limits } from '../limits.ts';
import type { Answer } from './answer.ts';
import { headerFlags, recordTypes } from './codes.ts';
import { readAnswer } from './message.ts';
import { foldCase, labelsOf, nameFrom, readName } from './name.ts';
import { readQuery } from './query.ts';
import type { ResourceRecord } from './record.ts';
import { udpAnswerBytes, writeResponse } from './response.ts';

const queryFor = (name: string, type: number = recordTypes.A, options = {}) =>
  readQuery(question(name, type, options))!;
const answerOf = (answers: ResourceRecord[], additionals: ResourceRecord[] = []): Answer => ({
  ...{ code: 0, authoritative: true, answers, authorities: [], additionals },
});
const address = (owner: string, last: number): ResourceRecord => ({
  ...{ owner, type: recordTypes.A, ttl: 5, data: [Buffer.from([10, 88, 0, last])] },
});
const many = (count: number) =>
  answerOf(Array.from({ length: count }, (_, index) => address('web.default.svc.cluster.local', index)));

describe('a name on the wire', () => {
  it('keeps apart what looks alike as text', () => {
    const packet = Buffer.from([3, 0x61, 0x2e, 0x62, 1, 0xff, 0]);
    const { name, end } = readName(packet, 0);
    assert.deepEqual([name, labelsOf(name), end], ['a\\.b.\xff', ['a\\.b', '\xff'], 7]);
    assert.deepEqual(labelsOf('a\\\\.b'), ['a\\\\', 'b']);
  });

  it('is refused where it has no end, points forward, or is longer than names are', () => {
    const hostile = {
      'points to itself': [0xc0, 0],
      'goes beyond the message': [5, 0x61],
      'has no end': [1, 0x61],
      'a label of an unknown kind': [0x80, 0],
      'half a pointer': [0xc0],
    };
    for (const [what, bytes] of Object.entries(hostile))
      assert.throws(() => readName(Buffer.from(bytes), 0), { name: 'WireError' }, what);
    const long = Buffer.concat([...Array(5)].map(() => Buffer.from([63, ...Buffer.alloc(63, 0x61)])));
    assert.throws(() => readName(Buffer.concat([long, Buffer.from([0])]), 0), /longer than 255 bytes/);
  });

  it('is compared in lower case of A to Z alone', () => {
    assert.equal(foldCase('WeB.\xc0'), 'web.\xc0');
    assert.equal(nameFrom('Example.COM.'), 'example.com');
    for (const none of ['', 'a..b', `${'x'.repeat(64)}.y`, 'a\\b']) assert.equal(nameFrom(none), undefined);
  });
});

describe('a query', () => {
  it('that is an answer, or shorter than a header, is not answered', () => {
    const answer = question('a.example', 1);
    answer.writeUInt16BE(headerFlags.response, 2);
    assert.equal(readQuery(answer), undefined);
    assert.equal(readQuery(Buffer.alloc(11)), undefined);
  });

  it('that is not one question of the internet is refused with the code that says so', () => {
    const changed = (change: (packet: Buffer) => void) => {
      const packet = question('a.example', 1, { edns: 4096 });
      change(packet);
      return readQuery(packet)?.refusal;
    };
    assert.equal(
      changed((packet) => packet.writeUInt16BE(0x2800, 2)),
      4,
      'an update',
    );
    assert.equal(
      changed((packet) => packet.writeUInt16BE(2, 4)),
      1,
      'two questions',
    );
    assert.equal(
      changed((packet) => packet.writeUInt16BE(0xffff, 6)),
      1,
      'answers',
    );
    assert.equal(
      changed((packet) => packet.writeUInt16BE(3, 25)),
      5,
      'class CHAOS',
    );
    assert.equal(
      changed((packet) => packet.writeUInt8(1, packet.length - 5)),
      16,
      'EDNS of version 1',
    );
    assert.equal(
      changed(() => {}),
      undefined,
    );
  });

  it('takes over UDP what it offers, within bounds', () => {
    const bytes = (edns?: number) => udpAnswerBytes(queryFor('a', 1, { edns }));
    assert.deepEqual(
      [bytes(), bytes(100), bytes(900), bytes(65_535)],
      [512, 512, 900, limits.udpAnswerBytesMax],
    );
  });
});

describe('an answer', () => {
  it('repeats the question in the letters it came in, and compresses names', () => {
    const packet = writeResponse(queryFor('WeB.default.svc.cluster.local'), many(20));
    assert.equal(packet.length, 12 + 35 + 20 * 16);
    assert.ok(packet.includes('WeB'));
    const { answers, name } = readAnswer(packet);
    assert.equal(name, 'web.default.svc.cluster.local');
    assert.deepEqual(foldCase(answers[19]!.owner), name);
    assert.deepEqual([...(answers[19]!.data[0] as Uint8Array)], [10, 88, 0, 19]);
  });

  it('says that it is cut where an answer does not fit, and not where only additional records are left out', () => {
    const query = queryFor('web.default.svc.cluster.local');
    const cut = writeResponse(query, many(200), 512);
    assert.ok(cut.length <= 512 && cut.readUInt16BE(2) & headerFlags.truncated);
    assert.equal(cut.readUInt16BE(6), Math.floor((512 - 47) / 16));
    const additionals = many(200).answers as ResourceRecord[];
    const whole = writeResponse(query, answerOf([address(query.name, 1)], additionals), 512);
    assert.equal(whole.readUInt16BE(2) & headerFlags.truncated, 0);
    assert.ok(readAnswer(whole).additionals.length < 200);
  });

  it('does not compress the names of servers, and reads names that others have compressed', () => {
    const srv = (host: string): ResourceRecord => ({
      ...{ owner: 'a.example', type: recordTypes.SRV, ttl: 5, data: [Buffer.alloc(6), host] },
    });
    const packet = writeResponse(queryFor('a.example', recordTypes.SRV), answerOf([srv('b.a.example')]));
    assert.ok(packet.subarray(27).includes(Buffer.from('\x01b\x01a\x07example\x00')));
    const alias: ResourceRecord = {
      owner: 'a.example',
      type: recordTypes.CNAME,
      ttl: 5,
      data: ['b.a.example'],
    };
    const shorter = writeResponse(queryFor('a.example'), answerOf([alias]));
    assert.equal(shorter.length, 12 + 15 + 12 + 4);
    assert.deepEqual(readAnswer(shorter).answers[0]?.data, ['b.a.example']);
  });

  it('carries what it takes for who said the same, and the upper bits of its code', () => {
    const packet = writeResponse(queryFor('a', 1, { edns: 1400 }), { ...answerOf([]), code: 16 });
    assert.equal(readAnswer(packet).code, 16);
    assert.equal(packet.readUInt16BE(packet.length - 8), limits.udpAnswerBytesMax);
    assert.equal(writeResponse(queryFor('a'), answerOf([])).readUInt16BE(10), 0);
  });
});
