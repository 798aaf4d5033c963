import { isJsonObject } from '@wherry/kubeapi';
import type { Answered } from '../two-servers.ts';
import { SettledAnswers } from './settled-answers.ts';

/** What one server has told: versions and uids of its objects, and where a list goes on. */
export class Memory {
  readonly #settled = new SettledAnswers();
  /** By the path of each object. */
  readonly #versions = new Map<string, string[]>();
  readonly #uids = new Map<string, string>();
  #continue = '';
  #listed = '0';

  /** With `«rv:PATH»`, `«old:PATH»`, `«uid:PATH»`, `«continue»` and `«listed»` filled in by what has been told. */
  filled(text: string): string {
    return text.replaceAll(/«(\w+)(?::([^»]*))?»/g, (_, what: string, path = '') => {
      const versions = this.#versions.get(path) ?? [];
      if (what === 'rv') return versions.at(-1) ?? '1';
      if (what === 'old') return versions.at(-2) ?? '1';
      if (what === 'uid') return this.#uids.get(path) ?? 'none';
      return what === 'listed' ? this.#listed : encodeURIComponent(this.#continue);
    });
  }

  /** What is comparable of an answer to a request for a path, which holds `documents`; what they tell is kept. */
  shown(path: string, answer: Answered, documents: readonly unknown[]): unknown {
    for (const body of documents) this.#remember(path, body);
    return this.#settled.of(answer, documents);
  }

  #remember(path: string, body: unknown): void {
    if (!isJsonObject(body) || !isJsonObject(body['metadata'])) return;
    const { name, uid, resourceVersion: version, continue: more } = body['metadata'];
    if ('items' in body || 'rows' in body) {
      if (typeof more === 'string') this.#continue = more;
      if (typeof version === 'string') this.#listed = version;
      return;
    }
    if (typeof name !== 'string' || typeof version !== 'string') return;
    const [bare = ''] = path.split('?');
    const at = bare.indexOf(`/${name}`);
    const key = at === -1 ? `${bare}/${name}` : bare.slice(0, at + name.length + 1);
    const versions = this.#versions.get(key) ?? [];
    if (versions.at(-1) !== version) this.#versions.set(key, [...versions, version]);
    if (typeof uid === 'string') this.#uids.set(key, uid);
  }
}
