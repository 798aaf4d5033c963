import type { Command } from 'commander';
import type { DecisionFlags } from '../../commands/certificate/decide.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { withOutput } from '../flags/options.ts';
import { filenameOption, kustomizeOption } from '../flags/selection-flags.ts';
import { usageError } from '../flags/usage-errors.ts';

/** `certificate approve | deny`. */
export function addCertificate(program: Command): Command[] {
  const certificate = program
    .command('certificate')
    .description('say whether certificates that were asked for are signed')
    .usage('COMMAND [flags]')
    .enablePositionalOptions()
    .argument('[words...]')
    .allowUnknownOption()
    // kubectl shows its help for a word that is not there, too, as if all were well.
    .action(([name]: string[], _flags: object, self: Command) => {
      if (name === undefined) self.help();
      if (name.startsWith('-')) usageError(self, `unknown flag: ${name}`);
      usageError(self, `unknown command "${name}" for "wherry certificate"`);
    });
  const approve = withDecisionFlags(certificate.command('approve'))
    .description('let requests for certificates be signed; look first what they would let their owner do')
    .action(async (words: string[], flags: DecisionFlags) =>
      (await import('../../commands/certificate/decide.ts')).approve(words, flags),
    );
  const deny = withDecisionFlags(certificate.command('deny'))
    .description('keep requests for certificates from being signed')
    .action(async (words: string[], flags: DecisionFlags) =>
      (await import('../../commands/certificate/decide.ts')).deny(words, flags),
    );
  return [approve, deny];
}

function withDecisionFlags(command: Command): Command {
  return withOutput(withKubeFlags(command), ['json', 'yaml', 'name'])
    .usage('(NAME... | -f FILE | -k FOLDER) [flags]')
    .argument('[names...]', 'names of CertificateSigningRequests')
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too')
    .option('--force', 'write it once more where it has been said before')
    .option('--show-managed-fields', 'with -o: who manages which field too');
}
