/**
 * The CRI log format: `<RFC3339Nano> <stdout|stderr> <tags> <content>\n`, where tag P marks a piece of a line and F a
 * whole line or its last piece (k8s.io/cri-api pkg/apis/runtime/v1/constants.go; k8s.io/cri-client, logs).
 */

/** The outputs of a container, in the words of its log. Both are six bytes long. */
export type LogStream = 'stdout' | 'stderr';

/** The tags of an entry; more may follow behind a colon. */
export const logTags = { full: 'F', partial: 'P' } as const;

/** Longest content of one entry that is written, in bytes: longer lines are cut (the value that containerd uses). */
export const logContentBytesMax = 16_384;

/** Room of an entry beside its content: time (30), stream, tag, three spaces, newline. */
export const logOverheadBytes = 48;

/** Bytes of the format. */
export const bytesOf = {
  newline: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  dash: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  upperP: 0x50,
  upperZ: 0x5a,
  lowerO: 0x6f,
  lowerS: 0x73,
} as const;

/** Length of the name of a stream. */
export const streamLength = 'stdout'.length;
