import type { ByteReceiver } from './channel.ts';

/** Takes what comes and throws it away. */
export const discard: ByteReceiver = { data() {}, end() {}, closed() {} };
