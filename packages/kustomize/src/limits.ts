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
  /** Kustomizations in one build, each as often as it is named. */
  kustomizationsMax: 2_048,
  /** Nodes that replacements may copy in one kustomization. */
  copiedNodesMax: 1024 * 1024,
  /** Characters of a text to which replacements add. */
  textLengthMax: 16 * 1024 * 1024,
  /** Fields that definitions of custom resources may have, those of what they refer to counted each time. */
  definitionFieldsMax: 64 * 1024,
} as const;
