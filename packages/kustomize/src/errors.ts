/** What is wrong with a kustomization: in kustomize's words where it has some. */
export class KustomizeError extends Error {
  override readonly name = 'KustomizeError';
}

/** The same mistake, with where it was met in front. */
export function inside(where: string, error: unknown): unknown {
  if (!(error instanceof KustomizeError)) return error;
  const made = new (error.constructor as typeof KustomizeError)(`${where}: ${error.message}`, {
    cause: error,
  });
  return made;
}

/** What is no YAML. */
export class MalformedYamlError extends KustomizeError {}

/** Runs `work`, and says where it was when it fails. */
export function within<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inside(where, error);
  }
}
