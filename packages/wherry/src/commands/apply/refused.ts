import { CommandError } from '../../errors.ts';
import type { ApplyFlags } from './flags.ts';

/** Throws `CommandError` for flags that contradict each other, in the words of kubectl. */
export function refuseContradictions(flags: ApplyFlags): void {
  const isServerSide = flags.serverSide !== false;
  // Nobody has to have asked for it.
  const unasked = flags.serverSide === undefined ? '; --server-side=false applies here' : '';
  if (flags.forceConflicts && !isServerSide)
    throw new CommandError('--force-conflicts only works with --server-side');
  if (flags.dryRun === 'client' && flags.serverSide) {
    throw new CommandError(
      "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
    );
  }
  if (isServerSide && flags.force)
    throw new CommandError(`--force cannot be used with --server-side${unasked}`);
  if (flags.dryRun === 'server' && flags.force)
    throw new CommandError('--dry-run=server cannot be used with --force');
  if (flags.all && flags.selector) throw new CommandError('cannot set --all and --selector at the same time');
  if (flags.applyset && !flags.prune) throw new CommandError('--applyset requires --prune');
  if (flags.prune) refuseToPrune(flags, unasked);
  if (flags.subresource && !isServerSide)
    throw new CommandError('--subresource can only be specified for --server-side');
}

function refuseToPrune(flags: ApplyFlags, unasked: string): void {
  const { force, all, selector, serverSide, applyset, pruneAllowlist = [] } = flags;
  if (force) throw new CommandError('--force cannot be used with --prune');
  if (applyset) {
    const other = all ? '--all' : selector ? '--selector' : pruneAllowlist.length > 0 && '--prune-allowlist';
    if (other) throw new CommandError(`${other} is incompatible with --applyset`);
    return;
  }
  if (!all && !selector) {
    throw new CommandError(
      'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
    );
  }
  if (serverSide !== false) {
    throw new CommandError(
      `--prune is in alpha and doesn't currently work on objects created by server-side apply${unasked}`,
    );
  }
}
