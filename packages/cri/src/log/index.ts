export { type Encoded, type EncodeOptions, encodeEntries, encodeEntry } from './encode.ts';
export { LogEntry } from './entry.ts';
export { bytesOf, type LogStream, logContentBytesMax, logOverheadBytes } from './format.ts';
export { comparableTime, isTimeBefore, logTimestamp, moveTime } from './time.ts';
