export { compileCacheFolder, keepCompiled } from './compile-cache.ts';
export { bundled, runRoleProgram, stayLean } from './program.ts';
