/**
 * The base of errors that are told apart by a `code` of a closed set; the message is for people. Their `name` is their
 * class's.
 */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}
