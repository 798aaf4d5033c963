import { type Command, InvalidArgumentError, Option } from 'commander';
import type { InstallOptions, UninstallOptions } from '../../commands/service/service.ts';

const services = () => import('../../commands/service/service.ts');

/** `service install|uninstall`: a node that systemd starts with the machine. */
export function addServiceCommands(program: Command): void {
  const service = program.command('service').description('a node as a service of systemd');
  service
    .command('install')
    .description('start a node with the machine, and now; its containers outlive a stop of the service')
    .option('--config <file>', 'the nodes, as of "wherry up"')
    .option('--data-dir <dir>', 'folder of the node')
    .addOption(unitOption())
    .option('--no-start', 'with the machine only')
    .option('--print', 'print the unit file, and change nothing')
    .action(async (options: InstallOptions) => (await services()).installService(options));
  service
    .command('uninstall')
    .description('stop the service and take it away; the pods run on until "wherry down"')
    .addOption(unitOption())
    .action(async (options: UninstallOptions) => (await services()).uninstallService(options));
}

const unitOption = () =>
  new Option('--unit <name>', 'name of the unit').default('wherry').argParser(parseUnitName);

/** A name that is a file of its own in the folder of units. */
function parseUnitName(value: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(value)) return value;
  throw new InvalidArgumentError('a unit name has letters, digits, "-" and "_", at most 100');
}
