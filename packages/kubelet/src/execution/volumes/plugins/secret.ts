import type { SecretProjection, SecretVolumeSource } from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../../pod/field-verdict.ts';
import type { PayloadSources } from '../../inputs/payload-sources.ts';
import {
  fileModeDefault,
  keyedPayload,
  keyToPath,
  type Payload,
  secretData,
} from '../payload-files/payload.ts';
import { payloadPlugin } from '../payload-files/payload-plugin.ts';

const here = 'kubelet/execution/volumes/plugins/secret';

const fields: MessageVerdicts<SecretVolumeSource> = {
  secretName: actedOn(here),
  items: actedOn(here),
  defaultMode: actedOn(here),
  optional: actedOn(here),
};

/** The keys of a Secret as files in memory. */
export const secret = payloadPlugin({
  name: 'secret',
  folder: 'secret',
  supports: { SecretVolumeSource: fields, KeyToPath: keyToPath },
  readsApi: () => true,
  medium: 'memory',
  payload: ({ secretName: name, defaultMode = fileModeDefault, ...source }, sources) =>
    secretFiles({ ...source, name }, defaultMode, sources),
});

/** The files of a Secret, alone or in a projected volume. Throws when it, or a listed key, is missing. */
export async function secretFiles(
  { name = '', items, optional = false }: SecretProjection,
  defaultMode: number,
  sources: PayloadSources,
): Promise<Payload> {
  const found = await sources.secret(name);
  if (!found && !optional) throw new Error(`secret "${name}" not found`);
  const data = secretData(found);
  return keyedPayload({ name: `secret ${name}`, items, optional, data, defaultMode });
}
