import { Option } from 'commander';

/** `--dry-run=none|client|server`. */
export const dryRunOption = (): Option =>
  new Option('--dry-run <where>', 'do nothing, or at the server everything but store')
    .choices(['none', 'client', 'server'])
    .default('none');
