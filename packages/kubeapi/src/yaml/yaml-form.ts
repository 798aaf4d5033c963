/** Options of the package `yaml` that make it write as upstream: names in order, items of lists below their field, nothing by reference, and texts that are texts in YAML 1.1, too. */
export const yamlForm = {
  ...{ sortMapEntries: true, indentSeq: false, aliasDuplicateObjects: false },
  compat: 'yaml-1.1',
} as const;
