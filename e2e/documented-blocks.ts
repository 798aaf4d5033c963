import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDocument, repository } from './documented-tests.ts';

/** A block of code of a document. */
export interface Block {
  language: string;
  text: string;
  line: number;
  /** What `<!-- not run: REASON -->` above it says. */
  notRun: string | undefined;
}

/** The blocks of code of a document, in order. */
export function blocksOf(document: string): Block[] {
  const markdown = readDocument(document);
  const pattern = /(?:^<!-- not run: ([^>]+) -->\n\n?)?^```(\w*)\n(.*?)^```$/gms;
  return [...markdown.matchAll(pattern)].map(({ 1: notRun, 2: language = '', 3: text = '', index }) => ({
    ...{ language, text, notRun },
    line: markdown.slice(0, index).split('\n').length,
  }));
}

/** Whether a file of the package's examples, which all run, has the block as it stands. */
export function isExample(document: string, { text }: Block): boolean {
  const folder = dirname(document);
  const examples = globSync('examples/*.ts', { cwd: join(repository.pathname, folder) });
  return examples.some((path) => readDocument(join(folder, path)).includes(text));
}
