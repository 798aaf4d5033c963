/** A configuration that can't be used; `problems` names every bad field, one line each; `subject` is what has them. */
export class ConfigurationError extends Error {
  readonly code = 'invalid-configuration';
  readonly problems: readonly string[];

  constructor(problems: readonly string[], subject = 'the kubelet configuration') {
    super(`${subject} has ${problems.length} bad field(s):\n  ${problems.join('\n  ')}`);
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}
