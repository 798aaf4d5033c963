/** Where the volumes of this machine's nodes are, made and removed by whoever stands on it. */
export interface VolumeFolders {
  /** The nodes whose pods may have them. */
  nodeNames: readonly string[];
  /** Makes the folder of that name, which is empty, or is there already. Resolves with its path. */
  make(name: string): Promise<string>;
  /** Removes it with all that is in it; one that is gone already is fine. */
  remove(name: string): Promise<void>;
}
