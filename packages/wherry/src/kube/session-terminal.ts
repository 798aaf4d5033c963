import type { Readable } from 'node:stream';
import type { SessionStreams } from '@wherry/client';
import { rawMode } from '../terminal/raw-mode.ts';
import { redrawSize, sizesOf } from '../terminal/sizes.ts';

/** What the user asked for with -i, -t and -q. */
export interface TerminalWish {
  stdin: boolean;
  tty: boolean;
  quiet: boolean;
}

/** What of that can be had. */
export interface TerminalGrant {
  stdin: boolean;
  tty: boolean;
}

const notATerminal = 'Unable to use a TTY - input is not a terminal or the right kind of file';

/** A terminal needs -i and a terminal on this side; without them it is dropped, as kubectl does. */
export function grantTerminal({ stdin, tty, quiet }: TerminalWish): TerminalGrant {
  if (!tty || !stdin) return { stdin, tty: false };
  if (process.stdin.isTTY) return { stdin, tty: true };
  if (!quiet) console.error(notATerminal);
  return { stdin, tty: false };
}

/** Options of {@link usingTerminal}. */
export interface TerminalOptions extends TerminalGrant {
  /** Makes the remote program draw its screen anew. */
  redraw?: boolean;
  /** Stands between the keyboard and the session, e.g. to look for detach keys. */
  filter?: NodeJS.ReadWriteStream & Readable;
}

/**
 * Gives a session this process's standard streams as it wants them, with the terminal in raw mode until it has ended: what is said
 * afterwards begins its lines where lines begin.
 */
export async function usingTerminal<T>(
  options: TerminalOptions,
  session: (terminal: SessionStreams) => Promise<T>,
): Promise<T> {
  using terminal = openTerminal(options);
  return await session(terminal);
}

function openTerminal(options: TerminalOptions): SessionStreams & Disposable {
  const { stdin, tty, redraw, filter } = options;
  const raw = tty ? rawMode(process.stdin) : undefined;
  const first = redraw && process.stdout.isTTY ? [redrawSize(process.stdout)] : [];
  return {
    stdin: stdin ? (filter ? process.stdin.pipe(filter) : process.stdin) : undefined,
    stdout: process.stdout,
    stderr: tty ? undefined : process.stderr,
    sizes: tty && process.stdout.isTTY ? sizesOf(process.stdout, first) : undefined,
    [Symbol.dispose]: () => raw?.[Symbol.dispose](),
  };
}
