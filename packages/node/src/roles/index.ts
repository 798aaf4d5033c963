export {
  collect,
  collectList,
  collectPrograms,
  collectSwitches,
  parsePort,
  parseSwitch,
  parseWhole,
} from './flags/flag-values.ts';
export { addRoleCommands, type RoleRunners } from './role-commands.ts';
