export { type FlaggedRole, givenFlagsProblem, isPathFlag } from './commands/given-flags.ts';
export { addRoleCommands, type RoleRunners } from './commands/role-commands.ts';
export {
  collect,
  collectList,
  collectPrograms,
  collectSwitches,
  parsePort,
  parseSwitch,
  parseWhole,
} from './flags/flag-values.ts';
