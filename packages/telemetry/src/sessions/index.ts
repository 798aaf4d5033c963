export { answerSessions, type SessionAnswer } from './answer-sessions.ts';
export { FlowMeter } from './flow-meter.ts';
export { LiveSession, type SessionFacts, type SessionOutcome } from './live-session.ts';
export {
  auditIdHeader,
  SessionBook,
  type SessionBookOptions,
  type SessionClock,
} from './session-book.ts';
export { sessionEvents } from './session-events.ts';
export { hostAndPort } from './session-texts.ts';
export type {
  Session,
  SessionEnd,
  SessionEvent,
  SessionFlow,
  SessionHop,
  SessionKind,
  SessionList,
  SessionSide,
  SessionStream,
} from './shape.ts';
export { StreamMeter } from './stream-meter.ts';
