/** Packages that spans need are not there; the message says what to do about it. */
export class TracingPackagesError extends Error {
  readonly code = 'tracing-packages-missing';

  constructor(names: readonly string[], cause: unknown) {
    super(
      `tracing needs packages that are not installed beside this program; install them: npm install ${names.join(' ')}`,
      { cause },
    );
    this.name = 'TracingPackagesError';
  }
}
