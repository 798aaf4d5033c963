import { messageCodec } from '@wherry/cri/grpc';
import { dnsSubdomain } from '@wherry/kubeapi';
import { limits } from '../../limits.ts';
import { type EncryptedObject, kmsSchema } from './kms-schema.ts';

const codec = messageCodec(kmsSchema.messages);
const name = 'EncryptedObject';

/** Of seeds from which each value's key follows. */
export const seedType = 1;

/** The object as it is stored. */
export function encodeObject(object: EncryptedObject): Buffer {
  return codec.encode(name, object);
}

/** Undefined for bytes that are none, or break upstream's bounds. */
export function decodeObject(bytes: Uint8Array): EncryptedObject | undefined {
  try {
    const object = codec.decode(name, bytes) as unknown as EncryptedObject;
    const isWhole =
      object.encryptedData.length > 0 && (object.seedType === 0 || object.seedType === seedType);
    return isWhole && seedProblem(object) === undefined ? object : undefined;
  } catch {
    return undefined;
  }
}

/** The same for all that the same key has sealed. */
export function seedMark(object: EncryptedObject): string {
  return encodeObject({ ...object, encryptedData: new Uint8Array(0) }).toString('base64');
}

/** What is wrong with a sealed seed (upstream: ValidateEncryptedObject); undefined: nothing. */
export function seedProblem({
  keyId,
  encryptedSeed,
  annotations,
}: Omit<EncryptedObject, 'encryptedData' | 'seedType'>): string | undefined {
  const keyProblem = keyIdProblem(keyId);
  if (keyProblem !== undefined) return keyProblem;
  if (encryptedSeed.length === 0) return 'it gave back an empty seed';
  if (encryptedSeed.length > limits.kmsSeedBytesMax)
    return `it gave back a seed of ${encryptedSeed.length} bytes, ${limits.kmsSeedBytesMax} are allowed`;
  let total = 0;
  for (const [key, value] of Object.entries(annotations)) {
    if (dnsSubdomain(key).length > 0 || !key.includes('.'))
      return `the annotation ${JSON.stringify(key)} has no domain for its name`;
    total += Buffer.byteLength(key) + value.length;
  }
  if (total <= limits.kmsAnnotationBytesMax) return undefined;
  return `its annotations have ${total} bytes, ${limits.kmsAnnotationBytesMax} are allowed`;
}

/** What is wrong with the name of a key. */
export function keyIdProblem(keyId: string): string | undefined {
  const bytes = Buffer.byteLength(keyId);
  if (bytes === 0) return 'its key has no id';
  if (bytes <= limits.kmsKeyIdBytesMax) return undefined;
  return `the id of its key has ${bytes} bytes, ${limits.kmsKeyIdBytesMax} are allowed`;
}
