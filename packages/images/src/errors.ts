import { CodedError } from '@wherry/bytes';

/** Why something about an image failed: names of gRPC's set of codes, as everywhere in the node. */
export type ImageErrorCode =
  | 'CANCELLED'
  | 'UNKNOWN'
  | 'INVALID_ARGUMENT'
  | 'DEADLINE_EXCEEDED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'PERMISSION_DENIED'
  | 'FAILED_PRECONDITION'
  | 'UNIMPLEMENTED'
  | 'UNAVAILABLE'
  | 'UNAUTHENTICATED';

/** A failure about an image: `code` tells the kind, the message names the thing and the bad value. */
export class ImageError extends CodedError<ImageErrorCode> {}

/** The text of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
