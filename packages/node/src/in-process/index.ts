export { type RunApiServerOptions, type RunningApiServer, runApiServer } from './run-api-server.ts';
export { type RunNodeOptions, type RunningNode, runNode } from './run-node.ts';
export type { RunningPart } from './running-part.ts';
