export { compileCacheFolder, keepCompiled } from './compile-cache.ts';
export { bundled, roleProgram, runRoleProgram, stayLean } from './program.ts';
