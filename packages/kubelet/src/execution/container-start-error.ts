import { CodedError } from '@wherry/bytes';

/** Why a container did not start; shown as the waiting reason of its status. */
export type StartFailureReason =
  | 'CrashLoopBackOff'
  | 'ErrImagePull'
  | 'ImagePullBackOff'
  | 'ErrImageNeverPull'
  | 'InvalidImageName'
  | 'ImageInspectError'
  | 'RegistryUnavailable'
  | 'SignatureValidationFailed'
  /** It waits for a volume. */
  | 'ContainerCreating'
  | 'CreateContainerConfigError'
  | 'CreateContainerError'
  | 'RunContainerError'
  | 'PostStartHookError';

/** A container that did not start. */
export class ContainerStartError extends CodedError<StartFailureReason> {
  /** When it makes sense to try again; undefined leaves it to the pod's own pace. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: StartFailureReason,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number } = {},
  ) {
    super(code, message, { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs;
  }
}
