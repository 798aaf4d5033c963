import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import type { OutputFormat } from '../../output/output-format.ts';

/** Flags of `wherry get --raw`. */
export interface GetRawFlags extends KubeFlags {
  output?: OutputFormat;
  watch?: boolean;
  selector?: string;
  fieldSelector?: string;
}

/** Prints what the server answers at a path, byte for byte, as it comes. */
export async function getRaw(text: string, flags: GetRawFlags): Promise<void> {
  for (const name of ['output', 'watch', 'selector', 'fieldSelector'] as const) {
    if (flags[name] !== undefined && flags[name] !== false)
      throw new CommandError(
        `--raw and --${name === 'fieldSelector' ? 'field-selector' : name} are mutually exclusive`,
      );
  }
  const path = serverPath(text);
  const answer = await clientFor(flags).stream({ method: 'GET', path });
  for await (const chunk of answer.body) {
    if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}

const nowhere = 'http://nowhere.invalid';

/** A path below the server's root, its query too; never another host, and nothing above the root. */
export function serverPath(text: string): string {
  const isPath = /^\/(?![\\/])[\x21-\x7e]*$/.test(text) && !text.includes('#');
  if (!isPath && text !== '/')
    throw new CommandError(`--raw must be a valid URL path: ${JSON.stringify(text)}`);
  const { pathname, search } = new URL(text, nowhere);
  return `${pathname}${search}`;
}
