import type { HttpAnswer } from '@wherry/client';
import { CommandError } from '../errors.ts';

const nowhere = 'http://nowhere.invalid';

/** A path below the server's root, its query too; never another host, and nothing above the root. */
export function serverPath(text: string): string {
  const isPath = /^\/(?![\\/])[\x21-\x7e]*$/.test(text) && !text.includes('#');
  if (!isPath && text !== '/')
    throw new CommandError(`--raw must be a valid URL path: ${JSON.stringify(text)}`);
  const { pathname, search } = new URL(text, nowhere);
  return `${pathname}${search}`;
}

/** Prints what a server answers, byte for byte, as it comes. */
export async function printAnswer({ body }: HttpAnswer): Promise<void> {
  for await (const chunk of body) {
    if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
