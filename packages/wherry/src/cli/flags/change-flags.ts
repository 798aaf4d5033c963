import { type Command, Option } from 'commander';

/** `--dry-run=none|client|server`. */
export const dryRunOption = (): Option =>
  new Option('--dry-run <where>', 'do nothing, or at the server everything but store')
    .choices(['none', 'client', 'server'])
    .default('none');

/** `--save-config`: for client-side apply, which compares with it. */
export const saveConfigOption = (): Option =>
  new Option('--save-config', 'keep what is given in the annotation that client-side apply compares with');

/** `--overrides PATCH`, of what a command has made before it is created. */
export const withOverrides = (command: Command): Command =>
  command
    .option('--overrides <json>', 'a patch of the object before it is created')
    .option('--override-type <type>', 'json, merge or strategic', 'merge');
