import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { printAnswer, serverPath } from '../../kube/raw.ts';
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
  await printAnswer(await clientFor(flags).stream({ method: 'GET', path }));
}
