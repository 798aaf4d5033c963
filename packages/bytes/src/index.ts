export type { ByteChannel, ByteReceiver, WaitOptions } from './channel.ts';
