import { readFileSync } from 'node:fs';
import { CommandError } from '../../errors.ts';
import { changeLocked } from '../../kubeconfig/locked-file.ts';
import { mergeKubeconfig, withoutKubeconfig } from '../../kubeconfig/merge.ts';

/** Options of the command by which `up` and `down` change a kubeconfig with its owner's rights. */
export interface KubeconfigOptions {
  file: string;
  /** Puts the kubeconfig from standard input in. */
  merge?: boolean;
  /** Takes the entries of that name out. */
  remove?: string;
}

/** Changes a kubeconfig file. */
export function changeKubeconfig({ file, merge, remove }: KubeconfigOptions): void {
  if (!merge && remove === undefined) throw new CommandError('one of --merge and --remove is needed');
  const addition = merge ? readFileSync(0, 'utf8') : '';
  changeLocked(file, (text) => {
    const kept = remove === undefined ? text : withoutKubeconfig(text, remove);
    return merge ? mergeKubeconfig(kept ?? text, addition) : kept;
  });
}
