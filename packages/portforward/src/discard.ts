import type { ByteReceiver } from '@wherry/bytes';

/** Takes what comes and throws it away. */
export const discard: ByteReceiver = { data() {}, end() {}, closed() {} };
