import { spawnSync } from 'node:child_process';
import type { ReadStream } from 'node:tty';

const signalExitCode = 1;
const endingSignals = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT'] as const;

/**
 * Hands every key to the remote side until disposed. The terminal is put back on every way out: the end of the scope,
 * a failure, a signal (the process then ends with exit code 1, as kubectl's does), and process exit.
 */
export function rawMode(terminal: ReadStream): Disposable {
  const wasRaw = terminal.isRaw;
  const restore = () => {
    terminal.setRawMode(wasRaw);
  };
  const endBySignal = () => {
    restore();
    process.exit(signalExitCode);
  };
  terminal.setRawMode(true);
  passOutputThrough(terminal);
  process.once('exit', restore);
  for (const signal of endingSignals) process.once(signal, endBySignal);
  return {
    [Symbol.dispose]() {
      for (const signal of endingSignals) process.off(signal, endBySignal);
      process.off('exit', restore);
      restore();
    },
  };
}

/**
 * Node's raw mode still puts a carriage return in front of each line feed (ONLCR), which breaks what full-screen programs
 * draw on the remote side's terminal. Where there is no stty, as on Windows, there is no such conversion either.
 */
function passOutputThrough({ fd }: ReadStream & { fd?: number }): void {
  spawnSync('stty', ['-opost'], { stdio: [fd ?? 0, 'ignore', 'ignore'] });
}
