import type { Command } from 'commander';
import type { EnvtestOptions } from '../../commands/envtest/envtest.ts';

/** `envtest`: suites of Go operators on the API server. */
export function addEnvtestCommand(program: Command): void {
  program
    .command('envtest')
    .description(
      'make the folder that controller-runtime’s envtest takes for KUBEBUILDER_ASSETS, and print its path: kube-apiserver and kubectl are wherry’s; its etcd keeps a place for their store, and is none',
    )
    .option('--out <dir>', 'folder of the programs (default: one of this installation, in the user’s cache)')
    .action(async (options: EnvtestOptions) =>
      (await import('../../commands/envtest/envtest.ts')).envtest(options),
    );
}
