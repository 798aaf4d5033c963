/** What a kustomization may not exceed. */
export const limits = {
  /** Maps and lists in each other. */
  depthMax: 256,
  /** Nodes that the aliases of one document may add. */
  expansionMax: 256 * 1024,
  /** Bytes of one file. */
  fileBytesMax: 64 * 1024 * 1024,
  /** Kustomizations one below the other. */
  basesDepthMax: 128,
} as const;
