import { ImageError } from '../errors.ts';
import type { Descriptor, Index } from './manifest.ts';

/** A machine's kind in OCI's words. */
export interface Platform {
  architecture: string;
  /** Empty where the architecture has none. */
  variant: string;
}

const architectures = new Map<string, string>([
  ['x64', 'amd64'],
  ['ia32', '386'],
  ['ppc64', 'ppc64le'],
]);

/** This machine's architecture in OCI's words. */
export const hostArchitecture = architectures.get(process.arch) ?? process.arch;

/** Other words for architectures, as images write them. */
const aliases = new Map<string, Platform>([
  ['x86_64', { architecture: 'amd64', variant: '' }],
  ['x86-64', { architecture: 'amd64', variant: '' }],
  ['aarch64', { architecture: 'arm64', variant: '' }],
  ['i386', { architecture: '386', variant: '' }],
  ['armhf', { architecture: 'arm', variant: 'v7' }],
  ['armel', { architecture: 'arm', variant: 'v6' }],
]);

/** The variant that is meant where none is said. */
const usualVariants = new Map([
  ['arm', 'v7'],
  ['arm64', 'v8'],
  ['amd64', 'v1'],
]);

function normal({
  architecture,
  variant = '',
}: {
  architecture: string;
  variant?: string | undefined;
}): Platform {
  const known = aliases.get(architecture.toLowerCase()) ?? {
    architecture: architecture.toLowerCase(),
    variant: '',
  };
  const said = (variant || known.variant).toLowerCase().replace(/^(\d)/, 'v$1');
  return { architecture: known.architecture, variant: said || (usualVariants.get(known.architecture) ?? '') };
}

const amd64Variants = ['v1', 'v2', 'v3', 'v4'];

/** What a machine runs, best first (containerd's platforms: lower variants, then the 32-bit kin). */
function runnable(host: Platform): Platform[] {
  const { architecture, variant } = normal(host);
  if (architecture === 'amd64') {
    const own = amd64Variants.map((one) => ({ architecture, variant: one }));
    return [...own, { architecture: '386', variant: '' }];
  }
  if (architecture === 'arm64') return [{ architecture, variant: 'v8' }, ...armDownFrom(8)];
  if (architecture === 'arm') return armDownFrom(Number(variant.slice(1)));
  return [{ architecture, variant }];
}

const oldestArm = 5;

function armDownFrom(newest: number): Platform[] {
  const count = Math.max(newest - oldestArm + 1, 0);
  return Array.from({ length: count }, (_, at) => ({ architecture: 'arm', variant: `v${newest - at}` }));
}

const { arm_version: armVersion } = process.config.variables as { arm_version?: string };

/** This machine; Node knows for which ARM it was built. */
const hostPlatform: Platform = {
  architecture: hostArchitecture,
  variant: process.arch === 'arm' ? `v${armVersion ?? 7}` : '',
};

/** The manifest of an index that fits a machine best. Throws `ImageError` NOT_FOUND. */
export function choosePlatform({ manifests }: Index, host: Platform = hostPlatform): Descriptor {
  const images = manifests.filter((manifest) => manifest.platform?.os !== 'unknown');
  for (const wanted of runnable(host)) {
    const found = images.find(({ platform }) => {
      if (platform?.os !== 'linux') return false;
      const { architecture, variant } = normal(platform);
      return architecture === wanted.architecture && variant === wanted.variant;
    });
    if (found) return found;
  }
  const unsaid = images.find((manifest) => manifest.platform === undefined);
  if (unsaid) return unsaid;
  const offered = images.map(({ platform }) =>
    [platform?.os, platform?.architecture, platform?.variant].filter(Boolean).join('/'),
  );
  throw new ImageError(
    'NOT_FOUND',
    `image is not made for linux/${host.architecture}, only for ${offered.join(', ') || 'nothing'}`,
  );
}
