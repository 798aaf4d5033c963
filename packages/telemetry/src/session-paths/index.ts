/** What others tell of their sessions, read with care and joined to whole ways. Needs no module of Node's. */

export { decodeSessionEvent, decodeSessionList } from './decode-list.ts';
export { joinSessions, type PathHop, type SessionPath } from './join.ts';
export { plainText } from './plain-text.ts';
export { type UnseenHop, unseenHops } from './unseen.ts';
export {
  endText,
  flowsOf,
  hopTitle,
  type PathWait,
  secondsBetween,
  takerTitle,
  waitOf,
  waitText,
} from './words.ts';
