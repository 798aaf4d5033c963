import { messageSchema } from '@wherry/kubeapi';
import { volumePlugins } from '../../execution/volumes/plugins/index.ts';
import { actedOn, type FieldVerdict, type FieldVerdicts, refused } from '../../pod/field-verdict.ts';

const names = volumePlugins.map(({ name }) => name);
const had = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
const absent = refused(`volumes of this kind are not supported by this kubelet; it has ${had}`);

/** A plug-in's file is named after its field. */
const fileOf = (name: string) =>
  name.replace(/(?<=[a-z])[A-Z]+/g, (capitals) => `-${capitals}`).toLowerCase();

function verdictOn(field: string): FieldVerdict<unknown> {
  if (field === 'name') return actedOn('kubelet/execution/volumes/volume-manager');
  return names.some((name) => name === field)
    ? actedOn(`kubelet/execution/volumes/plugins/${fileOf(field)}`)
    : absent;
}

/** What is made of a volume: there is a plug-in for it, or it is refused by name. */
export const volume: FieldVerdicts = Object.fromEntries(
  [...messageSchema('Volume').jsonFields.keys()].map((field) => [field, verdictOn(field)]),
);

/** What the plug-ins make of their fields, by message. */
export const volumeSources: ReadonlyMap<string, FieldVerdicts> = new Map(
  volumePlugins.flatMap(({ supports }) => Object.entries(supports)),
);
