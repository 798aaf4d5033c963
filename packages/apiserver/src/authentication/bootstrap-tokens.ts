import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import { bootstrapTokenName, readBootstrapToken, type Secret, splitBootstrapToken } from '@wherry/kubeapi';
import { type UserInfo, userInfo } from './identity.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Machines that join by a bootstrap token: users `system:bootstrap:ID`, for as long as its secret is there. */
export class BootstrapTokens {
  readonly #options: { clock: Clock; find(name: string): Promise<Secret | undefined> };

  /** `find` looks a secret of `kube-system` up. */
  constructor(options: { clock: Clock; find(name: string): Promise<Secret | undefined> }) {
    this.#options = options;
  }

  /** Who bears the token; undefined when it is none, over, or not meant for this. */
  async find(token: string): Promise<UserInfo | undefined> {
    const halves = splitBootstrapToken(token);
    if (!halves) return undefined;
    const stored = await this.#options.find(bootstrapTokenName(halves.id));
    if (!stored || stored.metadata.deletionTimestamp) return undefined;
    const known = readBootstrapToken(stored);
    if (!known?.groups || !timingSafeEqual(digest(known.secret), digest(halves.secret))) return undefined;
    if (!known.usages.authentication || known.expiresAtMs <= this.#options.clock.nowMs()) return undefined;
    return userInfo(`system:bootstrap:${known.id}`, known.groups);
  }
}
