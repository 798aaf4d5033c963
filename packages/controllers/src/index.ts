export type { Manager } from './definitions.ts';
export { candidateHasEnded, ownCandidacy } from './leadership/candidacy.ts';
export { limits } from './limits.ts';
export { type LocalPathOptions, startLocalPathProvisioner } from './local-path/start.ts';
export type { VolumeFolders } from './local-path/volume-folders.ts';
export type { NodeEvictionRates } from './machinery/node-eviction-rates.ts';
export type { AuthorityFiles, SigningOptions } from './machinery/signing-options.ts';
export { type ManagerOptions, standAsManager } from './stand-as-manager.ts';
export { type Controllers, type ControllersOptions, startControllers } from './start.ts';
