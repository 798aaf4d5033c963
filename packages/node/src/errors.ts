/** What went wrong with a node as a whole. */
export type NodeErrorCode =
  /** A name that no node can have. */
  | 'bad-name'
  /** The folder holds a node of another name or with other ports. */
  | 'conflict'
  /** Something was asked for that a node decides itself, or that does not fit what else was. */
  | 'bad-settings'
  /** The node's record can't be read. */
  | 'bad-record'
  /** Files of the node belong to somebody else. */
  | 'not-permitted'
  /** The disk has no room for a file of the node; the message has its name, and what stood there still does. */
  | 'disk-full'
  /** Another start or end of the same node is under way. */
  | 'locked'
  /** A port that was asked for by number is taken. */
  | 'port-taken'
  /** Every range for pods overlaps a route of the machine. */
  | 'no-pod-range'
  /** A process of the node ended while it started; the message has the end of its log. */
  | 'process-ended'
  /** A process of the node was not ready in time; the message has the end of its log. */
  | 'not-ready'
  /** Something of the node is still in use and can't be removed. */
  | 'busy'
  /** The folder holds no node. */
  | 'no-node';

/** A start, an end or a look at a node that failed. The message says what happened to what, and what to do. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: NodeErrorCode;

  constructor(code: NodeErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
