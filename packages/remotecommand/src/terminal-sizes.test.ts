import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TerminalSize } from './session.ts';
import { encodeTerminalSize, TerminalSizeDecoder, TerminalSizes } from './terminal-sizes.ts';

test('42: sizes decode the same wherever their stream is cut or joined', () => {
  const edge = fc.integer({ min: 0, max: 65_535 });
  const size = fc.tuple(edge, edge).map(([width, height]) => ({ width, height }));
  fc.assert(
    fc.property(fc.array(size), fc.array(fc.integer({ min: 1, max: 50 })), (sizes, cuts) => {
      const bytes = Buffer.concat(sizes.map(encodeTerminalSize));
      const decoder = new TerminalSizeDecoder();
      const decoded: TerminalSize[] = [];
      let offset = 0;
      for (const cut of [...cuts, bytes.length]) {
        decoded.push(...decoder.decode(bytes.subarray(offset, offset + cut)));
        offset += cut;
      }
      assert.deepEqual(decoded, sizes);
    }),
  );
});

test('a size is one JSON object and a newline, as Go writes it', () => {
  assert.equal(
    Buffer.from(encodeTerminalSize({ width: 80, height: 24 })).toString(),
    '{"Width":80,"Height":24}\n',
  );
});

test('what is no size is skipped, and an endless object is not kept', () => {
  const decoder = new TerminalSizeDecoder();
  const decode = (text: string) => decoder.decode(Buffer.from(text));
  assert.deepEqual(decode('junk {"Width":-1,"Height":1} {broken} {"width":5,"height":6}'), [
    { width: 5, height: 6 },
  ]);
  assert.deepEqual(decode(`{${'x'.repeat(100_000)}`), []);
  assert.deepEqual(decode('{"Width":7,"Height":8}'), [{ width: 7, height: 8 }]);
});

test('of millions of sizes that come at once the last few are read', () => {
  const decoder = new TerminalSizeDecoder();
  const burst = Buffer.alloc(30 * 2 ** 20, '{}');
  const last = encodeTerminalSize({ width: 7, height: 8 });
  const sizes = decoder.decode(Buffer.concat([Buffer.from('{"Wid'), burst, last]));
  assert.deepEqual(sizes.at(-1), { width: 7, height: 8 });
  assert.ok(sizes.length < 5_000);
});

test('96: of a burst the last size is always delivered, and the loop ends with the session', async () => {
  const sizes = new TerminalSizes();
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { width } of sizes) seen.push(width);
  })();
  for (let width = 1; width <= 100; width++) sizes.push({ width, height: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  sizes.push({ width: 200, height: 1 });
  sizes.finish();
  await reading;
  assert.equal(seen.at(-1), 200);
  assert.ok(seen.includes(100));
  assert.ok(seen.length < 100);
});

test('97: the two sizes by which attach asks for a redraw both arrive', async () => {
  const sizes = new TerminalSizes();
  sizes.push({ width: 81, height: 25 });
  sizes.push({ width: 80, height: 24 });
  sizes.finish();
  const seen: TerminalSize[] = [];
  for await (const size of sizes) seen.push(size);
  assert.deepEqual(seen, [
    { width: 81, height: 25 },
    { width: 80, height: 24 },
  ]);
});
