/** `preloadedImagesVerificationAllowlist`: names of images, or of all below a registry or folder by `/*` at the end. */

const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]*(?::\d+)?(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;

/** What is wrong with an entry; undefined when nothing is. Upstream: pkg/kubelet/images/pullmanager. */
function allowlistProblem(pattern: string): string | undefined {
  if (pattern !== pattern.trim()) return `leading/trailing spaces are not allowed: ${pattern}`;
  const isWildcard = pattern.endsWith('/*');
  const plain = isWildcard ? pattern.slice(0, -1) : pattern;
  if (plain === '') return `the supplied pattern is too short: ${pattern}`;
  if (plain.includes('*'))
    return `not a valid wildcard pattern, only patterns ending with '/*' are allowed: ${pattern}`;
  if (isWildcard) return plain === '/' ? 'at least registry hostname is required' : undefined;
  const hasVersion = plain.includes('@') || /:[^/]*$/.test(plain);
  if (hasVersion) return `neither tag nor digest is accepted in an image reference: ${pattern}`;
  return namePattern.test(plain) ? undefined : `failed to parse as an image name: ${pattern}`;
}

/** What is wrong with the list, beside the policy that it belongs to. */
export function allowlistProblems({
  imagePullCredentialsVerificationPolicy: policy,
  preloadedImagesVerificationAllowlist: allowlist,
}: {
  imagePullCredentialsVerificationPolicy: string;
  preloadedImagesVerificationAllowlist: readonly string[];
}): string[] {
  const field = 'preloadedImagesVerificationAllowlist';
  if (allowlist.length > 0 && policy !== 'NeverVerifyAllowlistedImages')
    return [`${field}: needs imagePullCredentialsVerificationPolicy: NeverVerifyAllowlistedImages`];
  return allowlist.flatMap((entry) => allowlistProblem(entry) ?? []).map((what) => `${field}: ${what}`);
}
