/** What terminals obey and people do not read: positions, titles, links, clipboards, other sets of characters; colours, too. */
const controlSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\u001b(?:\[[0-?]*[ -/]*[@-~]?|[PX^_\]][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-OQ-WYZ\\`-~])/g;

/** All other control characters but tabs, and what begins no sequence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controlCharacter = /[\u0000-\u0008\u000a-\u001a\u001c-\u001f\u007f-\u009f]|\u001b(?!\[[\d;]*m)/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins each sequence
const colourSequence = /^\u001b\[([\d;:]*)m$/;

/** A line without what terminals obey, except for colours, each written with semicolons. */
export function withColoursAlone(line: string): string {
  return line
    .replace(controlSequence, (sequence) => {
      const words = colourSequence.exec(sequence)?.[1];
      return words === undefined ? '' : `\u001b[${words.split(';').map(withSemicolons).join(';')}m`;
    })
    .replace(controlCharacter, '');
}

/** `38:2::255:0:0` as `38;2;255;0;0`; of other words with parts the first, such as an underline of whatever form. */
function withSemicolons(word: string): string {
  const [first = '', mode = '', ...more] = word.split(':');
  if (mode === '5') return [first, mode, more[0] ?? ''].join(';');
  if (mode === '2') return [first, mode, ...more.slice(-3)].join(';');
  // An underline of no form is none.
  return first === '4' && mode === '0' ? '24' : first;
}
