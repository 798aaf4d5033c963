/**
 * What the API server says to a program that keeps keys, with the numbers and types of `k8s.io/kms` (apis/v2/api.proto), and
 * how values stand whose key it keeps (k8s.io/apiserver, kmsv2/v2/api.proto).
 */
import type { GrpcSchema } from '@wherry/cri/grpc';

/** `version` is `v2`, `healthz` is `ok` where all is well. */
export interface KmsStatus {
  version: string;
  healthz: string;
  keyId: string;
}

/** A seed as the program gives it back. */
export interface SealedSeed {
  ciphertext: Uint8Array;
  keyId: string;
  annotations: Record<string, Uint8Array>;
}

/** The calls of the service. */
export interface KmsMethods {
  status: { request: object; response: KmsStatus; stream: false };
  encrypt: { request: { plaintext: Uint8Array; uid: string }; response: SealedSeed; stream: false };
  decrypt: { request: SealedSeed & { uid: string }; response: { plaintext: Uint8Array }; stream: false };
}

/** A value whose key stands beside it, sealed by a program that keeps keys. */
export interface EncryptedObject {
  encryptedData: Uint8Array;
  keyId: string;
  encryptedSeed: Uint8Array;
  annotations: Record<string, Uint8Array>;
  /** 0: the key itself; 1: a seed that each value's key follows from. */
  seedType: number;
}

export const kmsSchema: GrpcSchema = {
  package: 'v2',
  messages: {
    StatusRequest: [],
    StatusResponse: [
      [1, 'version', 'string', 'single'],
      [2, 'healthz', 'string', 'single'],
      [3, 'keyId', 'string', 'single'],
    ],
    EncryptRequest: [
      [1, 'plaintext', 'bytes', 'single'],
      [2, 'uid', 'string', 'single'],
    ],
    EncryptResponse: [
      [1, 'ciphertext', 'bytes', 'single'],
      [2, 'keyId', 'string', 'single'],
      [3, 'annotations', 'bytes', 'map:string'],
    ],
    DecryptRequest: [
      [1, 'ciphertext', 'bytes', 'single'],
      [2, 'uid', 'string', 'single'],
      [3, 'keyId', 'string', 'single'],
      [4, 'annotations', 'bytes', 'map:string'],
    ],
    DecryptResponse: [[1, 'plaintext', 'bytes', 'single']],
    EncryptedObject: [
      [1, 'encryptedData', 'bytes', 'single'],
      [2, 'keyId', 'string', 'single'],
      [3, 'encryptedSeed', 'bytes', 'single'],
      [4, 'annotations', 'bytes', 'map:string'],
      [5, 'seedType', 'enum', 'single'],
    ],
  },
  services: {
    KeyManagementService: {
      status: ['Status', 'StatusRequest', 'StatusResponse', false],
      encrypt: ['Encrypt', 'EncryptRequest', 'EncryptResponse', false],
      decrypt: ['Decrypt', 'DecryptRequest', 'DecryptResponse', false],
    },
  },
};
