import { createWriteStream, mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { CommandError } from '../../errors.ts';
import type { ValueFormat } from '../../output/output-format.ts';

/** Where a dump goes: a place for each of its parts. */
export interface DumpTarget {
  /** The place behind these names. Throws `CommandError` for one that is no name of a file or folder. */
  place(...names: string[]): string;
  /** Writes down a list at a place. */
  write(place: string, text: string): Promise<void>;
  /** Begins a log at a place. */
  open(place: string): LogFile;
}

/** What is written down bit by bit. Waits for who takes it. */
export interface LogFile {
  write(part: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** All to standard output, one part behind the other; documents of YAML are told apart. */
export function printedTarget(output: ValueFormat): DumpTarget {
  const { stdout } = process;
  // Told by whoever writes.
  stdout.on('error', () => undefined);
  let isFirst = true;
  return {
    place: (...names) => names.join('/'),
    async write(_place, text) {
      const mark = output === 'yaml' && !isFirst ? '---\n' : '';
      isFirst = false;
      await writeTo(stdout, `${mark}${text}`);
    },
    open: () => ({ write: (part) => writeTo(stdout, part), close: async () => undefined }),
  };
}

/** A file for each part, in folders below this one that are made where they are missing. */
export function folderTarget(folder: string, output: ValueFormat): DumpTarget {
  const extension = output === 'json' || output === 'yaml' ? output : 'txt';
  const made = (place: string, ending: string): string => {
    const path = `${join(folder, place)}.${ending}`;
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  return {
    place: (...names) => join(...names.map(fileName)),
    write: (place, text) => writeFile(made(place, extension), text),
    open(place) {
      const file = createWriteStream(made(place, 'txt'));
      const ended = finished(file);
      // Told by whoever writes or closes next.
      ended.catch(() => undefined);
      return {
        write: (part) => writeTo(file, part),
        async close() {
          file.end();
          await ended;
        },
      };
    },
  };
}

const writeTo = (stream: Writable, part: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(part, (error) => (error ? reject(error) : resolve()));
  });

/** What a server says, taken for one name of a path and no more. */
function fileName(name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)) return name;
  throw new CommandError(`${JSON.stringify(name)} is no name that a file can have; it is not dumped`);
}
