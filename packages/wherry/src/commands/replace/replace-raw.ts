import { readFileSync } from 'node:fs';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { printAnswer, serverPath } from '../../kube/raw.ts';
import type { ReplaceFlags } from './flags.ts';

/** Puts a file at a path of the server, byte for byte, and prints the answer. */
export async function replaceRaw(text: string, flags: ReplaceFlags): Promise<void> {
  const [source = '', ...more] = flags.filename;
  if (more.length > 0) throw new CommandError('--raw can only use a single local file or stdin');
  if (/^https?:\/\//.test(source)) throw new CommandError('--raw cannot read from a url');
  if (flags.recursive) throw new CommandError('--raw and --recursive are mutually exclusive');
  if (flags.output !== undefined) throw new CommandError('--raw and --output are mutually exclusive');
  const path = serverPath(text);
  const body = readFileSync(source === '-' ? 0 : source);
  const headers = { 'content-type': 'application/json' };
  await printAnswer(await clientFor(flags).stream({ method: 'PUT', path, headers, body }));
}
