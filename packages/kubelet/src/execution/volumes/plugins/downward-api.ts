import type { DownwardAPIProjection, DownwardAPIVolumeFile, DownwardAPIVolumeSource } from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../../pod/field-verdict.ts';
import { fieldValue } from '../../environment/field-value.ts';
import { resourceValue } from '../../environment/resource-value.ts';
import type { PayloadSources } from '../../inputs/payload-sources.ts';
import { fileModeDefault, type Payload } from '../payload-files/payload.ts';
import { payloadPlugin } from '../payload-files/payload-plugin.ts';

const here = 'kubelet/execution/volumes/plugins/downward-api';

const fields: MessageVerdicts<DownwardAPIVolumeSource> = {
  items: actedOn(here),
  defaultMode: actedOn(here),
};

const file: MessageVerdicts<DownwardAPIVolumeFile> = {
  path: actedOn(here),
  fieldRef: actedOn(here),
  resourceFieldRef: actedOn(here),
  mode: actedOn(here),
};

/** Fields of the pod itself as files in memory. */
export const downwardApi = payloadPlugin({
  name: 'downwardAPI',
  folder: 'downward-api',
  supports: { DownwardAPIVolumeSource: fields, DownwardAPIVolumeFile: file },
  readsApi: () => false,
  medium: 'memory',
  payload: async ({ defaultMode = fileModeDefault, ...source }, sources) =>
    downwardFiles(source, defaultMode, sources),
});

/** The files of a downwardAPI volume, alone or in a projected one. Throws on a field or container that is not known. */
export function downwardFiles(
  { items = [] }: DownwardAPIProjection,
  defaultMode: number,
  sources: PayloadSources,
): Payload {
  return new Map(
    items.map(({ path, fieldRef, resourceFieldRef, mode = defaultMode }) => {
      const text = fieldRef
        ? fieldValue(fieldRef.fieldPath, sources)
        : resourceFieldRef
          ? resourceValue(resourceFieldRef, sources)
          : '';
      return [path, { bytes: Buffer.from(text, 'utf8'), mode }];
    }),
  );
}
