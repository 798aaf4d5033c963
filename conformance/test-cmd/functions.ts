import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the script says between its functions, as if it were one. */
export const bareLines = 'bare-lines';

/** The names of the functions of test/cmd, in the order in which upstream runs them, and what stands between them. */
export async function functionNames(root: string): Promise<string[]> {
  const script = await readFile(join(root, 'test/cmd/legacy-script.sh'), 'utf8');
  const names = [...script.matchAll(/^ +record_command (run_\w+)$/gm)].map(([, name]) => name!);
  return [...new Set(names), bareLines];
}
