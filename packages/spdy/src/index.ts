export type {
  CreateStreamOptions,
  SpdyRole,
  SpdySession,
  SpdySessionOptions,
  SpdyStream,
} from './contract.ts';
export type { ControlLimits } from './control.ts';
export { FrameDecoder } from './decode.ts';
export {
  encodeData,
  encodeDataHeader,
  encodeGoAway,
  encodePing,
  encodeRstStream,
  HeaderFrameEncoder,
  type HeaderFrameFields,
} from './encode.ts';
export { SpdyError, type SpdyErrorCode } from './errors.ts';
export {
  type FrameHandler,
  type GoAwayStatus,
  goAwayStatus,
  type HeaderFrame,
  type ResetStatus,
  resetStatus,
  type SpdyHeaders,
  type SynStream,
} from './frame.ts';
export { defaultLimits, type SpdyLimits } from './limits.ts';
export { ReplyAhead, type ReplyAheadSinks } from './reply-ahead.ts';
export { createSpdySession } from './session.ts';
