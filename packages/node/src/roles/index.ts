export {
  collect,
  collectList,
  collectSwitches,
  parsePort,
  parseSwitch,
  parseWhole,
} from './flag-values.ts';
export { addRoleCommands } from './role-commands.ts';
