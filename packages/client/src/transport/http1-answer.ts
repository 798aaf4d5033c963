import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ownValue } from '@wherry/kubeapi';
import type { HttpAnswer } from '../http/door.ts';

/** An answer of Node's HTTP/1.1 client as the door gives it, unpacked. */
export function http1Answer(response: IncomingMessage): HttpAnswer {
  return {
    status: response.statusCode ?? 500,
    header: (name) => {
      const value: string | string[] | undefined = ownValue(response.headers, name);
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body:
      response.headers['content-encoding'] === 'gzip'
        ? pipeline(response, createGunzip(), new PassThrough(), () => {})
        : response,
    cancel: () => void response.destroy(),
  };
}
