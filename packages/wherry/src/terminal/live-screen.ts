/** Where a screen is drawn. */
export interface ScreenTarget {
  isTTY?: boolean | undefined;
  rows?: number | undefined;
  write(text: string): unknown;
}

const usualRows = 24;
const home = '\x1b[H';
const eraseLine = '\x1b[2K';
const eraseBelow = '\x1b[J';
/** A line that is longer than the screen is wide ends at its edge. */
const [cut, wrapped] = ['\x1b[?7l', '\x1b[?7h'];

/** True for a terminal on which lines can be drawn anew. */
export const isScreen = (target: ScreenTarget, { TERM } = process.env): boolean =>
  target.isTTY === true && TERM !== 'dumb';

/**
 * A terminal whose lines are drawn anew in place. What stood there before is left in what one can scroll back to, what was drawn
 * last stays, and nothing of the terminal's settings is changed, so that it may end at any time.
 */
export class LiveScreen {
  readonly #target: ScreenTarget;
  #isBegun = false;
  #drawn = '';

  constructor(target: ScreenTarget) {
    this.#target = target;
  }

  /** Lines that fit: the cursor has the one below. */
  get rows(): number {
    return Math.max(1, (this.#target.rows ?? usualRows) - 1);
  }

  /** Draws these lines, those that do not fit left out. */
  draw(lines: readonly string[]): void {
    const shown = lines.slice(0, this.rows).map((line) => `${eraseLine}${line}\n`);
    const text = `${cut}${home}${shown.join('')}${eraseBelow}${wrapped}`;
    // A terminal that became larger or smaller has moved what was drawn.
    const key = `${this.rows} ${text}`;
    if (key === this.#drawn) return;
    this.#target.write(this.#isBegun ? text : '\n'.repeat(this.rows + 1) + text);
    this.#isBegun = true;
    this.#drawn = key;
  }
}
