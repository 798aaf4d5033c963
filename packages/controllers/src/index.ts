export { limits } from './limits.ts';
export { type Decision, selectNode } from './scheduler/select-node.ts';
export type { Controllers, ControllersOptions } from './start.ts';
export { startControllers } from './start.ts';
