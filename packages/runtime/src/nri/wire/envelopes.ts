import { messageCodec } from '@wherry/cri/grpc';
import { messages } from '../../generated/nri.ts';

/** Reads and writes NRI's messages, and what ttrpc puts around them. */
export const codec = messageCodec({
  ...messages,
  Request: [
    [1, 'service', 'string', 'single'],
    [2, 'method', 'string', 'single'],
    [3, 'payload', 'bytes', 'single'],
    [4, 'timeoutNano', 'int64', 'single'],
  ],
  Response: [
    [1, 'status', 'Status', 'single'],
    [2, 'payload', 'bytes', 'single'],
  ],
  Status: [
    [1, 'code', 'int32', 'single'],
    [2, 'message', 'string', 'single'],
  ],
});
