import type { AuthorityFiles, SigningOptions } from '@wherry/controllers';
import { parseDurationMs } from '@wherry/kubeapi/objects';
import { type Command, InvalidArgumentError } from 'commander';
import { NodeError } from '../../../errors.ts';

/** Upstream's flags about who signs certificates that were asked for, as commander hands them over. */
export interface SigningFlags {
  clusterSigningCertFile?: string;
  clusterSigningKeyFile?: string;
  clusterSigningKubeApiserverClientCertFile?: string;
  clusterSigningKubeApiserverClientKeyFile?: string;
  clusterSigningKubeletClientCertFile?: string;
  clusterSigningKubeletClientKeyFile?: string;
  clusterSigningKubeletServingCertFile?: string;
  clusterSigningKubeletServingKeyFile?: string;
  clusterSigningDuration?: string;
}

/** Adds them to a command. */
export function addSigningFlags(command: Command): Command {
  const pairs = [
    ['cluster-signing', 'CA that signs whatever was approved (default: nothing is signed)'],
    ['cluster-signing-kube-apiserver-client', 'CA that signs for clients of the API server'],
    ['cluster-signing-kubelet-client', 'CA that signs for kubelets as its clients'],
    ['cluster-signing-kubelet-serving', "CA that signs kubelets' serving certificates"],
  ] as const;
  for (const [name, description] of pairs)
    command.option(`--${name}-cert-file <file>`, description).option(`--${name}-key-file <file>`, 'its key');
  return command.option(
    '--cluster-signing-duration <duration>',
    'longest life of a certificate (default: 8760h)',
    (text) => {
      if (durationOf(text) > 0) return text;
      throw new InvalidArgumentError('expected a duration such as 8760h');
    },
  );
}

function durationOf(text: string): number {
  try {
    return parseDurationMs(text);
  } catch {
    return Number.NaN;
  }
}

/** Who signs what by these flags. Throws NodeError `bad-settings` on half a pair, and on one CA for all beside others for some. */
export function signingOf(flags: SigningFlags): SigningOptions {
  const { clusterSigningDuration } = flags;
  const all = pairOf(flags.clusterSigningCertFile, flags.clusterSigningKeyFile, 'cluster-signing');
  const own = {
    'kubernetes.io/kube-apiserver-client': pairOf(
      flags.clusterSigningKubeApiserverClientCertFile,
      flags.clusterSigningKubeApiserverClientKeyFile,
      'cluster-signing-kube-apiserver-client',
    ),
    'kubernetes.io/kube-apiserver-client-kubelet': pairOf(
      flags.clusterSigningKubeletClientCertFile,
      flags.clusterSigningKubeletClientKeyFile,
      'cluster-signing-kubelet-client',
    ),
    'kubernetes.io/kubelet-serving': pairOf(
      flags.clusterSigningKubeletServingCertFile,
      flags.clusterSigningKubeletServingKeyFile,
      'cluster-signing-kubelet-serving',
    ),
  };
  const given = Object.entries(own).flatMap(([signer, files]) => (files ? [[signer, files] as const] : []));
  if (all && given.length > 0)
    throw new NodeError(
      'bad-settings',
      'give --cluster-signing-cert-file and -key-file, or those of each signer, not both',
    );
  const authorities = all
    ? Object.fromEntries(Object.keys(own).map((signer) => [signer, all]))
    : Object.fromEntries(given);
  return {
    authorities,
    ...(clusterSigningDuration && { lifetimeMs: durationOf(clusterSigningDuration) }),
  };
}

function pairOf(
  certFile: string | undefined,
  keyFile: string | undefined,
  name: string,
): AuthorityFiles | undefined {
  if (certFile && keyFile) return { certFile, keyFile };
  if (certFile || keyFile)
    throw new NodeError('bad-settings', `give both --${name}-cert-file and --${name}-key-file, or neither`);
  return undefined;
}
