import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** The modes of the terminal, which an editor that is killed leaves as it had them. */
export function savedTerminal(): { restore(): void } {
  const terminal = openTerminal();
  if (terminal === undefined) return { restore() {} };
  const { stdout, status } = spawnSync('stty', ['-g'], {
    stdio: [terminal, 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  return {
    restore() {
      if (status === 0) spawnSync('stty', [stdout.trim()], { stdio: [terminal, 'ignore', 'ignore'] });
      closeSync(terminal);
    },
  };
}

/** Undefined where this process has none. */
function openTerminal(): number | undefined {
  try {
    return openSync('/dev/tty', 'r+');
  } catch {
    return undefined;
  }
}
