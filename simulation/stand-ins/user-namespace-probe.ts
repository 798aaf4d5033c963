/** Pods have no users of their own here, in place of `packages/runtime/src/volumes/user-namespace-probe.ts`. */
export const findUserNamespaceProblem = async (): Promise<string> => 'user namespaces are not simulated';
