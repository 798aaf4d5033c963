/** Commands that a document shows, and what it says that they print. */
export interface ShownCommand {
  /** With the lines of a here-document that follow. */
  command: string;
  /** A line for each; … stands for anything within one, and alone for any lines. */
  prints: string[];
}

/** The commands of a document's `console` blocks: `$ ` begins one, `> ` goes on with it, the rest is what it prints. */
export function shownCommands(markdown: string): ShownCommand[] {
  const commands: ShownCommand[] = [];
  for (const [, block = ''] of markdown.matchAll(/^```console\n(.*?)^```$/gms)) {
    for (const line of block.replace(/\n$/, '').split('\n')) {
      const last = commands.at(-1);
      if (line.startsWith('$ ')) commands.push({ command: line.slice(2), prints: [] });
      else if (last && last.prints.length === 0 && line.startsWith('> '))
        last.command += `\n${line.slice(2)}`;
      else last?.prints.push(line);
    }
  }
  return commands;
}

/** Whether `output` is what a document says that a command prints. */
export function isAsShown(output: string, prints: readonly string[]): boolean {
  const pattern = prints.map((line) => (line === '…' ? '(?:.*\\n)*' : `${lineOf(line)}\\n`)).join('');
  return new RegExp(`^${pattern}$`).test(output);
}

/** Runs of spaces are as wide as a table's longest cell. */
const lineOf = (line: string): string =>
  line
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ {2,}/g, ' +'))
    .join('.*');
