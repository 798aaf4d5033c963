import {
  builtInType,
  formatApiVersion,
  type GroupVersionKind,
  inVersion,
  kindVersions,
} from '@wherry/kubeapi';
import type { ApiObject } from '../objects/api-object.ts';
import type { Conversion } from '../objects/strategy.ts';

/** Of a version whose objects are stored in the form of another one; undefined for what is stored as it is shown. */
export function hubConversion(gvk: GroupVersionKind, keyPrefix: string): Conversion | undefined {
  const { group, version, kind } = gvk;
  const { hub = version } = kindVersions(gvk) ?? {};
  if (hub === version) return undefined;
  const hubGvk = { group, version: hub, kind };
  return {
    ...{ keyPrefix, storedApiVersion: formatApiVersion(group, hub) },
    toStored(object) {
      const stored = inVersion(gvk, object, hub)!;
      // What a version says of a later one's fields has not got their defaults yet.
      builtInType(hubGvk).setDefaults(stored);
      return stored;
    },
    fromStored: (object): ApiObject => inVersion(hubGvk, object, version)!,
  };
}
