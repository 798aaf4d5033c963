export type { ControlLimits } from './frames/control.ts';
export { FrameDecoder } from './frames/decode.ts';
export {
  encodeData,
  encodeDataHeader,
  encodeGoAway,
  encodePing,
  encodeRstStream,
  HeaderFrameEncoder,
  type HeaderFrameFields,
} from './frames/encode.ts';
export { SpdyError, type SpdyErrorCode } from './frames/errors.ts';
export {
  type FrameHandler,
  type GoAwayStatus,
  goAwayStatus,
  type HeaderFrame,
  type ResetStatus,
  resetStatus,
  type SpdyHeaders,
  type SynStream,
} from './frames/frame.ts';
export { defaultLimits, type SpdyLimits } from './limits.ts';
export { ReplyAhead, type ReplyAheadSinks } from './reply-ahead.ts';
export type {
  CreateStreamOptions,
  SpdyRole,
  SpdySession,
  SpdySessionOptions,
  SpdyStream,
} from './session/contract.ts';
export { createSpdySession } from './session/session.ts';
export type { Tick, Ticks } from './session/ticks.ts';
