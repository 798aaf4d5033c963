import type { WriteStream } from 'node:tty';
import type { TerminalSize } from '@wherry/client';

/** The size of a terminal now. */
export function sizeOf(terminal: WriteStream): TerminalSize {
  return { width: terminal.columns, height: terminal.rows };
}

/** The size now, then each change; of changes that come faster than they are read the last one counts. */
export async function* sizesOf(
  terminal: WriteStream,
  first: TerminalSize[] = [],
): AsyncGenerator<TerminalSize> {
  let wake = () => {};
  let changed = true;
  const note = () => {
    changed = true;
    wake();
  };
  terminal.on('resize', note);
  try {
    yield* first;
    for (;;) {
      if (changed) {
        changed = false;
        yield sizeOf(terminal);
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    terminal.off('resize', note);
  }
}

/**
 * What attach tells first: a size larger than the terminal in both directions, so that the program inside sees a
 * change and draws its screen anew when the real one follows.
 */
export function redrawSize(terminal: WriteStream): TerminalSize {
  return { width: terminal.columns + 1, height: terminal.rows + 1 };
}
