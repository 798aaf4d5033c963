import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** One thing that happened to a file, in the order of completion. */
export type DiskOperation =
  | { kind: 'write'; file: string; offset: number; data: Buffer }
  | { kind: 'truncate'; file: string; length: number }
  /** `began`: how many operations were complete when the flush began; it makes those of its file durable. */
  | { kind: 'flush'; file: string; began: number };

/** What strace is told so that {@link readRecording} finds all it needs. */
export const straceArguments = [
  ...['-f', '-y', '-xx', '-s', '1000000', '-e', 'signal=none'],
  ...['-e', 'trace=write,pwrite64,pwritev,writev,ftruncate,fsync,fdatasync,rename,unlink,unlinkat'],
];

/** Reads strace's output; operations on other files than the named ones are left out. */
export function readRecording(path: string, files: readonly string[]): DiskOperation[] {
  const operations: DiskOperation[] = [];
  /** By thread: a call that has begun, and how many operations were complete then. */
  const begun = new Map<string, { text: string; at: number }>();
  for (const line of readFileSync(path, 'latin1').split('\n')) {
    const space = line.indexOf(' ');
    const thread = line.slice(0, space);
    let text = line.slice(space).trimStart();
    let at = operations.length;
    if (text.endsWith('<unfinished ...>')) {
      begun.set(thread, { text: text.slice(0, -'<unfinished ...>'.length).trimEnd(), at });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text);
    if (resumed) {
      const start = begun.get(thread);
      begun.delete(thread);
      if (!start) continue;
      text = start.text + text.slice(resumed[0].length);
      at = start.at;
    }
    const operation = readCall(text, at, files);
    if (operation) operations.push(operation);
  }
  return operations;
}

function readCall(text: string, began: number, files: readonly string[]): DiskOperation | undefined {
  const call = /^(\w+)\((\d+)<([^>]*)>(?:, )?(.*)\)\s+= (-?\d+)/s.exec(text);
  if (!call) return undefined;
  const [, name = '', , path = '', rest = '', result = ''] = call;
  const file = basename(bytesOf(path).toString());
  if (!files.includes(file) || Number(result) < 0) return undefined;
  if (name === 'fsync' || name === 'fdatasync') return { kind: 'flush', file, began };
  if (name === 'ftruncate') return { kind: 'truncate', file, length: Number(rest) };
  const written = /^"([^"]*)", (\d+)(?:, (\d+))?$/.exec(rest);
  if (!written || (name !== 'write' && name !== 'pwrite64'))
    throw new Error(`not understood: ${text.slice(0, 200)}`);
  const data = bytesOf(written[1] ?? '');
  if (data.length !== Number(result)) throw new Error(`a short write: ${text.slice(0, 80)}`);
  return { kind: 'write', file, offset: Number(written[3] ?? 0), data };
}

/** strace's `\x41\x42`; text without escapes stands for itself. */
function bytesOf(text: string): Buffer {
  return text.startsWith('\\x')
    ? Buffer.from(text.replaceAll('\\x', ''), 'hex')
    : Buffer.from(text, 'latin1');
}
