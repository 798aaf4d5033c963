import { stat } from 'node:fs/promises';
import {
  type PlugInsConfiguration,
  readPlugInConfiguration,
} from '../configuration/images/credential-plug-ins.ts';
import type { StartKubeletOptions } from './options.ts';

/** Programs that know logins of registries, and where they are. */
export interface CredentialPrograms {
  configuration: PlugInsConfiguration;
  binDir: string;
}

/** Undefined when the kubelet is told of none. Throws when it is told the one without the other, or what can not be used. */
export async function readCredentialPrograms({
  imageCredentialProviderConfig: config,
  imageCredentialProviderBinDir: binDir,
}: Pick<StartKubeletOptions, 'imageCredentialProviderConfig' | 'imageCredentialProviderBinDir'>): Promise<
  CredentialPrograms | undefined
> {
  if (!config && !binDir) return undefined;
  if (!config || !binDir)
    throw new Error(
      '--image-credential-provider-config and --image-credential-provider-bin-dir belong together',
    );
  const isFolder = (await stat(binDir).catch(() => undefined))?.isDirectory();
  if (!isFolder) throw new Error(`--image-credential-provider-bin-dir: "${binDir}" is no folder`);
  return { configuration: await readPlugInConfiguration(config), binDir };
}
