import { systemClock } from '@wherry/clock';
import { formatBytes } from './bytes.ts';

const redrawEveryMs = 100;
const barCells = 24;

/** One line on stderr that tells how far a copy is; nothing where stderr is no terminal. */
export class ProgressBar {
  readonly #title: string;
  readonly #startedMs = systemClock.monotonicMs();
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(title: string) {
    this.#title = title;
  }

  show(name: string, bytes: number, totalBytes: number | undefined): void {
    const nowMs = systemClock.monotonicMs();
    if (!process.stderr.isTTY || nowMs - this.#drawnMs < redrawEveryMs) return;
    this.#drawnMs = nowMs;
    const seconds = Math.max(nowMs - this.#startedMs, 1) / 1000;
    const done = totalBytes ? ` ${bar(bytes / totalBytes)}` : '';
    const line = `${name || this.#title}${done} ${formatBytes(bytes)}  ${formatBytes(bytes / seconds)}/s`;
    process.stderr.write(`\r\x1b[K${line.slice(0, process.stderr.columns - 1)}`);
  }

  clear(): void {
    if (this.#drawnMs > 0) process.stderr.write('\r\x1b[K');
  }
}

function bar(share: number): string {
  const filled = Math.round(Math.min(share, 1) * barCells);
  return `[${'='.repeat(filled)}${' '.repeat(barCells - filled)}] ${Math.floor(share * 100)}%`;
}
