export { readTracingSettings, type TracingSettings } from '@wherry/telemetry';
export { defaultDataDir, layoutOf, type NodeLayout, type Role, roles } from './layout.ts';
export { nodeNameProblem } from './node-name.ts';
