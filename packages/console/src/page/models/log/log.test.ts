import assert from 'node:assert/strict';
import { it } from 'node:test';
import { limits } from '../../limits.ts';
import { ColouredLines } from './coloured-lines.ts';
import { LogBuffer } from './log-buffer.ts';
import { LogPlace } from './log-place.ts';
import { LogSearch } from './log-search.ts';
import { type Colour, contrast, logBack, readable } from './readable.ts';

const esc = '\u001b';
const read = (line: string) => new ColouredLines().read(line);
const looks = (line: string, lines = new ColouredLines()) =>
  lines
    .read(line)
    .spans?.map(({ text, colour = '', back = '', looks }) => [text, colour, back, ...looks].join('|'));

it('a log keeps its last lines', () => {
  const buffer = new LogBuffer({ linesMax: 3, charactersMax: 10 });
  for (const line of ['one', `${esc}[31mtwo${esc}[0m`, 'three', 'four']) buffer.push(line);
  const texts = () => buffer.lines.map(({ text }) => text);
  assert.deepEqual(texts(), ['three', 'four']);
  assert.deepEqual([buffer.dropped, buffer.count], [2, 4]);
  buffer.push('x'.repeat(50));
  assert.deepEqual(texts(), ['x'.repeat(10)]);
});

it('a line has the colours that its container gave it, and no others', () => {
  assert.deepEqual(looks(`${esc}[1;32mok${esc}[m done`), ['ok|rgb(0, 187, 0)||bold', ' done||']);
  assert.deepEqual(looks(`${esc}[38;5;46ma${esc}[38;2;1;250;3mb${esc}[38:2::1:250:3mc${esc}[38:5:46md`), [
    ...['a|rgb(0, 255, 0)|', 'b|rgb(1, 250, 3)|', 'c|rgb(1, 250, 3)|', 'd|rgb(0, 255, 0)|'],
  ]);
  assert.deepEqual(looks(`${esc}[41mx${esc}[49my`), ['x|rgb(230, 230, 230)|rgb(187, 0, 0)', 'y||']);
  assert.deepEqual(looks(`${esc}[3;4:3;9mx${esc}[4:0my`), [
    'x|||italic|underline|strikethrough',
    'y|||italic|strikethrough',
  ]);
  assert.equal(read('plain').spans, undefined);
});

it('colours last until they are taken back, over the ends of lines, and are not gathered without end', () => {
  const lines = new ColouredLines();
  assert.deepEqual(looks(`${esc}[32mError: a`, lines), ['Error: a|rgb(0, 187, 0)|']);
  assert.deepEqual(looks('  at b', lines), ['  at b|rgb(0, 187, 0)|']);
  assert.deepEqual(looks(`  at c${esc}[39m`, lines), ['  at c|rgb(0, 187, 0)|']);
  assert.equal(lines.read('d').spans, undefined);
  for (let count = 0; count < 100; count += 1) lines.read(`${esc}[1m`.repeat(100));
  assert.equal(lines.read('e').spans, undefined);
});

it('what terminals obey beyond colours is left out: links, titles, clipboards, positions, half a sequence', () => {
  for (const [line, text] of [
    [`${esc}]8;;https://example.com${esc}\\link${esc}]8;;${esc}\\`, 'link'],
    [`${esc}]0;title\u0007a${esc}]52;c;b3duZWQ=\u0007b`, 'ab'],
    [`${esc}P1;2|data${esc}\\a${esc}_apc${esc}\\b`, 'ab'],
    [`a${esc}[2J${esc}[10;10Hb${esc}[?25lc${esc}(Bd${esc}7e`, 'abcde'],
    ['a\r', 'a'],
    ['tab\there\u0000\u0008\u009b31m', 'tab\there31m'],
    [`a${esc}[31`, 'a'],
    [`a${esc}`, 'a'],
    ['<b>&amp;</b>', '<b>&amp;</b>'],
  ] as const)
    assert.equal(read(line).text, text, JSON.stringify(line));
});

it('a line has so many changes of colour at most, and all of its letters', () => {
  const { text, spans = [] } = read(`${esc}[31ma${esc}[32mb`.repeat(10_000));
  assert.equal(text, 'ab'.repeat(10_000));
  assert.ok(spans.length <= limits.logSpansMax, `${spans.length}`);
});

it('a colour that could not be read on its back is shown lighter or darker', () => {
  const blue: Colour = [0, 0, 187];
  for (const back of [logBack, blue, [255, 255, 255], [128, 128, 128]] as Colour[])
    for (const colour of [blue, [0, 0, 0], [255, 255, 255], [120, 130, 120]] as Colour[])
      assert.ok(contrast(readable(colour, back), back) >= 4.5, `${colour} on ${back}`);
  assert.deepEqual(readable([0, 187, 0], logBack), [0, 187, 0]);
});

it('a search finds places in any case, goes round, and follows a log that grows and loses its oldest lines', () => {
  const buffer = new LogBuffer({ linesMax: 3 });
  const search = new LogSearch();
  for (const line of ['An error', 'none', `ERR${esc}[31mOR error`]) buffer.push(line);
  search.lookFor('error', buffer);
  assert.deepEqual(
    search.matches.map(({ line, start, end }) => [line, start, end]),
    [
      ...[
        [0, 3, 8],
        [2, 0, 5],
        [2, 6, 11],
      ],
    ],
  );
  assert.equal(search.words, '3 found');
  search.step(-1);
  assert.equal(search.words, '3 of 3');
  search.step(1);
  assert.equal(search.words, '1 of 3');
  buffer.push('error 4');
  search.update(buffer);
  assert.deepEqual([search.words, search.matches.at(-1)?.line], ['3 found', 3]);
  search.lookFor('[.', buffer);
  assert.equal(search.words, '0 found');
  search.step(1);
  assert.equal(search.current, undefined);
  search.lookFor('', buffer);
  assert.equal(search.words, '');
});

it('what was read of a log is known again by its times, lines of one time and instances after it too', () => {
  const at = (fraction: string, text: string) => `2026-12-01T05:00:00.${fraction}Z ${text}`;
  const place = new LogPlace({ keepsTimes: false, tailLines: 1_000 });
  const take = (lines: string[]) => lines.flatMap((line) => place.take(line) ?? []);
  const first = [at('1', 'a'), at('25', 'b'), at('25', 'b')];
  place.again();
  assert.deepEqual(take(first), ['a', 'b', 'b']);
  assert.equal(place.sinceTime, '2026-12-01T05:00:00.25Z');
  place.again();
  // Times with and without their last zeros are the same.
  assert.deepEqual(take([...first.slice(0, 2), at('250', 'b'), at('250000000', 'c'), at('3', '')]), [
    'c',
    '',
  ]);
  place.again();
  assert.deepEqual(take([at('3', ''), 'failed to watch', at('30001', 'next')]), ['failed to watch', 'next']);
  assert.deepEqual(
    ['04:59:59', '05:00:00', '05:00:01'].map((time) => place.isBefore(Date.parse(`2026-12-01T${time}Z`))),
    [false, true, true],
  );
  const kept = new LogPlace({ keepsTimes: true, tailLines: 1_000 });
  assert.equal(kept.take(first[0]!), first[0]);
});

it('what two instances of a container wrote is parted by a line of the page, which ends the colours of the first', () => {
  const buffer = new LogBuffer();
  buffer.push(`${esc}[31mred`);
  buffer.pushNote('— restart —');
  buffer.push('plain');
  assert.deepEqual(buffer.lines.slice(1), [
    { text: '— restart —', spans: [{ text: '— restart —', looks: ['own'] }] },
    { text: 'plain' },
  ]);
});
