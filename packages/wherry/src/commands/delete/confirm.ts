import type { Readable, Writable } from 'node:stream';
import { typeName } from '../../objects/catalog.ts';
import type { NamedObject } from '../../objects/targets.ts';

/** Asks whether these objects may go, as kubectl asks. Only a line that says `y` or `Y` and nothing else is a yes. */
export async function confirmDeletion(
  doomed: readonly NamedObject[],
  { input = process.stdin, output = process.stdout }: { input?: Readable; output?: Writable } = {},
): Promise<boolean> {
  const names = doomed.map(({ resource, name }) => `${typeName(resource)}/${name}\n`).join('');
  output.write(`You are about to delete the following ${doomed.length} resource(s):\n${names}`);
  output.write('Do you want to continue? (y/N): ');
  return (await lineOf(input)).trim().toLowerCase() === 'y';
}

/** The first line, or what there is before the end. Who asked once is done with the input. */
async function lineOf(input: Readable): Promise<string> {
  let text = '';
  for await (const chunk of input as AsyncIterable<Buffer | string>) {
    text += typeof chunk === 'string' ? chunk : chunk.toString('utf8');
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] ?? '';
}
