import { CommandError } from '../../errors.ts';
import { type Change, changeConfig } from '../../kubeconfig/change-config.ts';
import type { ConfigPlace, ConfigState } from '../../kubeconfig/config-state.ts';
import type { Fields } from '../../kubeconfig/document.ts';
import { withFields } from '../../kubeconfig/entry-fields.ts';
import { type Property, type PropertyType, readProperty } from './property-path.ts';

/** Flags of `wherry config set`. */
export interface SetPropertyFlags extends ConfigPlace {
  /** Bytes are given as they are instead of in base64. */
  setRawBytes?: boolean;
}

/** Sets one value. */
export function setProperty(path: string, value: string, flags: SetPropertyFlags): void {
  if (value === '') throw new CommandError('you cannot use set to unset a property');
  if (path === '') throw new CommandError('you must specify a property');
  const property = readProperty(path);
  const plan = (state: ConfigState) => ({
    changes: [settingOf(property, value, state, flags)],
    says: `Property ${JSON.stringify(path)} set.`,
  });
  console.log(changeConfig(flags, plan));
}

function coloured({ preferences }: ConfigState, isOn: boolean): Fields {
  const { colors: _, ...others } = preferences;
  return isOn ? { ...others, colors: true } : others;
}

function settingOf(property: Property, text: string, state: ConfigState, flags: SetPropertyFlags): Change {
  switch (property.kind) {
    case 'current-context':
      return { currentContext: text };
    case 'colors':
      return { preferences: coloured(state, readValue('switch', text, flags) === true) };
    case 'field': {
      const { list, name, field, type } = property;
      const value = readValue(type, text, flags);
      return {
        list,
        name,
        fields: withFields(list, state[list].get(name)?.fields ?? {}, { [field]: value }),
      };
    }
    case 'entry':
      throw new CommandError(
        `can't set a map to a value: ${property.list}.${property.name}; behind the name one of its fields is missing`,
      );
    case 'list':
    case 'preferences':
      throw new CommandError(
        `can't set a map to a value: ${property.kind === 'list' ? property.list : property.kind}`,
      );
  }
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function readValue(type: PropertyType, text: string, { setRawBytes }: SetPropertyFlags): unknown {
  if (type === 'text') return text;
  if (type === 'switch') {
    if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
    if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
    throw new CommandError(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  if (type === 'other')
    throw new CommandError('what is no text, bytes or switch is not to be set; edit the file');
  if (setRawBytes) return Buffer.from(text).toString('base64');
  const bare = text.replaceAll(/[\r\n]/g, '');
  if (base64.test(bare)) return bare;
  throw new CommandError('the value is no base64; --set-raw-bytes takes it as it is');
}

/** Takes one value away. */
export function unsetProperty(path: string, place: ConfigPlace): void {
  if (path === '') throw new CommandError('you must specify a property');
  const property = readProperty(path);
  const plan = (state: ConfigState) => ({
    changes: removalOf(property, state),
    says: `Property ${JSON.stringify(path)} unset.`,
  });
  console.log(changeConfig(place, plan));
}

function removalOf(property: Property, state: ConfigState): Change[] {
  switch (property.kind) {
    case 'current-context':
      return [{ currentContext: '' }];
    case 'preferences':
      return [{ preferences: {} }];
    case 'colors':
      return [{ preferences: coloured(state, false) }];
    case 'list':
      return [...state[property.list].keys()].map((gone) => ({ list: property.list, gone }));
    case 'entry':
      return [{ list: property.list, gone: property.name }];
    case 'field': {
      const { list, name, field } = property;
      const there = state[list].get(name);
      if (!there) throw new CommandError(`current map key \`${name}\` is invalid`);
      return [{ list, name, fields: withFields(list, there.fields, { [field]: '' }) }];
    }
  }
}
