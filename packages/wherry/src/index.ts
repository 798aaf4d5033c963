export { layoutOf, type NodeLayout, type Role, roles } from './node/layout.ts';
export { type StartedNode, type StartOptions, startNode } from './node/start.ts';
export { type NodeStatus, statusOf } from './node/status.ts';
export { stopNode } from './node/stop.ts';
