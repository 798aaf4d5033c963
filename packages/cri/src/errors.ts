import { status } from '@grpc/grpc-js';
import { CodedError } from '@wherry/bytes';

/** Why a call failed, by gRPC's names: the one set of codes of CRI, of the runtime and of the monitor's wire. */
export type CriErrorCode = Exclude<keyof typeof status, 'OK'>;

/** A CRI call failed: `code` is the gRPC status name, the message is the status text. */
export class CriError extends CodedError<CriErrorCode> {
  /** The failure as a CRI error: one with a gRPC status or its name keeps it, everything else becomes UNKNOWN. */
  static from(error: unknown): CriError {
    if (error instanceof CriError) return error;
    const { code, details } = (error ?? {}) as { code?: unknown; details?: unknown };
    if (typeof code === 'number' && typeof details === 'string') {
      return new CriError((status[code] ?? 'UNKNOWN') as CriErrorCode, details, { cause: error });
    }
    const message = error instanceof Error ? error.message : String(error);
    return new CriError(isCode(code) ? code : 'UNKNOWN', message, { cause: error });
  }
}

/** The enumeration has its numbers as keys too. */
const isCode = (code: unknown): code is CriErrorCode =>
  typeof code === 'string' && code !== 'OK' && Object.hasOwn(status, code) && Number.isNaN(Number(code));

/** Whether `error` is a {@link CriError} of the given code. */
export function isCriError(error: unknown, code: CriErrorCode): boolean {
  return error instanceof CriError && error.code === code;
}

/** A failure in the words of Go's gRPC client, which users search for: "rpc error: code = NotFound desc = …". */
export function inGoWords({ code, message }: CriError): string {
  return `rpc error: code = ${goName(code)} desc = ${message}`;
}

/** A code as Go prints it (grpc-go codes/code_string.go): in mixed capitals, and one with an l less. */
export function goName(code: CriErrorCode): string {
  if (code === 'CANCELLED') return 'Canceled';
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
