import type { LogLine, Span } from '../../models/log/coloured-lines.ts';
import type { LogBuffer } from '../../models/log/log-buffer.ts';
import type { LogSearch, Match } from '../../models/log/log-search.ts';

/**
 * The lines of a log in the page. Only those that came, went, or have another place of a search are written: thousands stay as
 * they are. All that a container wrote becomes text nodes and colours, never markup.
 */
export class LogText {
  readonly element = document.createElement('div');
  /** Which line of all is the first here. */
  #first = 0;
  /** What was found when the lines were written. */
  #shown: { matches: readonly Match[]; current: Match | undefined } = { matches: [], current: undefined };

  constructor() {
    this.element.className = 'log';
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'log');
    this.element.setAttribute('aria-label', 'Log');
  }

  clear(): void {
    this.element.replaceChildren();
    this.#first = 0;
    this.#shown = { matches: [], current: undefined };
  }

  /** Stays at its end, unless somebody reads further up or looks at what was found. */
  show(buffer: LogBuffer, search: LogSearch): void {
    const { matches, current } = search;
    const known = this.#first + this.element.childElementCount;
    if (known === buffer.count && matches === this.#shown.matches && current === this.#shown.current) return;
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 2;
    const byLine = Map.groupBy(matches, ({ line }) => line);
    this.#leaveOut(buffer.dropped);
    const fill = (row: Element, line: number) =>
      row.replaceChildren(...partsOf(buffer.lines[line - buffer.dropped], byLine.get(line) ?? [], current));
    for (const line of this.#changedLines(search)) {
      const row = line < known ? this.element.children[line - this.#first] : undefined;
      if (row) fill(row, line);
    }
    const fresh: Element[] = [];
    for (let line = Math.max(known, this.#first); line < buffer.count; line += 1) {
      const row = document.createElement('div');
      fill(row, line);
      fresh.push(row);
    }
    this.element.append(...fresh);
    if (current && current !== this.#shown.current)
      this.element.querySelector('mark.current')?.scrollIntoView({ block: 'nearest' });
    else if (isAtEnd) this.element.scrollTop = this.element.scrollHeight;
    this.#shown = { matches, current };
  }

  /** Lines that are there already, and have other places now. */
  #changedLines({ matches, current }: LogSearch): Set<number> {
    const { matches: before, current: currentBefore } = this.#shown;
    const changed = matches === before ? [currentBefore, current] : [...before, ...matches];
    return new Set(changed.flatMap((match) => (match && match.line >= this.#first ? [match.line] : [])));
  }

  #leaveOut(dropped: number): void {
    if (dropped >= this.#first + this.element.childElementCount) this.element.replaceChildren();
    else for (let gone = this.#first; gone < dropped; gone += 1) this.element.firstElementChild?.remove();
    this.#first = Math.max(this.#first, dropped);
  }
}

function partsOf(
  line: LogLine | undefined,
  matches: readonly Match[],
  current: Match | undefined,
): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let from = 0;
  for (const span of line?.spans ?? [{ text: line?.text ?? '', looks: [] }]) {
    let at = 0;
    for (const match of matches) {
      const [start, end] = [Math.max(at, match.start - from), Math.min(span.text.length, match.end - from)];
      if (start >= end) continue;
      const mark = document.createElement('mark');
      mark.classList.toggle('current', match === current);
      mark.textContent = span.text.slice(start, end);
      parts.push(partOf(span, at, start), mark);
      at = end;
    }
    parts.push(partOf(span, at, span.text.length));
    from += span.text.length;
  }
  return parts;
}

/** A piece of a span, as it looks. */
function partOf({ text, colour, back, looks }: Span, start: number, end: number): Node | string {
  const piece = text.slice(start, end);
  if (piece === '' || (colour === undefined && looks.length === 0)) return piece;
  const part = document.createElement('span');
  part.textContent = piece;
  part.className = looks.join(' ');
  if (colour !== undefined) part.style.color = colour;
  if (back !== undefined) part.style.backgroundColor = back;
  return part;
}
