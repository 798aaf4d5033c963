/** Builds kustomizations: bases, overlays, components, patches, generators and replacements, as kustomize v5 does. */

export { type BuildOptions, type Built, buildKustomization } from './build/build.ts';
export { KustomizeError } from './errors.ts';
export { type FileTree, memoryFiles } from './files/file-tree.ts';
export { isRemote } from './files/remote.ts';
export { kustomizeVersion } from './version.ts';
