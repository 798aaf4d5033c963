import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ownValue } from '@wherry/kubeapi/objects';
import type { HttpAnswer } from '../http/door.ts';

/** The head of an answer and its body, of either version of HTTP, as Node gives them. */
export interface ReceivedAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
}

/** An answer as the door gives it, unpacked. */
export function answerOf({ status, headers, body }: ReceivedAnswer): HttpAnswer {
  const header = (name: string) => {
    const value = ownValue(headers, name);
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const isPacked = header('content-encoding') === 'gzip';
  return {
    ...{ status, header },
    body: isPacked ? pipeline(body, createGunzip(), new PassThrough(), () => {}) : body,
    cancel: () => void body.destroy(),
  };
}
