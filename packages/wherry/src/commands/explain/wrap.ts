/**
 * Breaks lines at white space so that they are no longer than `width` where their words allow it, as kubectl does
 * (mitchellh/go-wordwrap): indentation and runs of spaces inside of a line stay.
 */
export const wrap = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');

/** Spaces, and the word behind them. A space that does not break a line is a part of its word. */
const piece = /([^\S\u00a0]*)((?:\S|\u00a0)*)/gu;

function wrapLine(line: string, width: number): string {
  let wrapped = '';
  let taken = 0;
  for (const [, spaces = '', word = ''] of line.matchAll(piece)) {
    const start = taken + lengthOf(spaces);
    if (word === '') {
      if (start <= width) wrapped += spaces;
      continue;
    }
    const breaks = start + lengthOf(word) > width && canBreak(start, width);
    wrapped += breaks ? `\n${word}` : spaces + word;
    taken = (breaks ? 0 : start) + lengthOf(word);
  }
  return wrapped;
}

/** A word that would start in the first two columns reaches over the end as it is: it is too long for any line. */
const canBreak = (start: number, width: number): boolean => Math.max(1, width - start + 1) < width;

const lengthOf = (text: string): number => [...text].length;
