import type { KubeletConfiguration } from '../../../configuration/configuration.ts';
import { withoutVersion } from './pull-record.ts';

/** Whether a pod has to show that it may use an image that is there; `isPulled` when this kubelet brought it. */
export type VerificationPolicy = (image: string, isPulled: boolean) => boolean;

/** What the configuration says of images that are on the node already. */
export function verificationPolicy({
  imagePullCredentialsVerificationPolicy: name,
  preloadedImagesVerificationAllowlist: allowlist,
}: Pick<
  KubeletConfiguration,
  'imagePullCredentialsVerificationPolicy' | 'preloadedImagesVerificationAllowlist'
>): VerificationPolicy {
  if (name === 'NeverVerify') return () => false;
  if (name === 'AlwaysVerify') return () => true;
  if (name === 'NeverVerifyPreloadedImages') return (_image, isPulled) => isPulled;
  const prefixes = allowlist.filter((entry) => entry.endsWith('/*')).map((entry) => entry.slice(0, -1));
  return (image) => {
    const plain = withoutVersion(image);
    return !allowlist.includes(plain) && !prefixes.some((prefix) => plain.startsWith(prefix));
  };
}
