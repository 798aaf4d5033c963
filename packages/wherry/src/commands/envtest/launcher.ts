/** A program for the shell that becomes another, by these words and those that it is given itself. */
export function launcher(words: readonly string[]): string {
  return `#!/bin/sh\n# Written by "wherry envtest".\nexec ${words.map(quoted).join(' ')} "$@"\n`;
}

/** A word that the shell takes as it is. */
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
