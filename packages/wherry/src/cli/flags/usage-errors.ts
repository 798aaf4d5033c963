import { type Command, Option } from 'commander';
import { pathOf } from './command-path.ts';

/** `rollout status`. */
const pathText = (command: Command): string =>
  pathOf(command)
    .map((one) => one.name())
    .join(' ');

/** Ends with 1 and kubectl's pointer to the help. */
export function usageError(command: Command, message: string): never {
  return command.error(`error: ${message}\nSee 'wherry ${pathText(command)} -h' for help and examples`);
}

/** Knows flags of kubectl's that a command can't act on, and refuses them by name with the reason. */
export function withRefused(command: Command, flags: readonly string[], reason: string): Command {
  const refused = flags.map((flag) => new Option(flag).hideHelp());
  for (const option of refused) command.addOption(option);
  return command.hook('preAction', (self, acting) => {
    if (self !== acting) return;
    const used = refused.find((option) => self.getOptionValueSource(option.attributeName()) === 'cli');
    if (used) usageError(self, `${used.long} ${reason}`);
  });
}

/** Lets a command refuse flags in kubectl's words. */
export function withKubectlErrors(command: Command): Command {
  return command.configureOutput({
    outputError(text, write) {
      const message = unknownFlag(text) ?? missingValue(text) ?? wrongValue(text);
      write(message ? `error: ${message}\nSee 'wherry ${pathText(command)} --help' for usage.\n` : text);
    },
  });
}

function unknownFlag(text: string): string | undefined {
  const [, flag] = /^error: unknown option '(.+)'/.exec(text) ?? [];
  if (flag === undefined || flag.startsWith('--')) return flag && `unknown flag: ${flag.replace(/=.*/s, '')}`;
  return `unknown shorthand flag: '${flag[1]}' in ${flag}`;
}

function missingValue(text: string): string | undefined {
  const [flags] = /(?<=^error: option ')-.+(?=' argument missing)/.exec(text) ?? [];
  const [long] = /--[\w-]+/.exec(flags ?? '') ?? [];
  return long && `flag needs an argument: ${long}`;
}

function wrongValue(text: string): string | undefined {
  const [, flags = '', value, reason] =
    /^error: option '(.+)' argument '(.*)' is invalid\. ?(.*)/.exec(text) ?? [];
  const name = flags.replace(/ <.*/, '');
  return value === undefined ? undefined : `invalid argument "${value}" for "${name}" flag: ${reason}`;
}
