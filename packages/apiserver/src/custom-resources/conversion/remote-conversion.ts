import {
  type CustomResourceDefinition,
  customType,
  formatApiVersion,
  type ObjectType,
  parseApiVersion,
} from '@wherry/kubeapi';
import type { RemoteConversion } from '../../objects/strategy.ts';
import { type ConversionParts, WebhookConverter } from './webhook-converter.ts';

/** How another server converts between a definition's versions; undefined where none is asked. */
export function remoteConversion(
  definition: CustomResourceDefinition,
  parts: ConversionParts,
): RemoteConversion | undefined {
  const converter = WebhookConverter.of(definition, parts);
  if (!converter) return undefined;
  const { group, versions } = definition.spec;
  const types = new Map<string, ObjectType>();
  return {
    convert: (objects, apiVersion) => converter.convert(objects, apiVersion),
    typeOf(apiVersion) {
      const { version } = parseApiVersion(apiVersion) ?? {};
      const found = versions.find(({ name }) => name === version);
      if (!found || formatApiVersion(group, found.name) !== apiVersion) return undefined;
      const type = types.get(apiVersion) ?? customType(definition, found);
      types.set(apiVersion, type);
      return type;
    },
  };
}
