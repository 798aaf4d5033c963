export { definitions } from './definitions.ts';
export { limits } from './limits.ts';
export { type Decision, selectNode } from './scheduler/select-node.ts';
export { type Controllers, type ControllersOptions, startControllers } from './start.ts';
