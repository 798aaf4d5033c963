export { defaultDataDir, layoutOf, type NodeLayout, type Role, roles } from './layout.ts';
export { nodeNameProblem } from './node-name.ts';
