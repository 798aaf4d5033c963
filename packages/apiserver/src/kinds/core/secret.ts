import type { Secret } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Secrets. */
export const secret: ServedKind = {
  group: '',
  kind: 'Secret',
  strategy: { normalize: foldStringData },
};

/** `stringData` is a way of writing `data` without base64; it is never read back. */
function foldStringData(object: ApiObject): void {
  const secret = as<Secret>(object);
  const { stringData } = secret;
  if (!stringData) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ]);
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}
