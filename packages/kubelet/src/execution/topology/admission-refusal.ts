/** Why a pod can't have what it asks for, with the reason that its status shows. */
export class AdmissionRefusal extends Error {
  readonly reason: string;

  constructor(
    reason: 'TopologyAffinityError' | 'SMTAlignmentError' | 'UnexpectedAdmissionError',
    text: string,
  ) {
    super(text);
    this.reason = reason;
  }
}

/** The refusal that an error is; one that nobody foresaw is `UnexpectedAdmissionError`. */
export function refusalFrom(error: unknown): AdmissionRefusal {
  if (error instanceof AdmissionRefusal) return error;
  const text = `Allocate failed due to ${(error as Error).message}, which is unexpected`;
  return new AdmissionRefusal('UnexpectedAdmissionError', text);
}
