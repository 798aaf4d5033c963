import { bytesOf, type LogStream, streamLength } from './format.ts';
import { endOfTime } from './time.ts';

const { colon, lowerO, lowerS, space, upperP } = bytesOf;
/** The first letter that tells the streams apart. */
const tellingLetter = 'std'.length;

/** Where the parts of an entry stand in a block. One is read into again and again: no object is made per entry. */
export class LogEntry {
  timeEnd = 0;
  contentStart = 0;
  /** Whether it is a piece of a line that goes on in the next entry of its stream. */
  isPartial = false;
  #letter = 0;

  get stream(): LogStream {
    return this.#letter === lowerO ? 'stdout' : 'stderr';
  }

  /** Takes the entry at `[start, end)`, its newline left out. False when it is none: then nothing here is of use. */
  read(block: Buffer, start: number, end: number): boolean {
    const timeEnd = endOfTime(block, start, end);
    if (timeEnd < 0) return false;
    const streamStart = timeEnd + 1;
    const tagStart = streamStart + streamLength + 1;
    if (tagStart >= end || block[streamStart] !== lowerS || block[tagStart - 1] !== space) return false;
    this.timeEnd = timeEnd;
    this.#letter = block[streamStart + tellingLetter] ?? 0;
    this.isPartial =
      block[tagStart] === upperP && (block[tagStart + 1] === space || block[tagStart + 1] === colon);
    let contentStart = tagStart + 1;
    while (contentStart < end && block[contentStart] !== space) contentStart += 1;
    this.contentStart = contentStart + 1;
    return true;
  }
}
