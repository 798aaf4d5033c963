import { readFileSync } from 'node:fs';
import { kubeconfigPaths } from '@wherry/client';
import { layoutOf } from '@wherry/node';
import { CommandError } from '../../errors.ts';
import { giveKubeconfig } from '../../kubeconfig/as-user.ts';
import { changeLocked } from '../../kubeconfig/locked-file.ts';
import { mergeKubeconfig, withoutKubeconfig } from '../../kubeconfig/merge.ts';
import { readStandardInput } from '../../system/standard-input.ts';

/** Options of `wherry kubeconfig`. */
export interface KubeconfigOptions {
  dataDir: string;
  /** Puts it into the user's kubeconfig instead of printing it. */
  merge?: boolean;
}

/**
 * Prints the kubeconfig of a node, or puts it into that of the user: who called sudo, else who runs this, at `$KUBECONFIG` or
 * `~/.kube/config`.
 */
export function kubeconfig({ dataDir, merge }: KubeconfigOptions): void {
  const { kubeconfig: path } = layoutOf(dataDir);
  const text = readKubeconfig(path);
  if (!merge) {
    process.stdout.write(text);
    return;
  }
  const changed = giveKubeconfig(path) ?? mergeOwn(text);
  console.error(`the node is the current context of ${changed}`);
}

function readKubeconfig(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') {
      throw new CommandError(`"${path}" belongs to root; run this with sudo`, { cause: error });
    }
    if (code !== 'ENOENT') throw error;
    throw new CommandError(`no node in this folder: "${path}" is not there; "wherry up" starts one`, {
      cause: error,
    });
  }
}

function mergeOwn(text: string): string {
  const [own] = kubeconfigPaths();
  if (own === undefined)
    throw new CommandError('no place for a kubeconfig: neither HOME nor KUBECONFIG is set');
  changeLocked(own, (existing) => mergeKubeconfig(existing, text));
  return own;
}

/** Options of the command by which `up` and `down` change a kubeconfig with its owner's rights. */
export interface ChangeKubeconfigOptions {
  file: string;
  /** Puts the kubeconfig from standard input in. */
  merge?: boolean;
  /** Takes the entries of that name out. */
  remove?: string;
}

/** Changes a kubeconfig file. */
export async function changeKubeconfig({ file, merge, remove }: ChangeKubeconfigOptions): Promise<void> {
  if (!merge && remove === undefined) throw new CommandError('one of --merge and --remove is needed');
  const addition = merge ? (await readStandardInput()).toString('utf8') : '';
  changeLocked(file, (text) => {
    const kept = remove === undefined ? text : withoutKubeconfig(text, remove);
    return merge ? mergeKubeconfig(kept ?? text, addition) : kept;
  });
}
