import { CriError } from '@wherry/cri';

/** A failure of the runtime: `code` tells the kind, the message names the thing and the bad value. */
export class RuntimeError extends CriError {}

/** The text of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
