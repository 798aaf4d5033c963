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
  | 'CreateContainerConfigError'
  | 'CreateContainerError'
  | 'RunContainerError'
  | 'PostStartHookError';

/** A container that did not start. */
export class ContainerStartError extends Error {
  readonly code: StartFailureReason;
  /** When it makes sense to try again; undefined leaves it to the pod's own pace. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: StartFailureReason,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ContainerStartError';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}
