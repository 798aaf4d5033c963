import { type Clock, systemClock } from '@wherry/clock';
import { harmless } from '../words/harmless.ts';
import { formatBytes } from './bytes.ts';
import { Rate } from './rate.ts';

const redrawEveryMs = 100;
/** Where there is no terminal: short work says nothing on its way. */
const firstLineAfterMs = 2_000;
const lineEveryMs = 5_000;
const barCells = 24;
const eraseLine = '\r\x1b[K';

/** Where a bar is drawn. */
export interface ProgressTarget {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** What a bar may be given. */
export interface ProgressBarOptions {
  /** Default: standard error. */
  target?: ProgressTarget;
  clock?: Clock;
}

/**
 * Tells how far a long piece of work is: bytes, rate and time left. At a terminal one line that is drawn anew and erased at the
 * end, however that comes; elsewhere a plain line every few seconds. Changes nothing else of the terminal.
 */
export class ProgressBar implements Disposable {
  readonly #title: string;
  readonly #target: ProgressTarget;
  readonly #clock: Clock;
  readonly #rate = new Rate();
  readonly #startedMs: number;
  #shownMs: number | undefined;
  #isOver = false;

  constructor(title: string, { target = process.stderr, clock = systemClock }: ProgressBarOptions = {}) {
    this.#title = title;
    this.#target = target;
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
    this.#rate.add(0, this.#startedMs);
  }

  /** Tells how far it is; `detail` is what is at work now, such as the file's name. */
  show(bytes: number, totalBytes?: number, detail?: string): void {
    // What is counted may go on for a moment after the work was given up.
    if (this.#isOver) return;
    const nowMs = this.#clock.monotonicMs();
    this.#rate.add(bytes, nowMs);
    if (!this.#isDue(nowMs)) return;
    this.#shownMs = nowMs;
    const line = this.#line(bytes, totalBytes, detail);
    if (!this.#target.isTTY) this.#target.write(`${line}\n`);
    else this.#target.write(`${eraseLine}${line.slice(0, (this.#target.columns ?? 80) - 1)}`);
  }

  /** Counts what passes through. */
  async *count(bytes: AsyncIterable<Uint8Array>, totalBytes?: number): AsyncGenerator<Uint8Array> {
    let passed = 0;
    for await (const chunk of bytes) {
      passed += chunk.byteLength;
      this.show(passed, totalBytes);
      yield chunk;
    }
    this.show(passed, totalBytes, 'storing');
  }

  /** Erases the line, for good. */
  [Symbol.dispose](): void {
    if (this.#target.isTTY && this.#shownMs !== undefined) this.#target.write(eraseLine);
    this.#isOver = true;
  }

  #isDue(nowMs: number): boolean {
    if (this.#target.isTTY) return this.#shownMs === undefined || nowMs - this.#shownMs >= redrawEveryMs;
    return this.#shownMs === undefined
      ? nowMs - this.#startedMs >= firstLineAfterMs
      : nowMs - this.#shownMs >= lineEveryMs;
  }

  #line(bytes: number, totalBytes: number | undefined, detail: string | undefined): string {
    const rate = this.#rate.bytesPerSecond;
    const isKnown = totalBytes !== undefined && totalBytes > 0;
    const sizes = isKnown ? `${formatBytes(bytes)} of ${formatBytes(totalBytes)}` : formatBytes(bytes);
    const left =
      isKnown && rate > 0 && bytes < totalBytes ? timeLeft((totalBytes - bytes) / rate) : undefined;
    return [
      detail === undefined ? this.#title : `${this.#title}: ${harmless(detail)}`,
      isKnown && this.#target.isTTY ? bar(bytes / totalBytes) : undefined,
      sizes,
      rate > 0 ? `${formatBytes(Math.round(rate))}/s` : undefined,
      left,
    ]
      .filter((part) => part !== undefined)
      .join('  ');
  }
}

function bar(share: number): string {
  const whole = Math.min(share, 1);
  const filled = Math.round(whole * barCells);
  return `[${'='.repeat(filled)}${' '.repeat(barCells - filled)}] ${Math.floor(whole * 100)}%`;
}

function timeLeft(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s left`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s left`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
