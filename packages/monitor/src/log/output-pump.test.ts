import assert from 'node:assert/strict';
import { closeSync, constants, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { closeDescriptor, makeFifo, Poller } from '@wherry/linux';
import { temporaryFolder } from '../../test/bundle.ts';
import { until } from '../../test/harness.ts';
import { LogJournal } from './journal.ts';
import { LogFile } from './log-file.ts';
import { OutputPump, type OutputPumpOptions } from './output-pump.ts';
import { ScratchPipe } from './scratch-pipe.ts';
import { Staging } from './staging.ts';

const poller = new Poller();
const scratch = new ScratchPipe();
const { path: folder, remove } = temporaryFolder('pump');
after(() => {
  poller.close();
  scratch.close();
  remove();
});

const quietly = { clock: systemClock, onError: () => {} };
let next = 1;

/** A pump over a FIFO of its own, with the writing end. */
function makePump(
  logPath: string | null = join(folder, `${next}.log`),
  journalPath = join(folder, `${next}.journal`),
) {
  const name = join(folder, String(next++));
  makeFifo(name);
  makeFifo(`${name}.staging`);
  const source = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(name, constants.O_WRONLY);
  const heard: string[] = [];
  const log = logPath === null ? null : new LogFile(logPath, quietly);
  const parts = {
    name,
    source,
    writer,
    heard,
    log,
    logPath,
    staging: new Staging(`${name}.staging`, scratch),
    journal: new LogJournal(journalPath),
  };
  const start = (options: Pick<OutputPumpOptions, 'listenersReady'> = {}) =>
    new OutputPump({
      ...parts,
      ...options,
      stream: 'stdout',
      poller,
      clock: systemClock,
      onOutput: (_stream, chunk) => void heard.push(chunk.toString('latin1')),
    });
  return { ...parts, start };
}

const contents = (path: string | null) =>
  [...readFileSync(path ?? '', 'latin1').matchAll(/^\S+ stdout ([PF]) (.*)\n/gm)].map(
    ([, tag, content]) => `${tag}:${content}`,
  );

test('listeners hear an unfinished line at once, the log gets it when it is whole', async () => {
  const { writer, heard, logPath, start } = makePump();
  const pump = start();
  writeSync(writer, 'pass');
  await until(() => heard.join('') === 'pass');
  assert.deepEqual(contents(logPath), []);
  writeSync(writer, 'word\nrest');
  await until(() => heard.join('') === 'password\nrest');
  closeDescriptor(writer);
  await pump.done;
  assert.deepEqual(contents(logPath), ['F:password', 'P:rest']);
});

test('a stop does not wait for a listener that is behind, and loses nothing', {
  timeout: 5_000,
}, async () => {
  const { writer, heard, logPath, start } = makePump();
  const pump = start({ listenersReady: () => new Promise(() => {}) });
  writeSync(writer, 'first\n');
  await until(() => heard.length === 1);
  writeSync(writer, 'second\n');
  await pump.stop();
  closeDescriptor(writer);
  assert.deepEqual(contents(logPath), ['F:first', 'F:second']);
  assert.equal(heard.join(''), 'first\nsecond\n');
});

test('many tiny writes without newline do not stop the flow', async () => {
  const { writer, heard, logPath, start } = makePump();
  const pump = start();
  for (let index = 0; index < 150; index++) {
    writeSync(writer, '.');
    await until(() => heard.join('').length === index + 1);
  }
  closeDescriptor(writer);
  await pump.done;
  const joined = contents(logPath)
    .map((entry) => entry.slice(2))
    .join('');
  assert.equal(joined, '.'.repeat(150));
});

test('without a log the output only passes by', async () => {
  const { writer, heard, start } = makePump(null);
  const pump = start();
  writeSync(writer, 'x'.repeat(60_000));
  closeDescriptor(writer);
  await pump.done;
  assert.equal(heard.join('').length, 60_000);
});

test('a chunk that was written but not taken away is not logged again', async () => {
  const { writer, staging, journal, log, logPath, start } = makePump();
  const entry = Buffer.from('2026-01-01T00:00:00Z stdout F twice?\n');
  writeSync(writer, 'twice?\nrest\n');
  staging.fill(openSync(join(folder, String(next - 1)), constants.O_RDONLY | constants.O_NONBLOCK));
  await log!.append({ entries: entry, contentBytes: 7 }, (position) =>
    journal.begin('stdout', {
      ...position,
      entryBytes: entry.length,
      stagedBytes: staging.bytes,
      consumedBytes: 7,
    }),
  );
  const pump = start();
  closeDescriptor(writer);
  await pump.done;
  assert.deepEqual(contents(logPath), ['F:twice?', 'F:rest']);
});

test('what a killed monitor had moved and not logged is logged though the container writes no more', async () => {
  const { writer, source, staging, heard, logPath, start } = makePump();
  writeSync(writer, 'left\nunfinished');
  staging.fill(source);
  const pump = start();
  await until(() => contents(logPath).length === 1);
  assert.deepEqual(contents(logPath), ['F:left']);
  writeSync(writer, ' no more\n');
  await until(() => contents(logPath).length === 2);
  closeDescriptor(writer);
  await pump.done;
  assert.deepEqual(contents(logPath), ['F:left', 'F:unfinished no more']);
  assert.equal(heard.join(''), ' no more\n');
});

test('a chunk whose write was cut short is cut off the log and logged whole', async () => {
  const { writer, staging, journal, logPath, name } = makePump();
  writeSync(writer, 'whole line\n');
  staging.fill(openSync(name, constants.O_RDONLY | constants.O_NONBLOCK));
  writeFileSync(logPath!, '2026-01-01T00:00:00Z stdout F before\n2026-01-01T00:0');
  const reopened = new LogFile(logPath!, quietly);
  await reopened.append({ entries: Buffer.alloc(0), contentBytes: 0 }, ({ inode }) =>
    journal.begin('stdout', { inode, offset: 37, entryBytes: 60, stagedBytes: 11, consumedBytes: 11 }),
  );
  const source = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  const pump = new OutputPump({
    stream: 'stdout',
    source,
    staging,
    log: reopened,
    journal,
    poller,
    clock: systemClock,
    onOutput: () => {},
  });
  closeDescriptor(writer);
  await pump.done;
  assert.deepEqual(contents(logPath), ['F:before', 'F:whole line']);
});

test('what a stranger to a stopped container has written behind many small pieces of a line is logged as well', async () => {
  const { writer, heard, logPath, start } = makePump();
  const pump = start();
  // Each piece that comes alone takes a slot of the staging FIFO, of which there are 64.
  for (let piece = 1; piece <= 64; piece++) {
    writeSync(writer, '.');
    await until(() => heard.join('').length === piece);
  }
  writeSync(writer, 'the tail\n');
  await pump.stop();
  assert.deepEqual(contents(logPath).join('').replaceAll(/[PF]:/g, ''), `${'.'.repeat(64)}the tail`);
});

test('a journal for which there is no room stops neither the log nor the container', async () => {
  const { writer, logPath, start } = makePump(undefined, '/dev/full');
  const pump = start();
  writeSync(writer, 'one\n');
  await until(() => contents(logPath).length === 1);
  writeSync(writer, 'two\n');
  closeSync(writer);
  await pump.done;
  assert.deepEqual(contents(logPath), ['F:one', 'F:two']);
});
