import { type EncodeOptions, encodeEntries, LogEntry, type LogStream } from '@wherry/cri/log';

/** The lines of a container's log, such as those below /var/log/containers, whose pieces are put together. */
function* linesOf(log: Buffer): Generator<{ time: string; stream: LogStream; line: string }> {
  const entry = new LogEntry();
  const pieces: Record<LogStream, Buffer[]> = { stdout: [], stderr: [] };
  let start = 0;
  for (let end = log.indexOf('\n'); end >= 0; end = log.indexOf('\n', start)) {
    // What is no entry, as a file may begin with where it was cut, is left out.
    if (entry.read(log, start, end)) {
      const { stream } = entry;
      pieces[stream].push(log.subarray(entry.contentStart, end));
      if (!entry.isPartial)
        yield {
          ...{ time: log.toString('utf8', start, entry.timeEnd), stream },
          line: Buffer.concat(pieces[stream].splice(0)).toString(),
        };
    }
    start = end + 1;
  }
}

// What a container said, written down as a runtime does: lines above 16 KiB in pieces.
const log = Buffer.alloc(64 * 1024);
const written: EncodeOptions = { stream: 'stdout', timestamp: '2026-01-31T12:00:00.123456000Z', flush: true };
const { entryBytes } = encodeEntries(Buffer.from(`starts\n${'x'.repeat(20_000)}\n`), log, written);

for (const { time, stream, line } of linesOf(log.subarray(0, entryBytes)))
  console.log(time, stream, line.length > 20 ? `${line.length} characters` : line);

// Prints:
// 2026-01-31T12:00:00.123456000Z stdout starts
// 2026-01-31T12:00:00.123456000Z stdout 20000 characters
