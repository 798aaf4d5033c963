import { ownValue, type Secret } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../../objects/api-object.ts';
import type { ServedKind } from '../../definition.ts';
import { keyPairProblem } from './key-pair.ts';

/** Secrets. */
export const secret: ServedKind = {
  group: '',
  kind: 'Secret',
  strategy: { normalize: foldStringData, warningsOf: (object) => pairWarnings(as<Secret>(object)) },
};

/** Whoever reads such a pair finds the same wrong with it. */
function pairWarnings({ type, data = {} }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const textOf = (name: string) => Buffer.from(ownValue(data, name) ?? '', 'base64').toString('latin1');
  const problem = keyPairProblem(textOf('tls.crt'), textOf('tls.key'));
  return problem === undefined ? [] : [problem];
}

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
