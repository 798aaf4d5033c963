import { readFileSync } from 'node:fs';
import type { HttpAnswer } from '@wherry/client';
import { CommandError } from '../errors.ts';
import { readStandardInput } from '../system/standard-input.ts';
import { clientFor, type KubeFlags } from './flags.ts';

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

/** Flags of a command whose `--raw` sends a file, and those that say nothing beside it. */
export interface SendFileFlags extends KubeFlags {
  /** None, or one: what a deletion is sent with, may be nothing. */
  filename?: readonly string[];
  recursive?: boolean;
  selector?: string;
  output?: unknown;
}

/** Sends a file to a path of the server, byte for byte, and prints the answer. Throws `CommandError` for flags that contradict it. */
export async function sendFile(
  method: 'POST' | 'PUT' | 'DELETE',
  text: string,
  flags: SendFileFlags,
): Promise<void> {
  const [source, ...more] = flags.filename ?? [];
  if (more.length > 0) throw new CommandError('--raw can only use a single local file or stdin');
  if (/^https?:\/\//.test(source ?? '')) throw new CommandError('--raw cannot read from a url');
  if (flags.recursive) throw new CommandError('--raw and --recursive are mutually exclusive');
  if (flags.selector) throw new CommandError('--raw and --selector (-l) are mutually exclusive');
  if (flags.output !== undefined) throw new CommandError('--raw and --output are mutually exclusive');
  const path = serverPath(text);
  const body = source === undefined ? '' : source === '-' ? await readStandardInput() : readFileSync(source);
  const headers = { 'content-type': 'application/json' };
  await printAnswer(await clientFor(flags).stream({ method, path, headers, body }));
}
