/** The release of kustomize whose ways these are. */
export const kustomizeVersion = 'v5.8.1';
