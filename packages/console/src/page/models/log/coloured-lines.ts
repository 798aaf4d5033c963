import Anser from 'anser';
import { limits } from '../../limits.ts';
import { withColoursAlone } from './plain-controls.ts';
import { type Colour, logBack, logFore, readable } from './readable.ts';

/** A part of a line that looks one way. */
export interface Span {
  text: string;
  /** `rgb(187, 0, 0)`, one that can be read on its back. */
  colour?: string;
  back?: string;
  /** Classes of the page: `bold`, `underline`. */
  looks: readonly string[];
}

/** A line of a log. */
export interface LogLine {
  /** All of its letters. */
  text: string;
  /** How they look; undefined where nothing is said. */
  spans?: readonly Span[];
}

const escapeCharacter = '\u001b';
/** Says nothing: its text looks as what was before. */
const sameAsBefore = `${escapeCharacter}[10m`;
/** Blinking and hidden text is shown as any other. */
const shownLooks: readonly string[] = ['bold', 'dim', 'italic', 'underline', 'strikethrough'];

/** Lines of text with the colours that a container gave them (ANSI SGR), which last until it takes them back, as in a terminal. */
export class ColouredLines {
  /** How the next line begins. */
  #carried = '';

  read(raw: string): LogLine {
    const line = withColoursAlone(raw);
    if (this.#carried === '' && !line.includes(escapeCharacter)) return { text: line };
    const parts = new Anser().ansiToJson(bounded(this.#carried + sameAsBefore + line + sameAsBefore), {
      json: true,
    });
    // What looks like nothing else is carried on as nothing.
    const isPlain = parts.at(-1)?.was_processed !== true;
    this.#carried = isPlain ? '' : lastColours(this.#carried + line);
    const spans = parts.filter(({ content }) => content !== '').map(spanOf);
    return { text: spans.map(({ text }) => text).join(''), spans };
  }
}

/** Beyond so many changes, a line goes on as it is. */
function bounded(text: string): string {
  const parts = text.split(`${escapeCharacter}[`);
  if (parts.length <= limits.logSpansMax) return text;
  const rest = parts.slice(limits.logSpansMax).map((part) => part.replace(/^[\d;]*m/, ''));
  return parts.slice(0, limits.logSpansMax).join(`${escapeCharacter}[`) + rest.join('');
}

/** The sequences since all was taken back, as far as they are few. */
function lastColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it begins each sequence
  const all = text.match(/\u001b\[[\d;]*m/g) ?? [];
  const begin = all.findLastIndex((one) => /\[0?[;m]/.test(one));
  const kept = all.slice(Math.max(0, begin));
  return kept.length > limits.logColoursCarriedMax ? '' : kept.join('');
}

function spanOf({ content, fg, bg, decorations }: Anser.AnserJsonEntry): Span {
  const back = bg ? colourOf(bg) : logBack;
  const looks = shownLooks.filter((look) => decorations.some((one) => one === look));
  const span: Span = { text: content, looks };
  if (bg) span.back = `rgb(${back.join(', ')})`;
  if (fg || bg) span.colour = `rgb(${readable(fg ? colourOf(fg) : logFore, back).join(', ')})`;
  return span;
}

function colourOf(words: string): Colour {
  const [red = 0, green = 0, blue = 0] = words.split(',').map(Number);
  return [red, green, blue];
}
