/** Files of kustomizations, by their name in a folder; `kustomization.yaml` or `app/kustomization.yaml` is built. */
export interface Case {
  name: string;
  files: Readonly<Record<string, string | Uint8Array>>;
  /** The folder that is built; the one of the files unless told. */
  folder?: string;
}

export const oneFolder = (
  name: string,
  kustomization: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Case => ({ name, files: { 'kustomization.yaml': kustomization, ...files } });
