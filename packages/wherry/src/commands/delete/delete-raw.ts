import { CommandError } from '../../errors.ts';
import { sendFile } from '../../kube/raw.ts';
import type { DeleteFlags } from './flags.ts';

/** Sends DELETE to a path of the server, with a file as its body where one is named, and prints the answer. */
export async function deleteRaw(path: string, flags: DeleteFlags): Promise<void> {
  if (flags.interactive) throw new CommandError('--interactive can not be used with --raw');
  // It is the file that would have to say so.
  if (flags.dryRun !== 'none') throw new CommandError('--raw and --dry-run are mutually exclusive');
  await sendFile('DELETE', path, flags);
}
