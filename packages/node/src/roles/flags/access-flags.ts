/** Flags of `wherry apiserver` that tell how users are known and what they may; names and defaults are kube-apiserver's. */
import { type Command, Option } from 'commander';
import { parseSwitch } from './flag-values.ts';

/** As commander hands them over. */
export interface AccessFlags {
  authenticationConfig?: string;
  anonymousAuth?: boolean;
}

/** Adds them. */
export function addAccessFlags(command: Command): Command {
  return command
    .option(
      '--authentication-config <file>',
      'identity providers, and who may ask unknown: an AuthenticationConfiguration, YAML, which is followed',
    )
    .addOption(
      new Option(
        '--anonymous-auth [switch]',
        'who shows nothing may ask, as system:anonymous (default: true, but for AlwaysAllow)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    );
}
