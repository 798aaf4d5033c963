import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { rawTar } from '../../test/raw-tar.ts';
import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';
import { TarReader } from './reader.ts';

let folder: string;
const archives = new Map<string, Buffer>();

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-tar-'));
  const long = 'n'.repeat(120);
  mkdirSync(join(folder, 'tree', long), { recursive: true });
  writeFileSync(join(folder, 'tree', long, 'file with ünïcode'), 'x'.repeat(1000));
  writeFileSync(join(folder, 'tree/empty'), '');
  symlinkSync('l'.repeat(150), join(folder, 'tree/link'));
  for (const format of ['pax', 'gnu', 'ustar']) {
    const names = format === 'ustar' ? ['empty'] : ['.'];
    const tar = execFileSync('tar', [`--format=${format}`, '-C', join(folder, 'tree'), '-c', ...names]);
    archives.set(format, tar);
  }
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** Everything a reader tells, as text. */
function read(pieces: Iterable<Uint8Array>): string[] {
  const told: string[] = [];
  let content = '';
  const reader = new TarReader({
    entry: ({ path, type, size, linkTarget }) => told.push(`${type} ${path} ${size} ${linkTarget}`),
    content: (chunk) => {
      content += Buffer.from(chunk).toString('latin1');
    },
    entryEnd: () => {
      told.push(content);
      content = '';
    },
  });
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return told;
}

function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let offset = 0;
  for (let at = 0; offset < bytes.length; at++) {
    const size = sizes[at % sizes.length] ?? 1;
    yield bytes.subarray(offset, offset + size);
    offset += size;
  }
}

for (const format of ['pax', 'gnu', 'ustar']) {
  test(`a ${format} archive of GNU tar reads the same however it is cut`, () => {
    const bytes = archives.get(format) ?? Buffer.alloc(0);
    const whole = read([bytes]);
    assert.ok(whole.some((line) => line.includes('file ')));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 }), (sizes) => {
        assert.deepEqual(read(cut(bytes, sizes)), whole);
      }),
      { numRuns: 50 },
    );
  });
}

test('long names and link targets come whole in both dialects', () => {
  for (const format of ['pax', 'gnu']) {
    const told = read([archives.get(format) ?? Buffer.alloc(0)]).join('\n');
    assert.ok(told.includes(`${'n'.repeat(120)}/file with ünïcode 1000`), format);
    assert.ok(told.includes('l'.repeat(150)), format);
  }
});

test('damaged bytes are refused with a ImageError or read as something else, never worse', () => {
  const original = archives.get('pax') ?? Buffer.alloc(0);
  fc.assert(
    fc.property(fc.nat(original.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const bytes = Buffer.from(original);
      bytes[at] = (bytes[at] ?? 0) ^ flip;
      try {
        read([bytes]);
      } catch (error) {
        assert.ok(error instanceof ImageError, String(error));
      }
    }),
    { numRuns: 500 },
  );
});

test('an archive that ends inside a file is refused', () => {
  const bytes = archives.get('pax') ?? Buffer.alloc(0);
  const inside = bytes.indexOf('xxxxxxxx') + 10;
  assert.throws(() => read([bytes.subarray(0, inside)]), /ends in the middle/);
});

test('a sparse file takes time by the number of its pieces alone', () => {
  const count = limits.sparsePiecesMax;
  const lines = Array.from({ length: count }, (_, at) => `0\n${at === count - 1 ? 1 : 0}\n`);
  const map = Buffer.from(`${count}\n${lines.join('')}`);
  const blocks = Buffer.concat([map, Buffer.alloc((512 - (map.length % 512)) % 512)]);
  const pax = [
    ['GNU.sparse.major', '1'],
    ['GNU.sparse.minor', '0'],
    ['GNU.sparse.realsize', '1'],
  ] as const;
  const file = { path: 'file', content: Buffer.concat([blocks, Buffer.from('x')]), pax };
  const before = process.cpuUsage();
  assert.deepEqual(read([rawTar([file, file])]), ['file file 1 ', 'x', 'file file 1 ', 'x']);
  assert.ok(process.cpuUsage(before).user < 8_000_000);
});
