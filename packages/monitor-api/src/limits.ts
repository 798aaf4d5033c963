/** Bounds of the monitor's wire. */
export const limits = {
  /** Largest JSON part of a frame, in bytes. */
  jsonBytesMax: 8 * 1024 * 1024,
  /** Largest sum of a frame's byte attachments: an ExecSync answer (a little under 16 MiB) and room. */
  attachmentBytesMax: 17 * 1024 * 1024,
  /** Bytes queued towards one peer before the server drops it (a subscriber resumes by sequence number). */
  outboundBytesMax: 64 * 1024 * 1024,
  /** Requests in flight on one connection. */
  pendingRequestsMax: 4096,
  /** Events that an idle subscriber may leave unread on the client's side before its subscription fails. */
  unreadEventsMax: 65_536,
  /** How long a call waits for the monitor to be there. */
  connectTimeoutMs: 5_000,
  /** Pause between two attempts to reach the monitor. */
  reconnectDelayMs: 20,
} as const;
