export { RuntimeError } from './errors.ts';
export { bridgeNameFor, type CniSettings, type RuntimeOptions } from './runtime-options.ts';
export type { CgroupDriver } from './spec/cgroup-path.ts';
export { type Runtime, startRuntime } from './start-runtime.ts';
export { clearStage } from './volumes/stage.ts';
