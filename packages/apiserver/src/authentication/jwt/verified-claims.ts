import { isJsonObject, type JsonObject, type JsonValue } from '@wherry/kubeapi';
import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import type { ProviderKeys } from './provider-keys.ts';

/** By whom a token has to be signed, and how it may be. */
export interface Signer {
  keys: ProviderKeys;
  signingAlgs: readonly string[];
}

/** What a token says that one of these keys has signed. Rejects with what is wrong with it. */
export async function verifiedClaims(token: string, { keys, signingAlgs }: Signer): Promise<JsonObject> {
  const { alg = '', kid } = decodeProtectedHeader(token);
  if (!signingAlgs.includes(alg)) throw new Error(`it is not signed by ${signingAlgs.join(', ')}`);
  for (const key of await keys.matching({ kid, alg })) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [alg] });
      return parseClaims(payload);
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new Error('no key of the provider has signed it');
}

/** What a parser says of a text that is no JSON shows the text. */
function parseClaims(payload: Uint8Array): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(Buffer.from(payload).toString());
  } catch {
    throw new Error('its claims are no JSON');
  }
  if (!isJsonObject(value)) throw new Error('its claims are no object');
  return value;
}
