/** Feature gates of upstream's programs: known ones may be said to be what they are. */
import type { Command } from 'commander';
import { NodeError } from '../../errors.ts';
import { collectSwitches } from './flag-values.ts';

/** As commander hands them over. */
export interface GateFlags {
  featureGates?: Readonly<Record<string, boolean>> | undefined;
}

/** Adds `--feature-gates`. */
export function addGateFlags(command: Command): Command {
  return command.option(
    '--feature-gates <switches>',
    'gates of Kubernetes 1.36, each at its default: others are refused by name',
    collectSwitches,
  );
}

/**
 * Throws `NodeError` `bad-settings` on a gate that there is not, or that is to be otherwise than it is. The table of gates is
 * loaded where some are named.
 */
export async function checkGates({ featureGates = {} }: GateFlags): Promise<void> {
  const named = Object.entries(featureGates);
  if (named.length === 0) return;
  const { gateFacts, gateProblem } = await import('@wherry/kubelet/feature-gates');
  for (const [name, value] of named) {
    const facts = gateFacts(name.replace(/^kube:/, ''));
    const problem = gateProblem(name, value, { facts, cannot: `this server can not switch ${name}` });
    if (problem !== undefined) throw new NodeError('bad-settings', `--feature-gates: ${problem}`);
  }
}
